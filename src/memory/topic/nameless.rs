//! Headings that name nothing: dates, times, numbers, session keys and other ids, and the words for "a piece
//! of a log".

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
/// Words that, with nothing but numbers and each other, name no topic.
const GENERIC: &str = "
    session sessions note notes log logs entry entries daily journal diary memory memo memos untitled
    record records part
    morning afternoon evening night midnight noon today yesterday am pm the of and for at on to from
    start end date time
    chat chats conversation conversations thread key id transcript dialogue dialog checkpoint
    세션 노트 메모 기록 로그 일지 일기 항목 대화 오늘 오전 오후 아침 저녁 밤 메모리 일일
    会话 會話 笔记 筆記 日志 日誌 记录 記錄 条目 條目 对话 對話 今天 今日 上午 下午 早上 晚上 日记 日記 备忘 備忘 备忘录 備忘錄 每日笔记 每日記錄 每日记录 工作日志 工作日誌
    今日のメモ 今日の記録 日次ログ 作業ログ セッションログ
    セッション ノート メモ ログ 記録 エントリ エントリー 会話 対話 日誌 午前 午後 朝 夜
    сессия сессии сеанс заметка заметки лог логи журнал запись записи дневник диалог разговор чат утро
    день вечер ночь сегодня
    sitzung sitzungen notiz notizen protokoll eintrag einträge tagebuch gespräch heute morgen vormittag
    nachmittag abend nacht uhr
    séance séances remarque remarques journal entrée entrées conversation aujourd hui matin soir nuit mémo
    sesión sesiones nota notas registro registros entrada entradas diario conversación hoy mañana tarde
    noche
    sessão sessões anotação anotações diário conversa hoje manhã noite
    phiên ghi chú nhật ký mục hội thoại hôm nay sáng chiều tối cuộc trò chuyện
    جلسة الجلسة ملاحظات ملاحظة سجل السجل يوميات مدخل محادثة اليوم صباح صباحا مساء
    מפגש סשן הערות הערה יומן רשומה רשומות שיחה היום בוקר ערב לילה
    เซสชัน บันทึก โน้ต รายการ ไดอารี่ บทสนทนา วันนี้ เช้า บ่าย เย็น
";

/// Words after which an id says nothing more.
const SESSION: &str = "
    session sessions chat conversation thread transcript key id 세션 대화 会话 會話 对话 對話 セッション 会話 対話 сессия
    сеанс чат диалог sitzung
    gespräch séance conversation sesión conversación sessão conversa phiên جلسة محادثة מפגש סשן שיחה เซสชัน
";

pub(super) const MONTHS: &str = "
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря январь февраль
    март апрель май июнь
    июль август сентябрь октябрь ноябрь декабрь
    januar februar märz april mai juni juli august september oktober november dezember
    janvier février mars avril juin juillet août septembre octobre novembre décembre
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
    يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر
    ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר
    במרץ בינואר בפברואר באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר
    มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม
";

pub(super) const WEEKDAYS: &str = "
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
    월 화 수 목 금 토 일 월요일 화요일 수요일 목요일 금요일 토요일 일요일
    一 二 三 四 五 六 日 月 火 水 木 金 土 周一 周二 周三 周四 周五 周六 周日 週一 週二 週三 週四 週五 週六 週日
    星期一 星期二 星期三 星期四 星期五 星期六 星期日 星期天 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 月曜 火曜 水曜 木曜 金曜 土曜 日曜
    понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс
    montag dienstag mittwoch donnerstag freitag samstag sonntag mo di mi do fr sa so
    lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo
    segunda terça quarta quinta sexta feira
    الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت ראשון שני שלישי רביעי חמישי שישי שבת
    จันทร์ อังคาร พุธ พฤหัสบดี ศุกร์ เสาร์ อาทิตย์
";

pub(super) const ZONES: &str = "
    z utc gmt est edt cst cdt mst mdt pst pdt et ct pt cet cest eet eest msk kst jst ist bst hkt sgt
    aest aedt wib brt
";

/// Which of the lists above a word is in, as bits.
type Lists = u8;

const IN_GENERIC: Lists = 1;
const IN_SESSION: Lists = 2;
const IN_MONTHS: Lists = 4;
const IN_WEEKDAYS: Lists = 8;
const IN_ZONES: Lists = 16;

