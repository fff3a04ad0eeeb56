//! A field that is removed and set in the same place: the removal has no effect.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    defs::RemovePath,
    edit::Edit,
    model::{FieldType, Finding, Location, OpKind},
};

pub(super) const RULE: Rule =
    Rule { name: "pointless-remove", doc: "A field is removed by what sets it as well.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for declarer in &input.declarers {
        for (i, entry) in declarer.ops.remove.iter().enumerate() {
            let Ok(path) = RemovePath::parse(entry) else { continue };
            let Some(field) = path.field().filter(|field| *entry == format!("{}.{field}", path.component)) else {
                continue;
            };
            // Structs and maps are merged into the inherited value, so removing them first has an effect.
            let merges = |ty: &FieldType| matches!(ty, FieldType::Struct(_) | FieldType::Map(_) | FieldType::Any);
            let spec = input.schema().field(&path.component, field);
            if spec.is_none_or(|spec| merges(&spec.ty))
                || declarer.ops.declared(OpKind::Set, &path.component, field).is_none()
            {
                continue;
            }
            let at = declarer.base().key(OpKind::Remove.key()).index(i);
            let message = format!("`{entry}` is set here as well, so removing it first changes nothing");
            let finding = Finding::hint(RULE.name, Location::new(declarer.owner.doc().clone(), at), message);
            let edit = Edit::DropRemove { owner: declarer.owner.clone(), entry: entry.clone() };
            out.push(Problem::new(finding).with([Fix::new(format!("Drop {entry} from remove"), edit).safe()]));
        }
    }
}
