//! The same entry in every language that real logs are written in.

use super::{texts, untagged};
use crate::memory::fact::Sort;

/// One fact of each of the four sorts, in an entry of four lines.
fn check_four(body: &str, decision: &str, done: &str, open: &str, lesson: &str) {
    let reading = untagged("Payment", body);
    assert_eq!(texts(&reading, Sort::Decision), [decision], "decision in {body}");
    assert_eq!(texts(&reading, Sort::Done), [done], "done in {body}");
    assert_eq!(texts(&reading, Sort::Open), [open], "open in {body}");
    assert_eq!(texts(&reading, Sort::Lesson), [lesson], "lesson in {body}");
}

#[test]
fn twelve_languages_give_the_same_four_facts() {
    check_four(
        "- We decided to use Postgres instead of MySQL\n- Login bug fixed and deployed\n- Next: check the dashboard\n- Lesson: no migration on Friday\n",
        "use Postgres instead of MySQL",
        "Login bug fixed and deployed",
        "check the dashboard",
        "no migration on Friday",
    );
    check_four(
        "- 재시도 로직을 지수 백오프로 하기로 결정\n- 결제 승인 오류 수정했음, 배포 완료\n- 다음 단계: 대시보드 확인\n- 교훈: 금요일에는 배포하지 말 것\n",
        "재시도 로직을 지수 백오프로 하기로 결정",
        "결제 승인 오류 수정했음, 배포 완료",
        "대시보드 확인",
        "금요일에는 배포하지 말 것",
    );
    check_four(
        "**决定:** 采用幂等键，而不是数据库锁\n- 修复了支付回调接口的重复通知问题，已上线\n- 下一步：检查监控面板\n- 教训：上线前压测\n",
        "采用幂等键，而不是数据库锁",
        "修复了支付回调接口的重复通知问题，已上线",
        "检查监控面板",
        "上线前压测",
    );
    check_four(
        "- 決定: トークンの有効期限を一時間に延長する\n- 移行スクリプトを修正しました\n- 次のステップ: ダッシュボードの確認\n- 教訓: 金曜日にデプロイしない\n",
        "トークンの有効期限を一時間に延長する",
        "移行スクリプトを修正しました",
        "ダッシュボードの確認",
        "金曜日にデプロイしない",
    );
    check_four(
        "- Мы решили перенести базу данных\n- Исправлена ошибка авторизации\n- Осталось обновить документацию\n- Урок: не запускать миграции в пятницу\n",
        "перенести базу данных",
        "Исправлена ошибка авторизации",
        "Осталось обновить документацию",
        "не запускать миграции в пятницу",
    );
    check_four(
        "- Entscheidung: PostgreSQL statt MySQL\n- Fehler beim Login behoben\n- Nächste Schritte: Dashboard prüfen\n- Gelernt: Migrationen am Montag starten\n",
        "PostgreSQL statt MySQL",
        "Fehler beim Login behoben",
        "Dashboard prüfen",
        "Migrationen am Montag starten",
    );
    check_four(
        "**Décisions :** utiliser PostgreSQL\n- Le bug de connexion est corrigé et déployé\n- À faire : vérifier le tableau de bord\n- Leçon : pas de migration le vendredi\n",
        "utiliser PostgreSQL",
        "Le bug de connexion est corrigé et déployé",
        "vérifier le tableau de bord",
        "pas de migration le vendredi",
    );
    check_four(
        "- Decidimos usar PostgreSQL\n- Error de inicio de sesión corregido\n- Próximo paso: revisar el panel\n- Lección: no ejecutar migraciones el viernes\n",
        "usar PostgreSQL",
        "Error de inicio de sesión corregido",
        "revisar el panel",
        "no ejecutar migraciones el viernes",
    );
    check_four(
        "- Decidimos usar PostgreSQL em vez de MySQL\n- Erro de login corrigido\n- Próximo passo: verificar o painel\n- Lição: não executar migrações na sexta-feira\n",
        "usar PostgreSQL em vez de MySQL",
        "Erro de login corrigido",
        "verificar o painel",
        "não executar migrações na sexta-feira",
    );
    check_four(
        "- Chúng tôi quyết định dùng PostgreSQL\n- Lỗi đăng nhập đã sửa xong\n- Bước tiếp theo: kiểm tra bảng điều khiển\n- Bài học: không chạy migration vào thứ sáu\n",
        "dùng PostgreSQL",
        "Lỗi đăng nhập đã sửa xong",
        "kiểm tra bảng điều khiển",
        "không chạy migration vào thứ sáu",
    );
    check_four(
        "- قررنا استخدام PostgreSQL\n- تم إصلاح خطأ تسجيل الدخول\n- الخطوة التالية: مراجعة اللوحة\n- الدرس: لا ترحيل يوم الجمعة\n",
        "استخدام PostgreSQL",
        "تم إصلاح خطأ تسجيل الدخول",
        "مراجعة اللوحة",
        "لا ترحيل يوم الجمعة",
    );
    check_four(
        "- החלטנו להשתמש ב-PostgreSQL\n- תוקן באג ההתחברות\n- הצעד הבא: לוח המחוונים\n- לקח: לא להריץ מיגרציות ביום שישי\n",
        "להשתמש ב-PostgreSQL",
        "תוקן באג ההתחברות",
        "לוח המחוונים",
        "לא להריץ מיגרציות ביום שישי",
    );
    check_four(
        "- ตัดสินใจใช้ PostgreSQL\n- แก้ไขแล้ว ข้อผิดพลาดในการเข้าสู่ระบบ\n- ขั้นตอนต่อไป: ตรวจสอบแดชบอร์ด\n- บทเรียน: ย้ายข้อมูลวันจันทร์\n",
        "ใช้ PostgreSQL",
        "แก้ไขแล้ว ข้อผิดพลาดในการเข้าสู่ระบบ",
        "ตรวจสอบแดชบอร์ด",
        "ย้ายข้อมูลวันจันทร์",
    );
}

