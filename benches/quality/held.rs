//! Forms that are never looked at while the program is tuned; see `forms.rs` for what they may hold. `cargo bench --bench quality`
//! counts them apart, and `-- tune` leaves them out. When these have been looked at, they belong to `forms.rs`, and others are due here.

/// Conversations.
pub(crate) const SPOKEN: [[&str; 2]; 12] = [
    [
        "Quick question about my {s}: is it worth the trouble?",
        "Fair enough. My neighbour {p} has had one for years and swears by it. What would change your mind?",
    ],
    [
        "I'd love some ideas for a {s}.",
        "We're leaning towards {b} at the moment, mostly because of the location. Any downsides?",
    ],
    [
        "What's the difference between a cheap {s} and an expensive one?",
        "I see. The one I have came from {b} and has lasted six years so far. Should I replace it at all?",
    ],
    [
        "Explain to me how a {s} works, as if I were ten.",
        "Nice, {p} will like that, it's for a class at school. Could you add an example?",
    ],
    [
        "Where can I find good information on a {s}?",
        "I already read everything that {b} has on their site. Is there something more thorough?",
    ],
    [
        "I'm a bit worried about the {s}.",
        "It all started when I switched to {b} in March. Since then nothing fits any more. What now?",
    ],
    [
        "Write a short announcement for our {s}, please.",
        "Good, but mention that {p} takes care of the food and that we start at six. Can it be funnier?",
    ],
    [
        "Compare three options for a {s}.",
        "The second one, {b}, sounds right for me, since I only have the weekends. How would I start?",
    ],
    [
        "How do professionals handle a {s}?",
        "Funny, {p} from work told me the exact opposite yesterday. Who is right?",
    ],
    [
        "Is it normal that a {s} takes so long?",
        "The people at {b} said it would be ready by Friday, and that was two weeks ago. Should I complain?",
    ],
    [
        "Help me think through a {s} for next year.",
        "One thing I forgot: {p} is allergic to nearly everything, so keep that in mind. What should change?",
    ],
    [
        "What vocabulary do I need to talk about a {s}?",
        "My plan is to practise with {b} every morning on the train. Which words come first?",
    ],
];

/// Work.
pub(crate) const WRITTEN: [&str; 16] = [
    "Went with {t} in the end. The {s} is a lot calmer since.\n",
    "- what: {s}\n- who: {p}\n- when: next sprint\n",
    "Pairing session with {p}. We rewrote half of it and kept the tests as they were.\n",
    "**Result** {b} is gone, nobody noticed.\n\n**Next** tell support\n",
    "* tried {b}, too noisy\n* tried {t}, much better, staying with it\n",
    "Root cause: a stale lock in {b}. Patched and rolled out at noon.\n",
    "| date | who | what |\n| --- | --- | --- |\n| today | {p} | takes over the {s} |\n| tomorrow | all | review |\n",
    "Remember: restarting {b} drops whatever is in flight.\n",
    "### Status\n\nBlocked on {p}, who has the credentials.\n\n### Asks\n\n- none\n",
    "Half a day lost because {t} were not documented anywhere. They are now.\n",
    "`{b}` replaces the cron job behind the {s}; measured 3x faster on the big tenant.\n",
    "Q: why is the {s} so slow?\nA: {t}, all of them on one core.\n",
    "[ ] ask {p} about limits\n[x] benchmark\n",
    "Rolled back. {b} cannot deal with empty names, filed a ticket with them.\n",
    "Meeting notes\n\n1. {p} presented numbers\n2. budget stays the same\n",
    "Everything green again after pinning {b} to the old version.\n",
];

/// Other languages.
pub(crate) const FOREIGN: [(&str, &str, &str); 24] = [
    ("로그인 화면 개편", "디자인은 {b} 템플릿을 쓰고 있다. 반응이 좋다.\n", "로그인"),
    ("김장 준비", "배추는 {b} 농장에서 스무 포기 받기로 했다.\n", "김장"),
    ("보고서 자동 생성", "- 문제: {b} 응답이 느림\n- 조치: 캐시 추가\n", "보고서"),
    ("搜索结果不准确", "查了一天，问题出在 {b} 的分词。\n", "搜索"),
    ("孩子的钢琴课", "老师推荐了 {b} 的教材，周三开始上课。\n", "钢琴"),
    ("服务器成本", "**结论**：换成 {b} 每月能省三成\n", "成本"),
    ("決済画面の不具合", "{b} の更新が原因だった。戻したら直った。\n", "決済"),
    ("健康診断の予約", "- 病院：{b} クリニック\n- 日時：来週の木曜\n", "健康診断"),
    ("翻訳メモリの整理", "重複が多いので {b} で一括して消した。\n", "翻訳"),
    ("Ремонт на кухне", "Плитку берём в {b}, доставка в субботу.\n", "кухн"),
    (
        "Очередь задач",
        "Перешли с самописной очереди на {b}, нагрузка упала вдвое.\n",
        "очеред",
    ),
    ("رحلة الصيف", "حجزنا الفندق عن طريق {b} لمدة أسبوع.\n", "الصيف"),
    ("أرشفة الملفات", "الخطوة التالية: نقل كل شيء إلى {b}.\n", "الملفات"),
    ("ร้านอาหารสำหรับงานเลี้ยง", "จองโต๊ะที่ {b} ไว้แล้ว สำหรับสิบสองคน\n", "งานเลี้ยง"),
    ("การสำรองข้อมูล", "ย้ายไปใช้ {b} เพราะถูกกว่าเดิม\n", "สำรองข้อมูล"),
    ("Lịch tiêm phòng", "Bác sĩ ở {b} hẹn lại vào tháng sau.\n", "tiêm phòng"),
    (
        "Fahrradreparatur",
        "Die Bremsen macht {b}, abholen kann ich es am Montag.\n",
        "Fahrrad",
    ),
    (
        "Fehler beim Import",
        "Ursache gefunden: {b} liefert seit gestern ein anderes Format.\n",
        "Import",
    ),
    (
        "Cours de poterie",
        "Je me suis inscrit chez {b}, ça commence en octobre.\n",
        "poterie",
    ),
    ("Panne du chauffage", "Le technicien de {b} passe demain matin.\n", "chauffage"),
    ("Mudanza de oficina", "Al final la hace {b}; firmamos el viernes.\n", "Mudanza"),
    ("Lentidão no painel", "O culpado era {b}: mil consultas por página.\n", "painel"),
    ("חיפוש דירה", "ראינו דירה דרך {b}, יקרה מדי.\n", "דירה"),
    ("Wymiana okien", "Zamówione w {b}, montaż w przyszłym miesiącu.\n", "okien"),
];

/// Tagged entries.
pub(crate) const KEPT: [(&str, &str); 4] = [
    ("user", "Allergic to {n} things, one of them at {b}; {s} is fine.\n"),
    ("feedback", "Stop suggesting {b} whenever {s} comes up.\n"),
    ("user", "{p} is the one to call when {s} is the matter.\n"),
    (
        "feedback",
        "- rule: show {t} first, then talk about the {s}\n- why: otherwise the point is missed\n",
    ),
];
