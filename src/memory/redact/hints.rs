//! Where a secret can begin: one scan of the whole text for the beginnings below.
//!
//! Ordinary prose has a beginning every few hundred bytes, so this scan is what redaction costs. Of the first three bytes
//! of a beginning two lie in one of the text's even pairs, wherever it stands: so one look-up for every two bytes, and the
//! byte behind them, settles almost every position, and one more for the pair beside them nearly all of the rest (`regex`
//! and `aho-corasick`, which for this many beginnings give up their vector search, need several times as long).

use std::ops::Range;
use std::sync::LazyLock;

use super::shapes::{SHAPES, Shape, Special};
use super::words::Word;

/// What a beginning calls for.
#[derive(Clone, Copy)]
pub(super) enum Hint {
    /// A token known by its prefix.
    Shape(&'static Shape),
    /// A token or address with more to it than a prefix and a length.
    Special(Special),
    /// A word that may announce a secret.
    Word(Word),
    /// The armour of a private key.
    Block,
    /// Twilio's keys are plain enough that they count only in a text that speaks of it.
    Twilio,
}

/// Words in Latin script, found in lower case, Capitalized and in CAPITALS.
const LATIN: &[(&str, Hint)] = &[
    ("pass", Hint::Word(Word::Pass)),
    ("pwd", Hint::Word(Word::Password)),
    ("pw:", Hint::Word(Word::ShortPassword)),
    ("pw=", Hint::Word(Word::ShortPassword)),
    ("kennwort", Hint::Word(Word::Password)),
    ("wachtwoord", Hint::Word(Word::Password)),
    ("senha", Hint::Word(Word::Password)),
    ("contrase", Hint::Word(Word::Password)),
    ("secret", Hint::Word(Word::Secret)),
    ("credential", Hint::Word(Word::Secret)),
    ("schlüssel", Hint::Word(Word::Secret)),
    ("key", Hint::Word(Word::Key)),
    ("token", Hint::Word(Word::Token)),
    ("sig=", Hint::Word(Word::Signature)),
    ("mnemonic", Hint::Word(Word::Phrase)),
    ("seed phrase", Hint::Word(Word::Phrase)),
    ("recovery phrase", Hint::Word(Word::Phrase)),
    ("bearer", Hint::Special(Special::Bearer)),
    ("authorization", Hint::Special(Special::Authorization)),
    ("twilio", Hint::Twilio),
];

/// Words and marks that are written in one way.
const EXACT: &[(&str, Hint)] = &[
    ("парол", Hint::Word(Word::Password)),
    ("Парол", Hint::Word(Word::Password)),
    ("ПАРОЛ", Hint::Word(Word::Password)),
    ("密码", Hint::Word(Word::Password)),
    ("密碼", Hint::Word(Word::Password)),
    ("口令", Hint::Word(Word::Password)),
    ("パスワード", Hint::Word(Word::Password)),
    ("パスコード", Hint::Word(Word::Password)),
    ("暗証番号", Hint::Word(Word::Password)),
    ("비밀번호", Hint::Word(Word::Password)),
    ("비번", Hint::Word(Word::Password)),
    ("암호", Hint::Word(Word::Password)),
    ("密钥", Hint::Word(Word::Secret)),
    ("密鑰", Hint::Word(Word::Secret)),
    ("秘钥", Hint::Word(Word::Secret)),
    ("金鑰", Hint::Word(Word::Secret)),
    ("令牌", Hint::Word(Word::Secret)),
    ("トークン", Hint::Word(Word::Secret)),
    ("キー", Hint::Word(Word::Secret)),
    ("토큰", Hint::Word(Word::Secret)),
    ("키", Hint::Word(Word::Secret)),
    ("токен", Hint::Word(Word::Secret)),
    ("Токен", Hint::Word(Word::Secret)),
    ("ключ", Hint::Word(Word::Secret)),
    ("Ключ", Hint::Word(Word::Secret)),
    ("://", Hint::Special(Special::Url)),
    ("eyJ", Hint::Special(Special::Jwt)),
    ("xox", Hint::Special(Special::Slack)),
    ("hooks.slack.com/", Hint::Special(Special::Webhook)),
    ("api/webhooks/", Hint::Special(Special::Webhook)),
    ("SG.", Hint::Special(Special::SendGrid)),
    ("curl", Hint::Special(Special::Curl)),
    ("AKIA", Hint::Special(Special::Aws)),
    ("ASIA", Hint::Special(Special::Aws)),
    ("ABIA", Hint::Special(Special::Aws)),
    ("ACCA", Hint::Special(Special::Aws)),
    ("-----BEGIN ", Hint::Block),
    ("---- BEGIN ", Hint::Block),
    ("-----END ", Hint::Block),
    ("PuTTY-User-Key-File", Hint::Block),
];

struct Table {
    /// For two bytes that are the first two, or the second and the third, of a beginning: one bit for each value that the low
    /// three bits of the byte behind them may have. Behind a beginning of three bytes any byte may stand.
    behind: Box<[u8; 1 << 16]>,
    /// For the first byte, the beginnings, longest first.
    beginnings: Vec<Vec<(Vec<u8>, Hint)>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table {
        behind: Box::new([0; 1 << 16]),
        beginnings: vec![Vec::new(); 256],
    };
    for &(word, hint) in LATIN {
        let mut capitalized = word.to_owned();
        capitalized[..1].make_ascii_uppercase();
        for spelling in [word.to_owned(), capitalized, word.to_uppercase()] {
            table.add(spelling.into_bytes(), hint);
        }
    }
    for &(word, hint) in EXACT {
        table.add(word.as_bytes().to_vec(), hint);
    }
    for shape in SHAPES {
        table.add(shape.prefix.as_bytes().to_vec(), Hint::Shape(shape));
    }
    for same_start in &mut table.beginnings {
        same_start.sort_by_key(|(beginning, _)| std::cmp::Reverse(beginning.len()));
    }
    table
});

