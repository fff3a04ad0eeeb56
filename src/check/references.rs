//! Names inside values: which parts of a typed value are names, and whether the named things exist.

use std::collections::BTreeMap;

use crate::{
    edit::{Edit, Owner, leaves},
    model::{
        ComponentSpec, DocKind, DocPath, FieldPath, FieldType, Fields, LIFE, Level, Location, Name, OpKind, Seg, Value,
        mean,
    },
};

use super::{
    custom_fields::{self, Holder},
    input::{Declarer, Input},
    machines::CallSite,
};

/// Call `meet` for every text in a value of a type that is a name: its type, the text, and its path in the value.
pub(super) fn names<'v>(ty: &'v FieldType, value: &'v Value, meet: &mut dyn FnMut(&'v FieldType, &'v str, &FieldPath)) {
    leaves(ty, value, &mut FieldPath::root(), &mut |ty, value, path| {
        if let (true, Value::Str(text)) = (is_name(ty), value)
            && !text.is_empty()
        {
            meet(ty, text, path);
        }
    });
}

fn is_name(ty: &FieldType) -> bool {
    ty.is_reference() || ty.is_text() && *ty != FieldType::Str
}

/// A name in a field of a definition or placed entity, or in a custom field of a level, layer or tile.
pub(super) struct DeclaredName<'i> {
    declarer: NameDeclarer<'i>,
    field: &'i Name,
    /// Its path in the field's value.
    inner: &'i FieldPath,
    /// Type of the name.
    pub ty: &'i FieldType,
    pub name: &'i str,
}

/// The owner of the field.
#[derive(Clone, Copy)]
enum NameDeclarer<'i> {
    /// A component, by an operation of a definition or placed entity.
    Component(&'i Declarer<'i>, OpKind, &'i Name),
    /// A level, layer or tile.
    Custom(&'i Holder<'i>),
}

impl DeclaredName<'_> {
    pub(super) fn location(&self) -> Location {
        let (doc, base) = match self.declarer {
            NameDeclarer::Component(declarer, op, component) => (declarer.owner.doc(), declarer.at(op, component)),
            NameDeclarer::Custom(holder) => (holder.doc, holder.at.clone()),
        };
        Location::new(doc.clone(), base.key(self.field).join(self.inner))
    }

    /// The edit that replaces the name.
    pub(super) fn replaced_by(&self, name: &str) -> Edit {
        match self.declarer {
            NameDeclarer::Component(declarer, op, component) => Edit::SetValue {
                owner: declarer.owner.clone(),
                op,
                component: component.clone(),
                field: self.field.clone(),
                inner: self.inner.clone(),
                value: Value::str(name),
            },
            NameDeclarer::Custom(holder) => holder.put(self.field, self.inner, Value::str(name)),
        }
    }
}

/// Call `meet` for every name in the fields of definitions and placed entities in scope, and in the custom fields of
/// levels, layers and tiles.
pub(super) fn declared_names(input: &Input<'_>, meet: &mut dyn FnMut(&DeclaredName<'_>)) {
    for (component, spec) in &input.schema().components {
        // Most components have no field with names, the others have one or two.
        let naming: Vec<_> = spec.fields.iter().filter(|(_, spec)| may_name(&spec.ty)).collect();
        if naming.is_empty() {
            continue;
        }
        let declared =
            input.declared(component).filter(|(_, declared)| matches!(declared.op, OpKind::Set | OpKind::Append));
        for (declarer, declared) in declared {
            for (field, value) in declared.fields {
                let Some((_, spec)) = naming.iter().find(|(name, _)| *name == field) else { continue };
                let declarer = NameDeclarer::Component(declarer, declared.op, declared.component);
                names(&spec.ty, value, &mut |ty, name, inner| {
                    meet(&DeclaredName { declarer, field, inner, ty, name });
                });
            }
        }
    }
    custom_fields::each(input, &mut |holder| {
        let specs = holder.of.specs(input.schema());
        for (field, value) in holder.fields {
            let Some(spec) = specs.get(field).filter(|spec| may_name(&spec.ty)) else { continue };
            names(&spec.ty, value, &mut |ty, name, inner| {
                meet(&DeclaredName { declarer: NameDeclarer::Custom(holder), field, inner, ty, name });
            });
        }
    });
}