static WORDS: LazyLock<FxHashMap<&str, Lists>> = LazyLock::new(|| {
    let lists = [
        (GENERIC, IN_GENERIC),
        (SESSION, IN_SESSION),
        (MONTHS, IN_MONTHS),
        (WEEKDAYS, IN_WEEKDAYS),
        (ZONES, IN_ZONES),
    ];
    let mut words: FxHashMap<&str, Lists> = FxHashMap::default();
    for (list, bit) in lists {
        for word in list.split_whitespace() {
            *words.entry(word).or_default() |= bit;
        }
    }
    words
});

/// `CET`, or `Europe/Berlin`.
fn is_zone(word: &str) -> bool {
    lists(word) & IN_ZONES != 0 || word.contains('/') && tzdb_data::find_tz(word.as_bytes()).is_some()
}

fn lists(word: &str) -> Lists {
    WORDS.get(word.to_lowercase().as_str()).copied().unwrap_or(0)
}

/// Whether a plain heading, with all stripped that stands around a name, names no topic.
pub(super) fn names_nothing(name: &str) -> bool {
    if !name.chars().any(char::is_alphanumeric) {
        // Scripts have names of letters; a face or a rule is none.
        return true;
    }
    let session = || words(name).any(|word| lists(word) & IN_SESSION != 0);
    let mut chunks = name.split_whitespace().peekable();
    let first = chunks.peek().copied().unwrap_or("");
    let alone = first.len() == name.trim().len();
    if alone && (is_session_key(first) || is_opaque(first)) {
        return true;
    }
    chunks.all(|chunk| {
        let chunk = chunk.trim_matches(|char: char| !char.is_alphanumeric());
        let id = || is_session_key(chunk) || is_id(chunk) || is_opaque(chunk);
        words(chunk).all(is_no_name) || is_zone(chunk) || id() && session()
    })
}

/// The words of a text, parted by anything that is no letter or digit. Vowel signs are letters enough here.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let inside = |char: char| char.is_alphanumeric() || unicode_normalization::char::is_combining_mark(char);
    text.split(move |char| !inside(char))
        .filter(|word| !word.is_empty())
}

/// Numbers, ordinals, parts of timestamps, and the words above.
fn is_no_name(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    if digits > 0 && word.is_ascii() {
        let rest: String = word
            .chars()
            .filter(|char| !char.is_ascii_digit())
            .collect::<String>()
            .to_ascii_lowercase();
        let stamp = matches!(
            rest.as_str(),
            "" | "t" | "z" | "tz" | "h" | "m" | "s" | "w" | "am" | "pm" | "st" | "nd" | "rd" | "th" | "ms"
        );
        return stamp
            && word.starts_with(|char: char| char.is_ascii_digit() || matches!(char, 'W' | 'w' | 'T'));
    }
    let lists = lists(word);
    lists & (IN_GENERIC | IN_WEEKDAYS | IN_ZONES) != 0
        || lists & IN_MONTHS != 0 && !word.eq_ignore_ascii_case("may")
        || word.chars().all(char::is_numeric)
}

/// `agent:main:main`, `telegram:group:-100123`.
fn is_session_key(word: &str) -> bool {
    word.split(':').count() >= 3 && word.is_ascii() && word.split(':').all(|part| !part.is_empty())
}

/// An id after the word "session": ends in a number, or has digits in it and is long. `gpt4` is a name.
fn is_id(word: &str) -> bool {
    let mut parts = word.rsplit(['_', '-']);
    let numbered = parts
        .next()
        .is_some_and(|last| !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()))
        && parts.next().is_some();
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let plain = word
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    plain
        && (numbered
            || digits >= 2 && word.len() >= 6 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
            || digits >= 3 && word.len() >= 10)
}

/// A UUID, a commit, a long token: one of its parts is seven or more hexadecimal digits, letters and figures
/// mixed.
fn is_opaque(word: &str) -> bool {
    let plain = word
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let hex = |part: &str| {
        let digits = part.bytes().filter(u8::is_ascii_digit).count();
        part.len() >= 7
            && digits >= 2
            && digits < part.len()
            && part.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    plain && word.split(['_', '-']).any(hex)
}
