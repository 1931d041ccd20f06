//! Traditional Chinese characters, read as the simplified ones when the word lists are asked.

use std::borrow::Cow;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// A traditional character and the simplified one, side by side: those of the lists' words, and others that headings have.
/// Both have three bytes in UTF-8, so that places in a text stay the same. Source: OpenCC's table of characters.
const PAIRS: &str = "\
    並并 佈布 併并 來来 俬私 個个 們们 備备 傳传 價价 優优 兒儿 內内 別别 刪删 則则 剛刚 創创 劃划 動动 務务 勢势 匯汇 區区 厭厌 \
    參参 問问 啟启 單单 嗎吗 噹当 嚴严 囑嘱 圍围 圖图 執执 報报 場场 壓压 媽妈 學学 實实 審审 寫写 寵宠 專专 對对 導导 層层 帳帐 \
    幫帮 幾几 廠厂 廣广 強强 後后 從从 復复 愛爱 態态 慣惯 憶忆 應应 戲戏 戶户 採采 換换 擇择 據据 敗败 數数 斷断 於于 時时 暫暂 \
    會会 査查 條条 業业 構构 標标 樣样 機机 檔档 檢检 權权 歡欢 歸归 殺杀 氣气 決决 沒没 況况 淨净 淩凌 測测 準准 溝沟 溫温 瀏浏 \
    為为 無无 熱热 營营 爲为 爺爷 狀状 獲获 現现 環环 產产 産产 畢毕 畫画 異异 當当 發发 盡尽 監监 盤盘 確确 碼码 種种 穩稳 筆笔 \
    節节 範范 築筑 簡简 簽签 糾纠 紀纪 約约 紅红 納纳 級级 細细 紹绍 終终 組组 結结 絕绝 絡络 給给 統统 絶绝 經经 綫线 維维 網网 \
    線线 緣缘 編编 縮缩 總总 績绩 繪绘 繼继 續续 義义 習习 職职 腦脑 腳脚 與与 興兴 萬万 蓋盖 薦荐 處处 號号 術术 裝装 裡里 製制 \
    覈核 規规 視视 親亲 覺觉 覽览 觀观 觸触 訂订 計计 訊讯 討讨 訓训 記记 訪访 設设 訴诉 診诊 註注 証证 評评 詞词 詢询 試试 話话 \
    該该 詳详 認认 語语 誤误 說说 説说 調调 請请 論论 謝谢 證证 識识 議议 護护 讀读 變变 讓让 貓猫 貨货 責责 買买 貿贸 資资 質质 \
    賬账 購购 趨趋 車车 軟软 較较 輕轻 輯辑 輸输 轉转 辦办 這这 連连 週周 進进 遊游 運运 過过 達达 遠远 適适 遷迁 選选 遺遗 還还 \
    鄰邻 銷销 錄录 錯错 録录 鍵键 鎖锁 鏈链 鐵铁 長长 開开 間间 閤合 閱阅 關关 隊队 階阶 隨随 險险 隱隐 隻只 雖虽 雙双 雲云 電电 \
    靜静 響响 頁页 項项 順顺 須须 預预 領领 題题 額额 類类 顧顾 顯显 風风 養养 饋馈 馬马 驗验 驟骤 體体 髮发 魚鱼 鳥鸟 麼么 點点 \
    齣出 龍龙";

static SIMPLIFIED: LazyLock<FxHashMap<char, char>> = LazyLock::new(|| {
    let pairs = PAIRS.split(' ').map(str::chars);
    pairs.filter_map(|mut pair| Some((pair.next()?, pair.next()?))).collect()
});

fn simplified_char(char: char) -> char {
    match char {
        '\u{4e00}'..='\u{9fff}' => SIMPLIFIED.get(&char).copied().unwrap_or(char),
        _ => char,
    }
}

/// A text in simplified characters, of the same length. One with kana is Japanese, and stays.
pub(super) fn simplified(text: &str) -> Cow<'_, str> {
    let is_kana = |char: char| matches!(char, '\u{3040}'..='\u{30ff}');
    match text.chars().any(|char| simplified_char(char) != char) && !text.chars().any(is_kana) {
        true => text.chars().map(simplified_char).collect(),
        false => Cow::Borrowed(text),
    }
}
