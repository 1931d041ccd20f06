//! The forms in which facts are planted while the program is tuned. `held.rs` has as many that are not looked at.
//!
//! In a form `{s}` is the subject, `{p}` a person, `{b}` a name of something, `{t}` a thing in two common words, `{n}` a number.
//! What must stand together in a line of ROOT is the subject and whatever of `{p}`, `{b}` and `{t}` the form holds.

/// What a person says in a conversation: how it begins, and a later turn that holds the fact.
pub(crate) const SPOKEN: [[&str; 2]; 12] = [
    [
        "I'm thinking about getting a new {s}. What should I look for?",
        "I've been looking at the {b} one, and I think I'll order it next week. How do I take care of it?",
    ],
    [
        "Can you help me plan my {s}? I want it to be well organized.",
        "By the way, I asked {p} to join me, who knows a lot about it. What else should we prepare?",
    ],
    [
        "I need some advice on my {s}.",
        "I finally decided to go with {b} because it's cheaper. Can you tell me how to get started?",
    ],
    [
        "My {s} stopped working last Tuesday, do you know why that may be?",
        "I took it to {p} for repair and paid ${n}. How can I avoid this in the future?",
    ],
    [
        "I'm writing a short guide about {s} for beginners. Could you suggest an outline?",
        "I work at {b}, so the examples should fit our customers. Can you rewrite the second point?",
    ],
    [
        "What are good ways to improve my {s}?",
        "My brother {p} told me that {b} helped him a lot with it. Do you agree?",
    ],
    [
        "I could use a second opinion about a {s}.",
        "Between the two of us we ended up choosing {b} over everything else. Is there anything to watch out for?",
    ],
    [
        "Tell me something about {s} that most people don't know.",
        "Interesting! It's been three months since I started {s} lessons with {p}, and I still struggle with the basics.",
    ],
    [
        "Which mistakes do people make with a {s}?",
        "A friend of mine recommended {b}, and I ordered mine from them yesterday. What would you check first?",
    ],
    [
        "How much does a {s} usually cost?",
        "I paid {n} dollars at {b}, which was more than I'd planned. Was that too much?",
    ],
    [
        "Please give me a checklist for a {s}.",
        "Thanks. {p} and I will do this together in June, we meet on Sundays. Can you make the list shorter?",
    ],
    [
        "I'd like to learn more about {s} in general.",
        "For context: I used to do this at {b} years ago, but I forgot most of it. Where would you begin?",
    ],
];

/// What an agent writes about its work, below a heading that names the subject.
pub(crate) const WRITTEN: [&str; 16] = [
    "- request: look into the {s}\n- decisions: {s} uses {t} from now on\n- outcome: done\n",
    "**Decision:** {b} for the {s}\n\nTalked it over with everybody, no objections.\n",
    "We switched the {s} to {b} today because the old way was too slow. Numbers look good so far.\n",
    "### Decisions\n\n- {t} behind the {s}\n\n### Next\n\n- watch it for a week\n",
    "| part | choice | status |\n| --- | --- | --- |\n| {s} | {b} | done |\n| tests | as before | open |\n",
    "- [x] move the {s} to {b}\n- [x] tell the others about it\n- [ ] remove what is left\n",
    "Lesson: without {t} the {s} falls over at night.\n",
    "- {p} reviewed the {s} and asked for {t} before the release\n- will be done tomorrow\n",
    "**Outcome**: the {s} now runs on {b}\n**Open questions**: none\n",
    "Turns out {t} was the reason why the {s} hung. Took two hours to find.\n",
    "> agreed with {p}: keep {b} for the {s}\n\nWill write it down properly later.\n",
    "1. Chose {t} ({b} was too slow)\n2. Wrote it up for the others\n",
    "TIL: {b} needs a restart after every change.\n\nWorkaround is in the wiki.\n",
    "Summary\n\nShipped. {t} is the default now, and {p} keeps an eye on it.\n",
    "* outcome — replaced {b} with something simpler\n* blockers — none\n",
    "{p} asked about the {s}; answer: we stay with {b} until summer.\n",
];