#[test]
fn a_transcript_is_labelled_by_what_the_person_asked() {
    let cases = [
        (
            "I'm planning a week-long vacation to Hawaii in December with my family. Can you recommend some kid-friendly activities?",
            "Week-long vacation to Hawaii in December",
        ),
        (
            "I'm looking for some tips on how to improve my portrait photography skills.",
            "Portrait photography skills",
        ),
        (
            "How do I make a spicy homemade salsa with fresh tomatoes?",
            "Spicy homemade salsa with fresh tomatoes",
        ),
        (
            "12월에 가족과 하와이 여행을 계획하고 있어요. 활동 추천해 주세요.",
            "12월에 가족과 하와이 여행",
        ),
        (
            "我计划十二月和家人去夏威夷度假，能推荐适合孩子的活动吗？",
            "十二月和家人去夏威夷度假",
        ),
        (
            "12月に家族とハワイ旅行を計画しています。アクティビティを教えてください。",
            "12月に家族とハワイ旅行",
        ),
        (
            "Ich plane eine Reise nach Hawaii mit meiner Familie. Kannst du mir Aktivitäten empfehlen?",
            "Reise nach Hawaii mit Familie",
        ),
        (
            "Je prévois un voyage à Hawaï en décembre. Peux-tu me recommander des activités ?",
            "Voyage à Hawaï en décembre",
        ),
        (
            "Estoy planeando un viaje a Hawái en diciembre con mi familia.",
            "Viaje a Hawái en diciembre",
        ),
        (
            "Мы планируем поездку на Гавайи в декабре. Посоветуй развлечения для детей.",
            "Поездку на Гавайи в декабре",
        ),
        ("أخطط لرحلة إلى هاواي في ديسمبر.", "لرحلة إلى هاواي في ديسمبر"),
        (
            "אני מתכנן טיול להוואי בדצמבר עם המשפחה.",
            "טיול להוואי בדצמבר עם המשפחה",
        ),
    ];
    for (said, label) in cases {
        let body = format!("Session Date: 2026-03-01\n\nUser: {said}\nAssistant: Sure! Here you go.\n");
        assert_eq!(
            untagged("Session 1126be1e_2", &body).label.as_deref(),
            Some(label),
            "{said}"
        );
    }
}

#[test]
fn composed_and_decomposed_text_read_alike() {
    use unicode_normalization::UnicodeNormalization;
    let body = "- 결제 오류 수정했음\n- Café-Menü fertig\n- データベースを修正しました\n";
    let loose: String = body.nfd().collect();
    assert_eq!(untagged("결제", body), untagged("결제", &loose));
}
