//! Names inside values: where a typed value holds the name of something, and whether that something exists.

use crate::{
    edit::Edit,
    model::{DocKind, DocPath, FieldPath, FieldType, Location, Name, OpKind, Seg, Value, did_you_mean, mean},
};

use super::input::{Input, Speaker};

/// Call `meet` for every name that a value of a type holds: its type, the name, and where in the value it is.
pub(super) fn names<'v>(
    ty: &FieldType,
    value: &'v Value,
    path: &FieldPath,
    meet: &mut dyn FnMut(&FieldType, &'v str, &FieldPath),
) {
    match (ty, value) {
        (FieldType::List(item), Value::List(items)) => {
            for (i, value) in items.iter().enumerate() {
                names(item, value, &path.index(i), meet);
            }
        }
        (FieldType::Map(item), Value::Map(entries)) => {
            for (key, value) in entries {
                names(item, value, &path.key(key.as_str().unwrap_or_default()), meet);
            }
        }
        (FieldType::Struct(specs), Value::Struct(fields)) => {
            for (name, value) in fields {
                if let Some(spec) = specs.get(name) {
                    names(&spec.ty, value, &path.key(name), meet);
                }
            }
        }
        (FieldType::Option(inner), Value::Tagged(tag, content)) if &**tag == "Some" => match &**content {
            Value::Tuple(items) => {
                for (i, value) in items.iter().enumerate() {
                    names(inner, value, &path.index(i), meet);
                }
            }
            other => names(inner, other, path, meet),
        },
        (FieldType::Option(inner), _) => names(inner, value, path, meet),
        (ty, Value::Str(text)) if ty.is_reference() && !text.is_empty() => meet(ty, text, path),
        _ => {}
    }
}

/// A name in a field of a definition or placed entity.
pub(super) struct SaidName<'i> {
    pub speaker: &'i Speaker<'i>,
    pub op: OpKind,
    pub component: &'i Name,
    pub field: &'i Name,
    /// Where in the field's value it stands.
    pub inner: &'i FieldPath,
    /// What it names.
    pub ty: &'i FieldType,
    pub name: &'i str,
}

impl SaidName<'_> {
    pub(super) fn location(&self) -> Location {
        let base = self.speaker.base.key(self.op.key()).key(self.component).key(self.field);
        let path = FieldPath(base.0.iter().chain(&self.inner.0).cloned().collect());
        Location::new(self.speaker.owner.doc().clone(), path)
    }

    /// The edit that says another name there.
    pub(super) fn replaced_by(&self, name: &str) -> Edit {
        Edit::SetValue {
            owner: self.speaker.owner.clone(),
            op: self.op,
            component: self.component.clone(),
            field: self.field.clone(),
            inner: self.inner.clone(),
            value: Value::str(name),
        }
    }
}

/// Call `meet` for every name in the fields of definitions and placed entities in scope.
pub(super) fn said(input: &Input<'_>, meet: &mut dyn FnMut(&SaidName<'_>)) {
    for speaker in &input.speakers {
        for op in [OpKind::Set, OpKind::Append] {
            let said = speaker.ops.values(op).into_iter().flatten();
            for (component, fields) in said.filter(|(component, _)| input.may_name(component)) {
                for (field, value) in fields {
                    let spec = input.schema().field(component, field).filter(|spec| may_name(&spec.ty));
                    let Some(spec) = spec else { continue };
                    names(&spec.ty, value, &FieldPath::root(), &mut |ty, name, inner| {
                        meet(&SaidName { speaker, op, component, field, inner, ty, name });
                    });
                }
            }
        }
    }
}

/// Whether values of a type can hold names at all; most cannot.
pub(super) fn may_name(ty: &FieldType) -> bool {
    match ty {
        FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => may_name(inner),
        FieldType::Struct(specs) => specs.values().any(|spec| may_name(&spec.ty)),
        FieldType::Bool | FieldType::Int | FieldType::Float | FieldType::Angle | FieldType::Vec2 => false,
        FieldType::Str | FieldType::Enum(_) | FieldType::Flags(_) | FieldType::Color | FieldType::Shape => false,
        _ => true,
    }
}

