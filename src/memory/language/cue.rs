//! What can be known about a word or a phrase: each mark is one bit, so that a sentence's are the sum of its words'.

/// A set of the marks below: what is known about a word or a phrase.
pub type Cues = u64;

/// A mark each: its bit; the key of its words in the lists, if it has one, and the mark that goes with it.
macro_rules! cues {
    ($($(#[$doc:meta])* $name:ident = $bit:literal $(, $key:literal $(and $also:ident)?)?;)*) => {
        $($(#[$doc])* pub const $name: Cues = 1 << $bit;)*

        /// The marks that a key stands for; none for a key that is misspelled, which a test forbids.
        pub(super) fn cue_named(key: &str) -> Cues {
            match key {
                $($($key => $name $(| $also)?,)?)*
                _ => 0,
            }
        }
    };
}

cues! {
    /// Carries no meaning of its own: never a keyword.
    STOP = 0, "stop";
    /// A word of every conversation: a keyword only when nothing better is there.
    COMMON = 1, "common";
    /// Joins two words of a label: "of", "for".
    JOIN = 2, "join" and STOP;
    /// Joins two capitalised words to one name.
    GLUE = 29, "glue" and STOP;
    /// Opens a request and says nothing of its matter: "can you recommend".
    LEAD = 3, "lead";
    /// A label ends before it.
    EDGE = 4, "edge";
    DECIDE = 5, "decide";
    DONE = 6, "done";
    /// Says that something was done when a statement begins with it: "Added", "Updated".
    DID = 7, "did";
    LESSON = 8, "lesson";
    OPEN = 9, "open";
    /// The same, when a statement begins with it: "Next".
    NEXT = 10, "next";
    /// Turns what follows into its opposite.
    NOT = 11, "not";
    SELF = 12, "self";
    /// A standing order: "always", "from now on".
    RULE = 13, "rule";
    /// A liking, a habit, or what a person is.
    LIKE = 14, "like";
    /// A relation: "sister", "boss".
    KIN = 15, "kin";
    /// Something that happened at some time: "yesterday", "bought".
    WHEN = 16, "when";
    ASK = 17, "ask";
    SAID = 18, "said";
    /// The person the agent works for, in the third person.
    USER = 19, "user";
    THANKS = 20, "thanks";
    /// An abbreviation: the full stop after it ends no sentence.
    ABBR = 21, "abbr" and STOP;
    NAME = 22;
    SERVICE = 23;
    ERROR = 24;
    /// Begins a phrase, or goes on with one: see `Lexicon::chain`.
    HEAD = 25;
    /// Something is left to do, when it is written in capitals: "TODO", which is a common word in Spanish.
    SHOUT = 26, "shout";
    /// An order for the time to come, always with `RULE`: "from now on".
    ORDER = 27, "order" and RULE;
    /// Machinery's own words, which no sentence of a person has.
    NOISE = 28, "noise" and STOP;
    /// There is nothing of it: "no", "none", "normal".
    NONE = 30, "none";
    /// Everything of it: "all".
    ALL = 32, "all";
    /// A word that is counted: "Session 3", "Part 2".
    SERIAL = 33, "serial";
    /// What a model is told so that it forgets whom it works for: "ignore all previous instructions".
    INJECT = 34, "inject";
    /// Casts a model in a role, where a message begins with it: "act as a".
    CAST = 31, "cast";
    /// What somebody means to do, feels or doubts, and has not done: "I'm thinking of".
    PLAN = 35, "plan";
    /// What happened once to a person, or what is theirs, in the person's own words: "I bought", "my new".
    MINE = 36, "mine" and SELF;
    /// How what stands below a label is meant, when it is no plain fact: "expected", "options", "wrong".
    STANCE = 37, "stance";
    /// A statement that begins with it is told of what the one before it names: "this", "it", "instead".
    BACK = 38, "back";
    /// An order with it holds for a moment: "yet", "for now".
    MOMENT = 39, "moment";
    /// A look or a repetition of which nothing came, where a statement begins with it and says no more: "verified", "reran".
    ROUTINE = 40, "routine";
}
