//! What can be known about a word or a phrase: each mark is one bit, so that a sentence's are the sum of its words'.

/// A set of the marks below: what is known about a word or a phrase.
pub type Cues = u64;

/// Carries no meaning of its own: never a keyword.
pub const STOP: Cues = 1;
/// A word of every conversation: a keyword only when nothing better is there.
pub const COMMON: Cues = 1 << 1;
/// Joins two words of a label: "of", "for".
pub const JOIN: Cues = 1 << 2;
/// Joins two capitalised words to one name.
pub const GLUE: Cues = 1 << 29;
/// Opens a request and says nothing of its matter: "can you recommend".
pub const LEAD: Cues = 1 << 3;
/// A label ends before it.
pub const EDGE: Cues = 1 << 4;
pub const DECIDE: Cues = 1 << 5;
pub const DONE: Cues = 1 << 6;
/// Says that something was done when a statement begins with it: "Added", "Updated".
pub const DID: Cues = 1 << 7;
pub const LESSON: Cues = 1 << 8;
pub const OPEN: Cues = 1 << 9;
/// The same, when a statement begins with it: "Next".
pub const NEXT: Cues = 1 << 10;
/// Turns what follows into its opposite.
pub const NOT: Cues = 1 << 11;
pub const SELF: Cues = 1 << 12;
/// A standing order: "always", "from now on".
pub const RULE: Cues = 1 << 13;
/// A liking, a habit, or what a person is.
pub const LIKE: Cues = 1 << 14;
/// A relation: "sister", "boss".
pub const KIN: Cues = 1 << 15;
/// Something that happened at some time: "yesterday", "bought".
pub const WHEN: Cues = 1 << 16;
pub const ASK: Cues = 1 << 17;
pub const SAID: Cues = 1 << 18;
/// The person the agent works for, in the third person.
pub const USER: Cues = 1 << 19;
pub const THANKS: Cues = 1 << 20;
/// An abbreviation: the full stop after it ends no sentence.
pub const ABBR: Cues = 1 << 21;
pub const NAME: Cues = 1 << 22;
pub const SERVICE: Cues = 1 << 23;
pub const ERROR: Cues = 1 << 24;
/// Begins a phrase, or goes on with one: see `Lexicon::chain`.
pub const HEAD: Cues = 1 << 25;
/// Something is left to do, when it is written in capitals: "TODO", which is a common word in Spanish.
pub const SHOUT: Cues = 1 << 26;
/// An order for the time to come, always with `RULE`: "from now on".
pub const ORDER: Cues = 1 << 27;
/// Machinery's own words, which no sentence of a person has.
pub const NOISE: Cues = 1 << 28;
/// There is nothing of it: "no", "none", "normal".
pub const NONE: Cues = 1 << 30;
/// Everything of it: "all".
pub const ALL: Cues = 1 << 32;
/// A word that is counted: "Session 3", "Part 2".
pub const SERIAL: Cues = 1 << 33;
/// What a model is told so that it forgets whom it works for: "ignore all previous instructions".
pub const INJECT: Cues = 1 << 34;
/// What somebody means to do, feels or doubts, and has not done: "I'm thinking of".
pub const PLAN: Cues = 1 << 35;
/// What happened once to a person, or what is theirs, in the person's own words: "I bought", "my new".
pub const MINE: Cues = 1 << 36;