/// A name in a field that a placed entity has from its definition.
pub(super) struct InheritedName<'i> {
    pub doc: &'i DocPath,
    pub level: &'i Level,
    layer: (&'i Name, &'i FieldPath),
    id: &'i Name,
    def: &'i Name,
    component: &'i Name,
    field: &'i Name,
    pub name: &'i str,
}

impl InheritedName<'_> {
    /// The placed entity.
    pub(super) fn location(&self) -> Location {
        Location::key(self.doc.clone(), self.layer.1.key("entities").key(self.id))
    }

    /// The field and the definition, for messages.
    pub(super) fn source(&self) -> String {
        format!("the `{}.{}` of `{}`", self.component, self.field, self.def)
    }

    /// The edit that gives the placed entity another name of its own.
    pub(super) fn replaced_by(&self, name: &str) -> Edit {
        Edit::SetValue {
            owner: Owner::Instance { doc: self.doc.clone(), layer: self.layer.0.clone(), id: self.id.clone() },
            op: OpKind::Set,
            component: self.component.clone(),
            field: self.field.clone(),
            inner: FieldPath::default(),
            value: Value::str(name),
        }
    }
}

/// Call `meet` for the name in every field of a type that placed entities in scope have from their definitions. Names
/// inside lists and structs are left out.
pub(super) fn inherited_names(input: &Input<'_>, ty: &FieldType, meet: &mut dyn FnMut(&InheritedName<'_>)) {
    let components = input.schema().components.iter();
    let fields = components.flat_map(|(component, spec)| spec.fields.iter().map(move |field| (component, field)));
    let fields: Vec<(&Name, &Name)> =
        fields.filter(|(_, (_, spec))| spec.ty == *ty).map(|(component, (field, _))| (component, field)).collect();
    let mut of_defs: BTreeMap<&Name, Vec<(&Name, &Name, &str)>> = BTreeMap::new();
    for (doc, level) in input.levels() {
        let (layers, paths) = (level.all_layers(), level.layer_paths());
        for (i, id, instance) in level.entities() {
            let names = of_defs.entry(&instance.def).or_insert_with_key(|def| {
                let def = input.resolution.defs.get(*def);
                let name = |of: &str, field: &str| def?.get(of, field)?.as_str().filter(|name| !name.is_empty());
                fields.iter().filter_map(|(of, field)| Some((*of, *field, name(of, field)?))).collect()
            });
            for (component, field, name) in names.iter().copied() {
                let is_own = instance.ops.declared(OpKind::Set, component, field).is_some();
                let Some((layer, path)) = layers.get(i).zip(paths.get(i)) else { continue };
                if !is_own && !instance.ops.removes(component) {
                    let layer = (&layer.name, path);
                    meet(&InheritedName { doc, level, layer, id, def: &instance.def, component, field, name });
                }
            }
        }
    }
}

/// A name in an argument of a machine's call.
pub(super) struct ArgumentName<'i> {
    pub site: &'i CallSite<'i>,
    pub arg: &'i Name,
    /// Its path in the argument's value.
    pub inner: &'i FieldPath,
    /// Type of the name.
    pub ty: &'i FieldType,
    pub name: &'i str,
}

impl ArgumentName<'_> {
    pub(super) fn location(&self) -> Location {
        let at = self.site.arg(self.arg);
        Location { path: at.path.join(self.inner), ..at }
    }

    /// The edit that replaces the name.
    pub(super) fn replaced_by(&self, name: &str) -> Edit {
        let Location { doc, path, .. } = self.location();
        Edit::Set { doc, at: path, data: Value::str(name).into() }
    }
}

