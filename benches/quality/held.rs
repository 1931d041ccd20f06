//! Forms that are never looked at while the program is tuned; see `forms.rs` for what they may hold. `cargo bench --bench quality`
//! counts them apart, and `-- tune` leaves them out.

/// Conversations.
pub(crate) const SPOKEN: [[&str; 2]; 6] = [
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

/// Work.
pub(crate) const WRITTEN: [&str; 8] = [
    "**Outcome**: the {s} now runs on {b}\n**Open questions**: none\n",
    "Turns out {t} was the reason why the {s} hung. Took two hours to find.\n",
    "> agreed with {p}: keep {b} for the {s}\n\nWill write it down properly later.\n",
    "1. Chose {t} ({b} was too slow)\n2. Wrote it up for the others\n",
    "TIL: {b} needs a restart after every change.\n\nWorkaround is in the wiki.\n",
    "Summary\n\nShipped. {t} is the default now, and {p} keeps an eye on it.\n",
    "* outcome — replaced {b} with something simpler\n* blockers — none\n",
    "{p} asked about the {s}; answer: we stay with {b} until summer.\n",
];

/// Other languages.
pub(crate) const FOREIGN: [(&str, &str, &str); 12] = [
    (
        "이메일 발송 오류",
        "원인은 {b} 설정이었다. 고쳐서 다시 배포 완료.\n",
        "이메일",
    ),
    (
        "동생 생일 선물",
        "{b} 시계를 주문했다. 금요일에 도착 예정.\n",
        "생일",
    ),
    ("首页加载太慢", "- 原因：{b} 没有缓存\n- 结果：已修复\n", "首页"),
    ("学习日语", "从今天起用 {b} 练习听力，每天二十分钟。\n", "日语"),
    (
        "会議室の予約システム",
        "**結果:** {b} と連携できた。テストも通った。\n",
        "会議室",
    ),
    (
        "引っ越しの準備",
        "業者は {b} に頼んだ。来月の初めに来る。\n",
        "引っ越し",
    ),
    (
        "Ошибка авторизации",
        "- причина: {b} отдавал старый токен\n- итог: исправлено\n",
        "авторизаци",
    ),
    (
        "خطة التسويق",
        "- النتيجة: سنعمل مع {b} حتى نهاية العام\n",
        "التسويق",
    ),
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

/// Tagged entries.
pub(crate) const KEPT: [(&str, &str); 2] = [
    (
        "user",
        "Grew up near {b}; talks about {s} a lot, ask {p} for details.\n",
    ),
    (
        "feedback",
        "Don't answer questions about {s} from memory: look at {b} first.\n",
    ),
];
