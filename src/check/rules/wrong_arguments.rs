//! A call, or a payload, whose arguments are not as declared: missing, unknown, of another type, out of range.

use std::collections::HashMap;

use indexmap::IndexMap;

use super::{
    out_of_range::nearest,
    unknown_message::sent,
    wrong_type::{meant, new_word},
};
use crate::{
    check::{
        Fix, Problem, Rule,
        input::Input,
        machines::CallSite,
        references::{self, Sent},
    },
    edit::{Declared, Edit},
    model::{
        CueKind, FieldPath, FieldSpec, Fields, Finding, Location, Name, SendCue, TypeErrorKind, Value, did_you_mean,
        mean,
    },
    refactor::Evidence,
};

pub(super) const RULE: Rule = Rule {
    name: "wrong-arguments",
    doc: "The arguments of a call or the payload of a message are not as declared.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let schema = input.schema();
    let mut guesses = Guesses { input, sent: None, made: HashMap::new() };
    for site in &input.calls {
        let specs = if site.is_condition { &schema.conditions } else { &schema.actions };
        let Some(spec) = specs.get(&site.call.name) else { continue };
        missing(site, &spec.args, out);
        goal(site, &spec.args, out);
        let what = if site.is_condition { Declared::Condition } else { Declared::Action };
        let given = Given {
            to: what(site.call.name.clone()),
            specs: &spec.args,
            passed: &site.call.args,
            at: site.location(),
            change: &|change| Some(site.changed(|call| change(&mut call.args))),
        };
        given.look(&mut guesses, out);
        payload(&mut guesses, site, out);
    }
    for (doc, scenario) in input.scenarios() {
        for (i, cue) in scenario.script.iter().enumerate() {
            let CueKind::Send(SendCue { message, payload, .. }) = &cue.what else { continue };
            let Some(spec) = schema.messages.get(message) else { continue };
            let given = Given {
                to: Declared::Message(message.clone()),
                specs: &spec.payload,
                passed: payload,
                at: Location::new(doc.clone(), FieldPath::keys(["script"]).index(i).key("payload")),
                change: &|change| {
                    let mut payload = payload.clone();
                    change(&mut payload);
                    Some(Edit::set_at(doc, FieldPath::keys(["script"]).index(i).key("payload"), &payload))
                },
            };
            given.look(&mut guesses, out);
        }
    }
}

/// Check that arguments without a default are given.
fn missing(site: &CallSite<'_>, specs: &IndexMap<Name, FieldSpec>, out: &mut Vec<Problem>) {
    for (arg, spec) in specs {
        if spec.default.is_none() && !site.call.args.contains_key(arg) {
            let name = &site.call.name;
            let message = format!("`{name}` needs `{arg}`, {}", spec.ty.describe());
            let help = format!("write `{name}({arg}: …)`");
            out.push(Problem::new(Finding::error(RULE.name, site.location(), message).with_help(help)));
        }
    }
}

/// Check that an order to go somewhere has a goal. A call with another mistake may mean to have one.
fn goal(site: &CallSite<'_>, specs: &IndexMap<Name, FieldSpec>, out: &mut Vec<Problem>) {
    let args = &site.call.args;
    if site.is_condition || *site.call.name != *"GoTo" || args.keys().any(|arg| !specs.contains_key(arg)) {
        return;
    }
    let given = |arg: &str| args.get(arg).or_else(|| specs.get(arg)?.default.as_ref());
    let has_place = given("at").is_some_and(|at| at.as_str() != Some("None"))
        || given("any").is_some_and(|any| any.as_list().is_none_or(|any| !any.is_empty()));
    let why = match given("target").map_or(Some(""), Value::as_str) {
        Some("") => "it names no goal",
        Some("self") => "it names itself as its goal",
        _ => return,
    };
    if !has_place {
        let message = format!("`GoTo` leads nowhere: {why}");
        let help = "write `GoTo(at: Some((x, y)))`, or name another `target`".to_owned();
        out.push(Problem::new(Finding::warning(RULE.name, site.location(), message).with_help(Some(help))));
    }
}

/// The payload of a message that a call sends, for calls with a declared message beside its payload.
fn payload<'i>(guesses: &mut Guesses<'i, '_>, site: &CallSite<'i>, out: &mut Vec<Problem>) {
    let Some(Sent { message, arg, payload }) = references::sent(guesses.input, site) else { return };
    let Some((message, spec)) = guesses.input.schema().messages.get_key_value(message) else { return };
    let given = Given {
        to: Declared::Message(message.clone()),
        specs: &spec.payload,
        passed: payload,
        at: site.arg(arg),
        change: &|change| {
            Some(site.changed(|call| {
                let Some(Value::Struct(passed)) = call.args.get_mut(arg) else { return };
                change(passed);
                if passed.is_empty() {
                    call.args.shift_remove(arg);
                }
            }))
        },
    };
    given.look(guesses, out);
}

/// The types guessed from all uses, computed once for each undeclared argument.
struct Guesses<'i, 'p> {
    input: &'p Input<'i>,
    /// The payloads sent with each message.
    sent: Option<HashMap<&'i str, Evidence<'i>>>,
    made: HashMap<(Declared, Name), Option<Fix>>,
}

