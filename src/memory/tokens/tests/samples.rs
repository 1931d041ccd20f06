//! Topic indexes made of words of many languages, in the shape of ROOT.md.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use unicode_normalization::UnicodeNormalization;

/// Words of one language each, and the last of nothing that is a word.
const WORDS: [&str; 17] = [
    "auth refactor JWT refresh tokens middleware rate limiting deploy staging rollback migration index cache timeout",
    "Anmeldung überarbeiten Zugriffsrechte Datenbankschema Größenänderung für Straße Lösung Kündigungsfrist prüfen",
    "réunion équipe déploiement échéance l'authentification d'été sécurité où naïve cœur façade problème réglé",
    "autenticación configuración contraseña decisión reunión añadir índice ¿cuándo? ¡listo! pingüino próxima versión",
    "autenticação configuração usuário não integração relatório atenção decisões próxima ação pão coração",
    "xác thực người dùng cơ sở dữ liệu triển khai lỗi cấu hình thử nghiệm quyết định Việt Nam đường phố",
    "настройка сервера авторизация ошибка базы данных развёртывание решение пользователь встреча объект ёлка",
    "إعداد الخادم المصادقة خطأ في قاعدة البيانات المستخدم قرار اجتماع النشر الأمان تحديث مُحَمَّد",
    "הגדרת שרת אימות משתמש מסד נתונים פריסה החלטה פגישה שגיאה עדכון אבטחה שָׁלוֹם",
    "用户认证 数据库迁移 部署到生产环境 会议纪要 决定采用新的缓存策略 错误处理 性能优化 配置文件",
    "認証の見直し データベース移行 本番環境へのデプロイ 会議の決定事項 エラー処理 キャッシュ 設定ファイル",
    "인증 리팩터링 데이터베이스 마이그레이션 배포 회의 결정 사항 오류 처리 사용자 설정 캐시 성능 개선",
    "การยืนยันตัวตน ฐานข้อมูล การปรับใช้ ข้อผิดพลาด การตั้งค่าผู้ใช้ ประชุม ตัดสินใจ น้ำ",
    "အသုံးပြုသူ အတည်ပြုခြင်း ဒေတာဘေ့စ် ဆုံးဖြတ်ချက် အစည်းအဝေး အမှား ပြင်ဆင်ခြင်း မြန်မာ",
    "getUserById MAX_RETRIES fooBar2 src/auth/middleware.rs https://example.org/a/b?c=d&e=1#f ~/notes/todo.md Vec<Option<T>>",
    "2026-03-15 14:30 1,234.56 99% v1.2.3-rc.1 0x7ffe 3f9a1c0b7d2e4856 7b6e1f00-9a3c-4d55-8e21-0c9d3b5a7f10 #4821 €1.200",
    "🚀 ✅ 👩‍💻 🇯🇵 ⚠️ — … “x” → ≥ ~~~ === *** ??! <<>> {[()]} qzxvkjw XQJZK rtfghbn ZzYyXx",
];

/// A ROOT.md whose topics come from one, two or all of the languages.
pub(super) fn root() -> impl Strategy<Value = String> {
    let languages = prop_oneof![vec(select(WORDS.to_vec()), 1..3), Just(WORDS.to_vec())];
    languages
        .prop_flat_map(|languages| vec(line(&languages), 40..90))
        .prop_map(|lines| {
            let mut root = "---\ntype: root\nstatus: tentative\nlast-updated: 2026-03-15\n---\n".to_owned();
            let sections = [
                "Active Context (recent ~7 days)",
                "Recent Patterns",
                "Historical Summary",
                "Topics Index",
            ];
            for (heading, lines) in sections.into_iter().zip(lines.chunks(lines.len().div_ceil(4))) {
                root += &format!("\n## {heading}\n{}", lines.concat());
            }
            root
        })
}

fn line(languages: &[&'static str]) -> impl Strategy<Value = String> + use<> {
    let words: Vec<&'static str> = languages.iter().flat_map(|language| language.split(' ')).collect();
    let types = select(vec!["project", "feedback", "user", "reference"]);
    let shape = (0..4_u8, any::<bool>(), 0..400_u16);
    (vec(select(words.clone()), 1..4), types, shape, vec(select(words), 1..8)).prop_map(
        |(topic, r#type, (shape, decomposed, age), words)| {
            let topic = topic.join(" ");
            let line = match shape {
                0 => format!("- {topic} [{type}, {age}d]: {} → knowledge/auth.md\n", words.join(", ")),
                1 => format!("- {topic} [{type}, {age}d, ?]: {}\n", words.join(", ")),
                2 => format!("- 2026-{:02}: {topic}; {}.\n", age % 12 + 1, words.join(" ")),
                _ => format!("- {topic}: {}\n", words.join(", ")),
            };
            if decomposed { line.nfd().collect() } else { line }
        },
    )
}
