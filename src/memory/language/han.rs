//! Traditional Chinese signs, read as the simplified ones when the word lists are asked.

use std::borrow::Cow;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// A traditional sign and the simplified one, side by side: those of the lists' words, and others that headings have.
/// Both have three bytes in UTF-8, so that places in a text stay the same. Source: OpenCC's table of characters.
const PAIRS: &str = "薦荐囑嘱淨净並并佈布併并來来俬私個个們们備备傳传價价優优兒儿內内別别刪删則则剛刚創创劃划動动務务勢势匯汇區区厭厌參参問问啟启單单嗎吗噹当嚴严圍围圖图執执報报場场壓压媽妈學学實实審审寫写寵宠專专對对導导層层帳帐幫帮 \
                     幾几廠厂廣广強强後后從从復复愛爱態态慣惯憶忆應应戲戏戶户採采換换擇择據据敗败數数斷断於于時时暫暂會会査查條条業业構构標标樣样機机檔档檢检權权歡欢歸归殺杀氣气決决沒没況况淩凌測测準准溝沟溫温瀏浏為为無无 \
                     熱热營营爲为爺爷狀状獲获現现環环產产産产畢毕畫画異异當当發发盡尽監监盤盘確确碼码種种穩稳筆笔節节範范築筑簡简簽签糾纠紀纪約约紅红納纳級级細细紹绍終终組组結结絕绝絡络給给統统絶绝經经綫线維维網网線线緣缘 \
                     編编縮缩總总績绩繪绘繼继續续義义習习職职腦脑腳脚與与興兴萬万蓋盖處处號号術术裝装裡里製制覈核規规視视親亲覺觉覽览觀观觸触訂订計计訊讯討讨訓训記记訪访設设訴诉診诊註注証证評评詞词詢询試试話话該该詳详認认 \
                     語语誤误說说説说調调請请論论謝谢證证識识議议護护讀读變变讓让貓猫貨货責责買买貿贸資资質质賬账購购趨趋車车軟软較较輕轻輯辑輸输轉转辦办這这連连週周進进遊游運运過过達达遠远適适遷迁選选遺遗還还鄰邻銷销錄录 \
                     錯错録录鍵键鎖锁鏈链鐵铁長长開开間间閤合閱阅關关隊队階阶隨随險险隱隐隻只雖虽雙双雲云電电靜静響响頁页項项順顺須须預预領领題题額额類类顧顾顯显風风養养饋馈馬马驗验驟骤體体髮发魚鱼鳥鸟麼么點点齣出龍龙";

static SIMPLIFIED: LazyLock<FxHashMap<char, char>> = LazyLock::new(|| {
    let signs: Vec<char> = PAIRS.chars().filter(|sign| *sign != ' ').collect();
    signs.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
});

fn simplified_sign(sign: char) -> char {
    match sign {
        '\u{4e00}'..='\u{9fff}' => SIMPLIFIED.get(&sign).copied().unwrap_or(sign),
        _ => sign,
    }
}

/// A text in simplified signs, of the same length. One with kana is Japanese, and stays.
pub(super) fn simplified(text: &str) -> Cow<'_, str> {
    let is_kana = |sign: char| matches!(sign, '\u{3040}'..='\u{30ff}');
    match text.chars().any(|sign| simplified_sign(sign) != sign) && !text.chars().any(is_kana) {
        true => text.chars().map(simplified_sign).collect(),
        false => Cow::Borrowed(text),
    }
}