/// In other languages: heading (the subject), text, and the words of the fact besides `{b}`, which the text names.
pub(crate) const FOREIGN: [(&str, &str, &str); 24] = [
    (
        "결제 서버 이전",
        "결제 서버를 {b} 로 옮기기로 결정했다. 다음 주에 배포한다.\n",
        "결제",
    ),
    ("주말 등산 계획", "- 결정: {b} 코스로 간다\n- 할 일: 신발 새로 사기\n", "등산"),
    ("数据库迁移", "今天决定把数据库迁移到 {b}，旧系统保留一个月。\n", "数据库"),
    ("家庭旅行安排", "- 决定：住在 {b}，因为离海边近\n- 待办：订机票\n", "旅行"),
    (
        "請求書の自動化",
        "請求書の作成は {b} を使うことに決めた。来週から始める。\n",
        "請求書",
    ),
    ("ログ監視の改善", "- 決定：監視は {b} に統一する\n- 次：通知の設定\n", "監視"),
    (
        "Резервное копирование",
        "Решили использовать {b} для резервного копирования. Старый скрипт удалим.\n",
        "копирован",
    ),
    (
        "تحديث لوحة التحكم",
        "قررنا استخدام {b} في لوحة التحكم ابتداء من الغد.\n",
        "لوحة",
    ),
    ("ระบบแจ้งเตือน", "ตัดสินใจใช้ {b} สำหรับระบบแจ้งเตือน เริ่มสัปดาห์หน้า\n", "แจ้งเตือน"),
    (
        "Di chuyển máy chủ",
        "Quyết định dùng {b} cho máy chủ mới, bắt đầu từ tuần sau.\n",
        "máy chủ",
    ),
    (
        "Umzug der Datenbank",
        "Entschieden: {b} für die Datenbank, weil der Betrieb billiger ist.\n",
        "Datenbank",
    ),
    (
        "Migration du serveur",
        "On a décidé de prendre {b} pour le serveur de fichiers.\n",
        "serveur",
    ),
    ("이메일 발송 오류", "원인은 {b} 설정이었다. 고쳐서 다시 배포 완료.\n", "이메일"),
    ("동생 생일 선물", "{b} 시계를 주문했다. 금요일에 도착 예정.\n", "생일"),
    ("首页加载太慢", "- 原因：{b} 没有缓存\n- 结果：已修复\n", "首页"),
    ("学习日语", "从今天起用 {b} 练习听力，每天二十分钟。\n", "日语"),
    (
        "会議室の予約システム",
        "**結果:** {b} と連携できた。テストも通った。\n",
        "会議室",
    ),
    ("引っ越しの準備", "業者は {b} に頼んだ。来月の初めに来る。\n", "引っ越し"),
    (
        "Ошибка авторизации",
        "- причина: {b} отдавал старый токен\n- итог: исправлено\n",
        "авторизаци",
    ),
    ("خطة التسويق", "- النتيجة: سنعمل مع {b} حتى نهاية العام\n", "التسويق"),
    ("แผนการเดินทาง", "- จองโรงแรม {b} แล้ว\n- ต้องซื้อตั๋วรถไฟ\n", "เดินทาง"),
    (
        "Revisão do orçamento",
        "Ficou decidido usar {b} para o controle do orçamento.\n",
        "orçamento",
    ),
    (
        "Plan de marketing",
        "- resultado: trabajaremos con {b} hasta junio\n",
        "marketing",
    ),
    ("אבטחת השרת", "החלטנו להשתמש ב־{b} לאבטחת השרת.\n", "השרת"),
];

/// Tagged entries, kept word for word.
pub(crate) const KEPT: [(&str, &str); 4] = [
    ("user", "- prefers {b} for {s}, since {n}\n"),
    (
        "feedback",
        "- rule: never touch the {s} without {t}\n- why: a day was lost over it\n- how-to-apply: always\n",
    ),
    ("user", "Grew up near {b}; talks about {s} a lot, ask {p} for details.\n"),
    ("feedback", "Don't answer questions about {s} from memory: look at {b} first.\n"),
];
