//! A constant outside its own range, or of another type than the built-in one it replaces.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{FieldPath, Finding, Location, Tunable, Value},
};

pub(super) const RULE: Rule = Rule {
    name: "tuning-out-of-range",
    doc: "A constant is outside its range, or of another type than the built-in one it replaces.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, page) in input.pages() {
        let built_in = input.resolution.builtin().tuning.iter().find(|built_in| built_in.page == page.page);
        for (name, declared) in &page.values {
            let at = Location::new(doc.clone(), FieldPath::keys(["values", name, "value"]));
            let default = built_in.and_then(|page| page.values.get(name));
            let put = |label: String, value: Value| {
                Fix::new(label, Edit::Set { doc: doc.clone(), at: at.path.clone(), data: value.into() })
            };
            if let Some(default) = default.filter(|default| !alike(&default.value, &declared.value)) {
                let message = format!(
                    "`{}.{name}` is {}, and the preview expects {}",
                    page.page,
                    declared.value.kind(),
                    default.value.kind()
                );
                // For an edit, a constant of another type is another constant: it is replaced as a whole.
                let tunable = Tunable { value: default.value.clone(), ..declared.clone() };
                let edit = Edit::set_at(doc, FieldPath::keys(["values", name]), &tunable);
                let fix = Fix::new(format!("Use {}, the built-in value", default.value), edit);
                out.push(Problem::new(Finding::error(RULE.name, at, message)).with([fix]));
                continue;
            }
            let min = declared.min.or(default.and_then(|default| default.min));
            let max = declared.max.or(default.and_then(|default| default.max));
            let near = super::out_of_range::nearest(&declared.value, min, max);
            if near != declared.value && min.zip(max).is_none_or(|(min, max)| min <= max) {
                let unit = declared.unit.as_deref().or_else(|| default?.unit.as_deref());
                let unit = unit.map(|unit| format!(" {unit}")).unwrap_or_default();
                let message = format!(
                    "`{}.{name}` is {}{unit}, outside its range; the nearest allowed is {near}{unit}",
                    page.page, declared.value
                );
                let fix = put(format!("Use {near}, the nearest allowed"), near);
                out.push(Problem::new(Finding::error(RULE.name, at, message)).with([fix]));
            } else if let Some((min, max)) = min.zip(max).filter(|(min, max)| min > max) {
                let message = format!("the smallest allowed, {min}, is above the largest, {max}");
                out.push(Problem::new(Finding::error(RULE.name, at, message)));
            }
        }
    }
}

fn alike(a: &Value, b: &Value) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b) || a.as_f64().is_some() && b.as_f64().is_some()
}
