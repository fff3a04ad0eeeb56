//! A use of something that its declaration marks as deprecated.

use indexmap::IndexMap;

use crate::{
    check::{Problem, Rule, custom_fields, input::Input, machines, references},
    model::{ComponentSpec, FieldPath, FieldSpec, FieldType, Finding, Location, Name, Trigger, Value},
};

pub(super) const RULE: Rule = Rule {
    name: "deprecated",
    doc: "A component, field, message, action or condition is used that should not be any more.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let mut find = |at: Location, name: String, why: &Option<String>| {
        if let Some(why) = why {
            out.push(Problem::new(Finding::warning(RULE.name, at, format!("`{name}` is deprecated: {why}"))));
        }
    };
    let schema = input.schema();
    // Most schemas declare nothing deprecated; nor do most components of those that do.
    for (component, spec) in schema.components.iter().filter(|(_, spec)| has_deprecated(spec)) {
        for (declarer, declared) in input.declared(component) {
            let path = declarer.at(declared.op, component);
            let at = |path| Location::key(declarer.owner.doc().clone(), path);
            if spec.deprecated.is_some() {
                find(at(path.clone()), component.to_string(), &spec.deprecated);
            }
            let declared = declared.fields.iter().map(|(name, value)| (name, Some(value)));
            in_fields(&spec.fields, declared, component, &mut |name, why, inner| {
                find(at(path.join(inner)), name, why);
            });
        }
    }
    custom_fields::each(input, &mut |holder| {
        let declared = holder.fields.iter().map(|(name, value)| (name, Some(value)));
        in_fields(holder.of.specs(schema), declared, holder.of.noun(), &mut |name, why, inner| {
            find(Location::key(holder.doc.clone(), holder.at.join(inner)), name, why);
        });
    });
    for site in &input.calls {
        let specs = if site.is_condition { &schema.conditions } else { &schema.actions };
        let Some(spec) = specs.get(&site.call.name) else { continue };
        find(site.location(), site.call.name.to_string(), &spec.deprecated);
        let declared = site.call.args.iter().map(|(name, value)| (name, Some(value)));
        in_fields(&spec.args, declared, &site.call.name, &mut |name, why, inner| {
            let path = site.at.join(inner);
            find(Location::key(site.machine.doc.clone(), path), name, why);
        });
    }
    let mut name = |ty: &FieldType, name: &str, at: &dyn Fn() -> Location| {
        let spec = if *ty == FieldType::Message { schema.messages.get(name) } else { None };
        if let Some(spec) = spec.filter(|spec| spec.deprecated.is_some()) {
            find(at(), name.to_owned(), &spec.deprecated);
        }
    };
    references::argument_names(input, &mut |argument| name(argument.ty, argument.name, &|| argument.location()));
    references::declared_names(input, &mut |declared| name(declared.ty, declared.name, &|| declared.location()));
    for machine in &input.machines {
        for state in machines::states(*machine) {
            let mut answer = |message: &Name, at: Location| {
                if let Some(spec) = schema.messages.get(message) {
                    find(at, message.to_string(), &spec.deprecated);
                }
            };
            for message in state.state.on.keys() {
                answer(message, Location::key(machine.doc.clone(), state.at.key("on").key(message)));
            }
            for (i, transition) in state.state.transitions.iter().enumerate() {
                if let Trigger::On(message) = &transition.trigger {
                    let at = state.at.key("transitions").index(i).key("on");
                    answer(message, Location::new(machine.doc.clone(), at));
                }
            }
        }
    }
}

/// Whether a component or anything in it is deprecated.
fn has_deprecated(spec: &ComponentSpec) -> bool {
    fn inside(ty: &FieldType) -> bool {
        match ty {
            FieldType::Struct(specs) => specs.values().any(declared),
            FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => inside(inner),
            _ => false,
        }
    }
    fn declared(spec: &FieldSpec) -> bool {
        spec.deprecated.is_some() || inside(&spec.ty)
    }
    spec.deprecated.is_some() || spec.fields.values().any(declared)
}

/// Call `meet` for every deprecated field that is declared, including those inside structs.
fn in_fields<'v>(
    specs: &IndexMap<Name, FieldSpec>,
    declared: impl Iterator<Item = (&'v Name, Option<&'v Value>)>,
    whose: &str,
    meet: &mut dyn FnMut(String, &Option<String>, &FieldPath),
) {
    for (name, value) in declared {
        let Some(spec) = specs.get(name) else { continue };
        let path = FieldPath::keys([name]);
        let whole = format!("{whose}.{name}");
        if spec.deprecated.is_some() {
            meet(whole.clone(), &spec.deprecated, &path);
        }
        if let Some(value) = value {
            in_value(&spec.ty, value, &whole, &path, meet);
        }
    }
}

fn in_value(
    ty: &FieldType,
    value: &Value,
    whose: &str,
    at: &FieldPath,
    meet: &mut dyn FnMut(String, &Option<String>, &FieldPath),
) {
    match (ty, value) {
        (FieldType::Struct(specs), Value::Struct(fields)) => {
            let declared = fields.iter().map(|(name, value)| (name, Some(value)));
            in_fields(specs, declared, whose, &mut |name, why, inner| {
                meet(name, why, &at.join(inner));
            });
        }
        (FieldType::List(item), Value::List(items)) => {
            for (i, value) in items.iter().enumerate() {
                in_value(item, value, whose, &at.index(i), meet);
            }
        }
        (FieldType::Map(item), Value::Map(entries)) => {
            for (key, value) in entries {
                in_value(item, value, whose, &at.key(key.as_str().unwrap_or_default()), meet);
            }
        }
        (FieldType::Option(inner), _) => {
            // `Some(…)` does not count as a step of the path.
            if let Some(content) = value.as_option().filter(|content| !std::ptr::eq(*content, value)) {
                in_value(inner, content, whose, at, meet);
            } else if !value.is_none() {
                in_value(inner, value, whose, at, meet);
            }
        }
        _ => {}
    }
}