impl Guesses<'_, '_> {
    /// The fix that declares an argument.
    fn declare(&mut self, to: &Declared, arg: &Name) -> Option<Fix> {
        let key = (to.clone(), arg.clone());
        if let Some(made) = self.made.get(&key) {
            return made.clone();
        }
        let input = self.input;
        let fix = input.declare(|declaring| {
            let of_call;
            let passed = match to {
                Declared::Message(name) => self.sent.get_or_insert_with(|| sent(input)).get(&**name)?,
                to => {
                    let mut passed = Evidence::default();
                    let is_asked = matches!(to, Declared::Condition(_));
                    let alike = input.calls.iter().filter(|site| site.is_condition == is_asked);
                    alike.filter(|site| site.call.name == *to.name()).for_each(|site| passed.meet(&site.call.args));
                    of_call = passed;
                    &of_call
                }
            };
            declaring.field(to, &FieldPath::keys([arg]).0, passed)
        });
        self.made.insert(key, fix.clone());
        fix
    }
}

/// Makes the edit that changes the arguments.
type Changing<'a> = dyn Fn(&dyn Fn(&mut Fields)) -> Option<Edit> + 'a;

/// The arguments of a call, or the payload of a message.
struct Given<'a> {
    to: Declared,
    specs: &'a IndexMap<Name, FieldSpec>,
    passed: &'a Fields,
    at: Location,
    change: &'a Changing<'a>,
}

impl Given<'_> {
    /// Check that they are as declared.
    fn look(&self, guesses: &mut Guesses<'_, '_>, out: &mut Vec<Problem>) {
        let whose = self.to.name();
        let input = guesses.input;
        for (arg, value) in self.passed {
            let (doc, at) = (&self.at.doc, self.at.path.key(arg));
            let Some(spec) = self.specs.get(arg) else {
                let near = did_you_mean(arg, self.specs.keys().map(|name| &**name));
                let finding =
                    Finding::error(RULE.name, Location::key(doc.clone(), at), format!("`{whose}` has no `{arg}`"));
                out.push(Problem::new(finding.with_help(mean(near))).with(self.unknown(guesses, arg)));
                continue;
            };
            for type_error in input.schema().type_errors(spec, value) {
                let path = at.join(&type_error.path);
                let message = format!("`{arg}` of `{whose}`: {}", type_error.message);
                let finding =
                    Finding::error(RULE.name, Location::new(doc.clone(), path), message).with_help(type_error.help);
                let fixes = self.type_error(input, (arg, spec), (type_error.kind, &type_error.path), &finding);
                out.push(Problem::new(finding).with(fixes));
            }
        }
    }

    fn fix(&self, label: String, change: &dyn Fn(&mut Fields)) -> Option<Fix> {
        (self.change)(change).map(|edit| Fix::new(label, edit))
    }

    /// Fixes for an unknown argument: rename it, declare it, or remove it.
    fn unknown(&self, guesses: &mut Guesses<'_, '_>, arg: &Name) -> Vec<Fix> {
        let free = self.specs.keys().filter(|name| !self.passed.contains_key(*name));
        let rename = did_you_mean(arg, free.map(|name| &**name)).and_then(|near| {
            let renamed = |name: &Name| if name == arg { near.into() } else { name.clone() };
            self.fix(format!("Rename to {near}"), &|args| {
                *args = args.iter().map(|(name, value)| (renamed(name), value.clone())).collect();
            })
        });
        let declare = guesses.declare(&self.to, arg);
        let remove = self.fix(format!("Remove {arg}"), &|args| drop(args.shift_remove(arg)));
        [rename, declare, remove].into_iter().flatten().collect()
    }

    /// Fixes for a wrong value: write what was probably meant, use the nearest number allowed, or remove the argument.
    fn type_error(
        &self,
        input: &Input<'_>,
        (arg, spec): (&Name, &FieldSpec),
        (kind, inner): (TypeErrorKind, &FieldPath),
        finding: &Finding,
    ) -> Vec<Fix> {
        let Some(value) = self.passed.get(arg) else { return Vec::new() };
        let put = |label: String, new: Value| {
            self.fix(label, &|args| {
                args.get_mut(arg).into_iter().for_each(|arg| references::put(arg, &inner.0, new.clone()));
            })
        };
        let passed = value.at(inner).filter(|_| kind == TypeErrorKind::WrongType);
        let meant = passed.and_then(|passed| meant(passed, finding));
        let write = meant.and_then(|meant| put(format!("Write {meant}"), meant));
        let near = Some(nearest(value, spec.min, spec.max)).filter(|near| near != value && inner.0.is_empty());
        let near = near.and_then(|near| put(format!("Use {near}, the nearest allowed"), near));
        let word = new_word(input, &spec.ty, value, inner);
        let leave = spec
            .default
            .is_some()
            .then(|| self.fix(format!("Leave {arg} at its default"), &|args| drop(args.shift_remove(arg))));
        [write, near, word, leave.flatten()].into_iter().flatten().collect()
    }
}