impl Table {
    /// Every beginning has at least three bytes.
    fn add(&mut self, beginning: Vec<u8>, hint: Hint) {
        let fourth = beginning.get(3).map_or(u8::MAX, |fourth| bit(*fourth));
        self.behind[place([beginning[0], beginning[1]])] |= bit(beginning[2]);
        self.behind[place([beginning[1], beginning[2]])] |= fourth;
        self.beginnings[usize::from(beginning[0])].push((beginning, hint));
    }

    /// Whether the two bytes at a place and the one behind them may be part of a beginning.
    fn may_be_part(&self, bytes: &[u8], at: usize) -> bool {
        let pair = bytes.get(at..).and_then(<[u8]>::first_chunk);
        let behind = bytes.get(at + 2).copied().unwrap_or_default();
        pair.is_some_and(|pair| self.behind[place(*pair)] & bit(behind) != 0)
    }

    /// The next place at `from` or behind it whose first four bytes look like those of a beginning.
    fn next_candidate(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let looks = |at: &usize| self.may_be_part(bytes, *at) && self.may_be_part(bytes, at + 1);
        let mut even = from;
        loop {
            let (pairs, _) = bytes.get(even..)?.as_chunks::<2>();
            let next = pairs
                .windows(2)
                .position(|pairs| self.behind[place(pairs[0])] & bit(pairs[1][0]) != 0);
            let Some(next) = next else {
                // Only the last pair and what is left of another were not looked at.
                return (from.max(bytes.len().saturating_sub(4))..bytes.len()).find(looks);
            };
            even += 2 * next;
            // The pair may be the first two bytes, or the last two of three.
            let earlier = even.checked_sub(1).filter(|earlier| *earlier >= from);
            if let Some(found) = earlier.into_iter().chain([even]).find(looks) {
                return Some(found);
            }
            even += 2;
        }
    }
}

/// The place of a pair in the table: its two bytes as they are loaded.
fn place(pair: [u8; 2]) -> usize {
    usize::from(u16::from_le_bytes(pair))
}

/// The bit that stands for a byte behind a pair.
fn bit(byte: u8) -> u8 {
    1 << (byte & 7)
}

/// Every place where a secret can begin, in order. A beginning inside another one is not reported.
pub(super) fn all(text: &str) -> impl Iterator<Item = (Hint, Range<usize>)> + '_ {
    let bytes = text.as_bytes();
    let table = &*TABLE;
    let mut from = 0;
    std::iter::from_fn(move || {
        while let Some(at) = table.next_candidate(bytes, from) {
            let same_start = &table.beginnings[usize::from(bytes[at])];
            if let Some((beginning, hint)) = same_start
                .iter()
                .find(|(it, _)| it[1] == bytes[at + 1] && bytes[at..].starts_with(it))
            {
                from = at + beginning.len();
                return Some((*hint, at..from));
            }
            from = at + 1;
        }
        from = bytes.len();
        None
    })
}
