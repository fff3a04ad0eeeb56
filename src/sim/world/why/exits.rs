//! The transitions of a state, and the entities that a target refers to, as text: for the explanation of why an entity
//! stands still.

use crate::sim::behavior::{Guard, MsgId, Program, Question, Symbols, Target};

/// What a target refers to, as written in data.
pub(in crate::sim::world) fn target_text(target: &Target) -> String {
    match target {
        Target::Any => "no particular target".to_owned(),
        Target::Me => "itself".to_owned(),
        Target::Sender => "the sender of a message".to_owned(),
        Target::Tag(tag) => format!("tag:{tag}"),
        Target::Def(def) => format!("def:{def}"),
        Target::Name(name) => name.to_string(),
    }
}

/// The transitions of a state, in the order in which they are tried: `Hunt when it sees player within 112 px`.
pub(super) fn exits_text(program: &Program, state: u16, symbols: &Symbols) -> Vec<String> {
    let exits = program.exits(state).into_iter();
    exits.map(|(message, secs, guard, to)| exit_text(symbols, (message, secs), guard, to)).collect()
}

fn exit_text(symbols: &Symbols, (message, secs): (MsgId, f64), guard: Option<&Guard>, to: &str) -> String {
    let to = if to.is_empty() { "the root" } else { to };
    let condition = guard.map(guard_text);
    match message {
        MsgId::UPDATE => format!("{to} when {}", condition.unwrap_or_else(|| "a tick passes".to_owned())),
        MsgId::AFTER => {
            let only = condition.map(|condition| format!(" if {condition}")).unwrap_or_default();
            format!("{to} {} s after it was entered{only}", short(secs))
        }
        message => {
            let only = condition.map(|condition| format!(" if {condition}")).unwrap_or_default();
            format!("{to} on {}{only}", symbols.name(message))
        }
    }
}

fn guard_text(guard: &Guard) -> String {
    let list = |all: &[Guard], word: &str| all.iter().map(guard_text).collect::<Vec<_>>().join(word);
    match guard {
        Guard::Ask(question) => question_text(question),
        Guard::All(all) if all.is_empty() => "always".to_owned(),
        Guard::All(all) => list(all, " and "),
        Guard::Any(all) if all.is_empty() => "never".to_owned(),
        Guard::Any(all) => list(all, " or "),
        Guard::Not(not) => format!("not ({})", guard_text(not)),
        Guard::Never => "never: its condition cannot be read".to_owned(),
    }
}

fn question_text(question: &Question) -> String {
    match question {
        Question::CanSee { target, range } => {
            format!("it sees {} within {} px", target_text(target), short(f64::from(*range)))
        }
        Question::Within { target, range } => {
            format!("{} is within {} px", target_text(target), short(f64::from(*range)))
        }
        Question::LifeBelow { percent } => format!("its life is below {} %", short(*percent)),
        Question::FieldBelow { field, value } => format!("{field} is below {}", short(*value)),
        Question::FieldAbove { field, value } => format!("{field} is above {}", short(*value)),
        Question::Hysteresis { field, low, high, .. } => {
            format!("{field} is at {} or above, until it is below {}", short(*high), short(*low))
        }
        Question::Touching { target: Target::Any } => "it touches something".to_owned(),
        Question::Touching { target } => format!("it touches {}", target_text(target)),
        Question::OnGround => "it stands on something".to_owned(),
        Question::Holds { action } => format!("its player holds {action}"),
        Question::ActionIs { action } => format!("the action is {action}"),
        Question::ReachedGoal => "it has reached its goal".to_owned(),
        Question::NoPath => "it finds no path".to_owned(),
        Question::InState { state, machine, .. } if machine.is_empty() => format!("it is in {state}"),
        Question::InState { state, machine, .. } => format!("{machine} is in {state}"),
        Question::Chance { percent } => format!("a random draw succeeds ({} % per tick)", short(*percent)),
        Question::Tagged { tag, target } => format!("{} has the tag {tag}", target_text(target)),
        Question::HasComponent { component, target } => format!("{} has {component}", target_text(target)),
        Question::FuzzyAbove { field, level, .. } => format!("the fuzzy value of {field} is above {}", short(*level)),
        Question::Other(call) => format!("{} (which the preview does not know)", call.name),
    }
}

/// Rounded to two decimals.
pub(super) fn short(x: f64) -> String {
    let rounded = (x * 100.0).round() / 100.0 + 0.0;
    rounded.to_string()
}
