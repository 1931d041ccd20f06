//! Conversations get the name of what they are about.

use crate::memory::calendar::Day;
use crate::memory::statement::read;

const TALK: &str = "# 2026-03-02\n
## Session 1f0c_2\n
User: My rain barrel leaks at the tap. What should I do about the rain barrel?
Assistant: A rain barrel mostly leaks at the seal. Tighten the tap of the rain barrel, then wrap the thread.
User: I paid 40 crowns for the rain barrel at Granberg last week.\n
## Session 77ab_1\n
User: Which choir pieces suit a small choir? I sing in a choir in Visby.
Assistant: A small choir may sing madrigals. Ask the choir leader.
User: Thanks, our choir meets on Sundays.\n";

fn themes(text: &str) -> Vec<String> {
    read(Day::parse("2026-03-02").expect("a day"), None, text).themes
}

#[test]
fn a_conversation_is_named_by_what_both_come_back_to() {
    assert_eq!(themes(TALK), ["rain barrel", "choir"]);
    let told = read(Day::parse("2026-03-02").expect("a day"), None, TALK).statements;
    let under = |text: &str| told.iter().find(|told| told.text.contains(text)).map(|told| told.heads.clone());
    assert_eq!(under("Granberg"), Some(vec!["rain barrel".to_owned()]));
    assert_eq!(under("Sundays"), Some(vec!["choir".to_owned()]));
}

#[test]
fn a_conversation_is_named_in_its_commonest_spelling() {
    let talk = TALK.replace("rain barrel", "Regentonne").replace("choir", "Granberg");
    assert_eq!(themes(&talk), ["Regentonne", "Granberg"]);
    let talk = "# Session 1\n\nUser: поливомат течёт\nAssistant: Почините поливомат.\n\
                User: нет другого поливомата\nAssistant: У поливомата есть прокладка, без поливомата сухо.\n";
    assert_eq!(themes(talk), ["поливомата"]);
}

#[test]
fn two_words_that_are_often_said_together_are_one_name() {
    let talk = "# Session 1\n\nUser: How is the battery life of an old drone? Another battery costs 40 crowns.\n\
                Assistant: The battery life of a drone falls with the cold. Charge the battery slowly. Battery life differs.\n";
    assert_eq!(themes(talk), ["battery life"]);
    // "Life" alone is too common to name anything, and "best" may stand before anything.
    assert_eq!(themes(&talk.replace("battery life", "best battery")), ["battery"]);
}

#[test]
fn what_has_a_heading_or_no_person_keeps_what_it_has() {
    assert!(
        themes(
            &TALK
                .replace("Session 1f0c_2", "Garden")
                .replace("Session 77ab_1", "Choir of Visby")
        )
        .is_empty()
    );
    assert!(
        themes("## Notes\n\n- the rain barrel leaks\n- rain barrel sealed\n- rain barrel full\n").is_empty()
    );
}