/// Call `meet` for every name in the arguments of machines' calls.
pub(super) fn argument_names(input: &Input<'_>, meet: &mut dyn FnMut(&ArgumentName<'_>)) {
    for site in &input.calls {
        let specs = if site.is_condition { &input.schema().conditions } else { &input.schema().actions };
        let Some(spec) = specs.get(&site.call.name) else { continue };
        for (arg, value) in &site.call.args {
            let Some(spec) = spec.args.get(arg).filter(|spec| may_name(&spec.ty)) else { continue };
            names(&spec.ty, value, &mut |ty, name, inner| meet(&ArgumentName { site, arg, inner, ty, name }));
        }
    }
}

/// A message that a call sends, and its payload.
pub(super) struct Sent<'i> {
    pub message: &'i str,
    /// The argument that holds the payload.
    pub arg: &'i Name,
    pub payload: &'i Fields,
}

/// The message that a call sends: the one that its arguments name by their types, with the payload in the argument of
/// any type.
pub(super) fn sent<'i>(input: &Input<'i>, site: &CallSite<'i>) -> Option<Sent<'i>> {
    let message = named(input, site, &FieldType::Message)?;
    let payload = |(arg, value): (&'i Name, &'i Value)| match value {
        Value::Struct(payload) => Some(Sent { message, arg, payload }),
        _ => None,
    };
    args_of(input, site, &FieldType::Any).find_map(payload)
}

/// The name that a call has in an argument of a type, if any.
pub(super) fn named<'i>(input: &Input<'i>, site: &CallSite<'i>, ty: &FieldType) -> Option<&'i str> {
    args_of(input, site, ty).find_map(|(_, value)| value.as_str().filter(|text| !text.is_empty()))
}

/// The arguments of a call that are declared with a type.
fn args_of<'i>(input: &Input<'i>, site: &CallSite<'i>, ty: &FieldType) -> impl Iterator<Item = (&'i Name, &'i Value)> {
    let specs = if site.is_condition { &input.schema().conditions } else { &input.schema().actions };
    let spec = specs.get(&site.call.name);
    let is_it = move |arg: &Name| spec.and_then(|spec| spec.args.get(arg)).is_some_and(|spec| spec.ty == *ty);
    site.call.args.iter().filter(move |(arg, _)| is_it(arg))
}

/// Whether values of a type can hold names at all; most cannot.
pub(super) fn may_name(ty: &FieldType) -> bool {
    match ty {
        FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => may_name(inner),
        FieldType::Struct(specs) => specs.values().any(|spec| may_name(&spec.ty)),
        ty => is_name(ty),
    }
}

/// A name of something that does not exist.
pub(super) struct Missing {
    /// The kind of thing that it should name.
    pub noun: &'static str,
    /// The name that was probably meant.
    pub near: Option<String>,
    /// Further help.
    pub help: Option<String>,
}

impl Missing {
    /// The advice to show.
    pub(super) fn advice(&self) -> Option<String> {
        mean(self.near.as_deref()).or_else(|| self.help.clone())
    }
}