/// A name that means nothing.
pub(super) struct Missing {
    /// What it should have been the name of.
    pub noun: &'static str,
    /// What was probably meant.
    pub near: Option<String>,
    /// What would help beside that.
    pub help: Option<String>,
}

impl Missing {
    /// What to tell about it.
    pub(super) fn advice(&self) -> Option<String> {
        mean(self.near.as_deref()).or_else(|| self.help.clone())
    }
}

/// Whether the thing a name of a type means is missing. Placed entities and images are not looked up here: the first need
/// a level, the second files.
pub(super) fn missing(input: &Input<'_>, ty: &FieldType, name: &str) -> Option<Missing> {
    let resolution = input.resolution;
    // A thing named by its file is there when the file is, readable or not.
    let is_broken = |kind| input.unreadable(kind).any(|path| path.stem() == name);
    let among = |noun, kind, map: &crate::defs::NameMap<DocPath>| {
        let by_file = matches!(kind, DocKind::Level | DocKind::Tileset);
        let is_there = map.contains_key(name) || by_file && is_broken(kind);
        (!is_there).then(|| Missing {
            noun,
            near: did_you_mean(name, map.keys().map(|name| &**name)).map(str::to_owned),
            help: if by_file { None } else { input.may_be_in(kind) },
        })
    };
    match ty {
        FieldType::Def => among("definition", DocKind::Entities, &resolution.def_docs),
        FieldType::Machine => among("machine", DocKind::Machines, &resolution.machines),
        FieldType::Tileset => among("tileset", DocKind::Tileset, &resolution.tilesets),
        FieldType::Level => among("level", DocKind::Level, &resolution.levels),
        FieldType::Tunable => {
            let all = || {
                let pages = resolution.pages.iter();
                pages.flat_map(|page| page.values.iter().map(|(name, ..)| format!("{}.{name}", page.name)))
            };
            resolution.tunable(name).is_none().then(|| {
                let all: Vec<String> = all().collect();
                Missing {
                    noun: "constant",
                    near: did_you_mean(name, all.iter().map(String::as_str)).map(str::to_owned),
                    help: input.may_be_in(DocKind::Tuning),
                }
            })
        }
        FieldType::Tile => {
            let (set, tile) = name.split_once('/').unwrap_or((name, ""));
            let Some(tileset) = input.tileset(set) else {
                if input.unreadable(DocKind::Tileset).any(|path| path.stem() == set) {
                    return None;
                }
                let near = did_you_mean(set, resolution.tilesets.keys().map(|name| &**name));
                return Some(Missing { noun: "tile", near: near.map(|near| format!("{near}/{tile}")), help: None });
            };
            let known =
                tileset.by_name(tile).is_some() || tile.parse().is_ok_and(|id: u32| tileset.tiles.contains_key(&id));
            (!known).then(|| {
                let names = tileset.tiles.values().map(|tile| tile.name.as_str()).filter(|name| !name.is_empty());
                let near = did_you_mean(tile, names).map(|near| format!("{set}/{near}"));
                Missing { noun: "tile", near, help: None }
            })
        }
        _ => None,
    }
}

/// Put `new` at a path inside a value; what does not fit stays.
pub(super) fn put(value: &mut Value, path: &[Seg], new: Value) {
    let Some((seg, rest)) = path.split_first() else {
        *value = new;
        return;
    };
    let part = match (value, seg) {
        (Value::Struct(fields), Seg::Key(key)) => fields.get_mut(key),
        (Value::Map(entries), Seg::Key(key)) => {
            entries.iter_mut().find(|(k, _)| k.as_str() == Some(&**key)).map(|(_, value)| value)
        }
        (Value::List(items) | Value::Tuple(items), Seg::Index(i)) => items.get_mut(*i),
        (Value::Tagged(_, content), _) => return put(content, path, new),
        _ => None,
    };
    if let Some(part) = part {
        put(part, rest, new);
    }
}

/// A file named relative to a document's folder, inside the project.
pub(super) fn beside(doc: &DocPath, relative: &str) -> Option<DocPath> {
    let mut parts: Vec<&str> = doc.folder().split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    DocPath::new(&parts.join("/"))
}