/// Whether the thing that a name of a type refers to is missing. Placed entities and images are not looked up here: the
/// former need a level, the latter files.
pub(super) fn missing(input: &Input<'_>, ty: &FieldType, name: &str) -> Option<Missing> {
    let resolution = input.resolution;
    // A thing named after its file exists if the file does, readable or not.
    let is_broken = |kind| input.unreadable(kind).any(|path| path.stem() == name);
    let among = |noun, kind, map: &crate::defs::NameMap<DocPath>| {
        let by_file = matches!(kind, DocKind::Level | DocKind::Tileset);
        let is_there = map.contains_key(name) || by_file && is_broken(kind);
        (!is_there).then(|| Missing {
            noun,
            near: input.near(name, map.keys().map(|name| &**name)).map(str::to_owned),
            help: if by_file { None } else { input.may_be_in(kind) },
        })
    };
    match ty {
        FieldType::Def => among("definition", DocKind::Entities, &resolution.def_docs),
        FieldType::Machine => among("machine", DocKind::Machines, &resolution.machines),
        FieldType::Tileset => among("tileset", DocKind::Tileset, &resolution.tilesets),
        FieldType::Level => among("level", DocKind::Level, &resolution.levels),
        FieldType::Tunable => resolution.tunable(name).is_none().then(|| {
            let all: Vec<String> = constants(input).collect();
            Missing {
                noun: "constant",
                near: input.near(name, all.iter().map(String::as_str)).map(str::to_owned),
                help: input.may_be_in(DocKind::Tuning),
            }
        }),
        FieldType::Component => {
            let known = &input.schema().components;
            (!known.contains_key(name)).then(|| Missing {
                noun: "component",
                near: input.near(name, known.keys().map(|name| &**name)).map(str::to_owned),
                help: input.may_be_in(DocKind::Schema).or_else(|| Some(WHERE_DECLARED.to_owned())),
            })
        }
        FieldType::Field => missing_field(input, name),
        FieldType::Tile => {
            let (set, tile) = name.split_once('/').unwrap_or((name, ""));
            let Some(tileset) = input.tileset(set) else {
                if input.unreadable(DocKind::Tileset).any(|path| path.stem() == set) {
                    return None;
                }
                let near = input.near(set, resolution.tilesets.keys().map(|name| &**name));
                return Some(Missing { noun: "tile", near: near.map(|near| format!("{near}/{tile}")), help: None });
            };
            let known =
                tileset.by_name(tile).is_some() || tile.parse().is_ok_and(|id: u32| tileset.tiles.contains_key(&id));
            (!known).then(|| {
                let names = tileset.tiles.values().map(|tile| tile.name.as_str()).filter(|name| !name.is_empty());
                let near = input.near(tile, names).map(|near| format!("{set}/{near}"));
                Missing { noun: "tile", near, help: None }
            })
        }
        _ => None,
    }
}

const WHERE_DECLARED: &str = "components are declared in the project's schemas/";

/// Every constant, as `Page.name`.
fn constants<'i>(input: &Input<'i>) -> impl Iterator<Item = String> + 'i {
    let pages = input.resolution.pages.iter();
    pages.flat_map(|page| page.values.iter().map(|(name, ..)| format!("{}.{name}", page.name)))
}

/// The same for a text that names a field, as `Component.field`, or a constant, as `Page.name`.
fn missing_field(input: &Input<'_>, name: &str) -> Option<Missing> {
    let schema = input.schema();
    let (component, rest) = name.split_once('.').unwrap_or((name, ""));
    // The inside of a field is read by the game.
    let field = rest.split(['.', '[']).next().unwrap_or_default();
    if name == LIFE || schema.field(component, field).is_some() || input.resolution.tunable(name).is_some() {
        return None;
    }
    let is_page = input.resolution.pages.iter().any(|page| *page.name == *component);
    if is_page && !schema.components.contains_key(component) {
        return missing(input, &FieldType::Tunable, name);
    }
    let of = |(component, spec): (&Name, &ComponentSpec)| -> Vec<String> {
        spec.fields.keys().map(|field| format!("{component}.{field}")).collect()
    };
    let all: Vec<String> =
        schema.components.iter().flat_map(of).chain([LIFE.to_owned()]).chain(constants(input)).collect();
    let near = input.near(name, all.iter().map(String::as_str)).map(str::to_owned);
    let help = input.may_be_in(DocKind::Schema).or_else(|| input.may_be_in(DocKind::Tuning));
    let help = help.or_else(|| rest.is_empty().then(|| "fields are named as `Component.field`".to_owned()));
    Some(Missing { noun: "field", near, help })
}

/// Set the part of a value at a path to `new`; does nothing if the path does not fit.
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
        (Value::Tagged(_, content), _) => return put(content.inside(seg), path, new),
        _ => None,
    };
    if let Some(part) = part {
        put(part, rest, new);
    }
}
