//! What stands at the end of a way into a document, to be changed: how a use of a name that `walk` told of is found again.
//!
//! Invariant: only what lies on the way is copied; a definition, layer or machine beside it keeps its `Arc`.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::model::{
    Call, Components, Condition, CueKind, Document, Expected, ExpectedState, FieldSpec, FieldType, Fields,
    LayerContent, Name, OpKind, Ops, Scenario, Schema, Seg, SendCue, State, Trigger, TuneCue, Value,
};

/// Something that holds a name, or things by name.
pub(super) enum Slot<'a> {
    Name(&'a mut Name),
    Text(&'a mut String),
    Value(&'a mut Value),
    /// Entries of `remove`.
    Entries(&'a mut Vec<String>),
    /// What an operation says, by component.
    Components(&'a mut Components),
    /// Values by field or argument.
    Fields(&'a mut Fields),
    /// Actions by message.
    Handlers(&'a mut IndexMap<Name, Vec<Call>>),
    /// A call, by its name and its arguments.
    Call(&'a mut Call),
    /// A field's declaration, which holds a default.
    Spec(&'a mut FieldSpec),
}

impl Slot<'_> {
    /// Write `new` over some bytes of the text there. A bare word is text, too.
    pub(super) fn write(self, part: std::ops::Range<usize>, new: &str) {
        let in_text = |text: &mut String| {
            if text.get(part.clone()).is_some() {
                text.replace_range(part.clone(), new);
            }
        };
        let in_name = |name: &mut Name| {
            let mut text = name.to_string();
            in_text(&mut text);
            *name = text.into();
        };
        match self {
            Self::Name(name) | Self::Value(Value::Symbol(name)) => in_name(name),
            Self::Call(call) => in_name(&mut call.name),
            Self::Text(text) | Self::Value(Value::Str(text)) => in_text(text),
            Self::Value(Value::Tagged(_, content)) => {
                Slot::Value(content.inside(&Seg::Key("".into()))).write(part, new);
            }
            _ => {}
        }
    }

    /// Give a key another name where it stands. One whose new name is there already goes; actions go to those of the other.
    pub(super) fn rekey(self, from: &str, to: &Name) {
        match self {
            Self::Components(map) => rekey_or_drop(map, from, to),
            Self::Fields(map) | Self::Value(Value::Struct(map)) => rekey_or_drop(map, from, to),
            Self::Call(call) => rekey_or_drop(&mut call.args, from, to),
            Self::Handlers(map) => {
                let kept = if map.contains_key(from) { map.shift_remove(to) } else { None };
                rekey(map, from, to);
                map.get_mut(to).into_iter().for_each(|calls| calls.extend(kept.iter().flatten().cloned()));
            }
            _ => {}
        }
    }

    /// Take out what is at the end of a step.
    pub(super) fn drop(self, seg: &Seg) {
        match (self, seg) {
            (Self::Value(Value::Tagged(_, content)), _) => Slot::Value(content.inside(seg)).drop(seg),
            (Self::Components(map), Seg::Key(key)) => drop(map.shift_remove(key)),
            (Self::Fields(map) | Self::Value(Value::Struct(map)), Seg::Key(key)) => drop(map.shift_remove(key)),
            (Self::Call(call), Seg::Key(key)) => drop(call.args.shift_remove(key)),
            (Self::Value(Value::Map(entries)), Seg::Key(key)) => entries.retain(|(k, _)| k.as_str() != Some(key)),
            (Self::Value(Value::List(items)), Seg::Index(at)) if *at < items.len() => drop(items.remove(*at)),
            (Self::Entries(entries), Seg::Index(at)) if *at < entries.len() => drop(entries.remove(*at)),
            (Self::Spec(spec), Seg::Key(key)) if &**key == "default" => spec.default = None,
            _ => {}
        }
    }
}

/// Rename a key where it stands.
pub(super) fn rekey<V>(map: &mut IndexMap<Name, V>, from: &str, to: &Name) {
    if let Some((at, _, value)) = map.shift_remove_full(from) {
        map.shift_insert(at.min(map.len()), to.clone(), value);
    }
}

fn rekey_or_drop<V>(map: &mut IndexMap<Name, V>, from: &str, to: &Name) {
    if map.contains_key(to) {
        map.shift_remove(from);
    } else {
        rekey(map, from, to);
    }
}

type Way<'p> = &'p [Seg];

fn key(path: Way<'_>) -> Option<(&str, Way<'_>)> {
    if let Some((Seg::Key(key), rest)) = path.split_first() { Some((key, rest)) } else { None }
}

fn index(path: Way<'_>) -> Option<(usize, Way<'_>)> {
    if let Some((Seg::Index(index), rest)) = path.split_first() { Some((*index, rest)) } else { None }
}

/// What is at the end of a way into a document, as `walk` tells it.
pub(super) fn find<'a>(document: &'a mut Document, path: Way<'_>) -> Option<Slot<'a>> {
    let (first, rest) = key(path)?;
    match document {
        Document::Project(file) => Some(Slot::Name(&mut file.start_level)),
        Document::Entities(file) => {
            let def = Arc::make_mut(file.defs.get_mut(first)?);
            match key(rest)? {
                ("inherits", rest) => Some(Slot::Name(def.inherits.get_mut(index(rest)?.0)?)),
                _ => ops(&mut def.ops, rest),
            }
        }
        Document::Level(level) => {
            let (at, rest) = index(rest)?;
            layer(Arc::make_mut(level.layers.get_mut(at)?), rest)
        }
        Document::Machines(file) => state(&mut Arc::make_mut(file.machines.get_mut(first)?).root, rest),
        Document::Tileset(tileset) => {
            let (id, rest) = key(rest)?;
            let (_, rest) = key(rest)?;
            let tile = tileset.tiles.get_mut(&id.parse::<u32>().ok()?)?;
            Some(Slot::Text(tile.tags.get_mut(index(rest)?.0)?))
        }
        Document::Tuning(page) => {
            let (name, rest) = key(rest)?;
            let response = page.values.get_mut(name)?.response.as_mut()?;
            fields(&mut response.args, key(rest)?.1)
        }
        Document::Scenario(it) => scenario(it, path),
        Document::Schema(it) => schema(it, path),
    }
}

fn layer<'a>(layer: &'a mut crate::model::Layer, path: Way<'_>) -> Option<Slot<'a>> {
    let (what, rest) = key(path)?;
    if what == "name" {
        return Some(Slot::Name(&mut layer.name));
    }
    match &mut layer.content {
        LayerContent::Tiles(tiles) => Some(Slot::Name(&mut tiles.tileset)),
        LayerContent::Entities(all) => {
            let (id, rest) = key(rest)?;
            let instance = Arc::make_mut(all.get_mut(id)?);
            if key(rest)?.0 == "def" { Some(Slot::Name(&mut instance.def)) } else { ops(&mut instance.ops, rest) }
        }
        LayerContent::Waypoints(graph) => {
            let (id, rest) = key(rest)?;
            let tags = &mut graph.nodes.get_mut(id)?.tags;
            Some(Slot::Text(tags.get_mut(index(key(rest)?.1)?.0)?))
        }
    }
}

/// What is at the end of a way that begins at operations.
fn ops<'a>(ops: &'a mut Ops, path: Way<'_>) -> Option<Slot<'a>> {
    let (op, rest) = key(path)?;
    if op == OpKind::Remove.key() {
        return match index(rest) {
            Some((at, _)) => Some(Slot::Text(ops.remove.get_mut(at)?)),
            None => Some(Slot::Entries(&mut ops.remove)),
        };
    }
    let op = OpKind::VALUED.into_iter().find(|kind| kind.key() == op)?;
    let all = ops.values_mut(op)?;
    match key(rest) {
        Some((component, rest)) => fields(all.get_mut(component)?, rest),
        None => Some(Slot::Components(all)),
    }
}

fn fields<'a>(fields: &'a mut Fields, path: Way<'_>) -> Option<Slot<'a>> {
    match key(path) {
        Some((name, rest)) => value(fields.get_mut(name)?, rest),
        None => Some(Slot::Fields(fields)),
    }
}

fn value<'a>(of: &'a mut Value, path: Way<'_>) -> Option<Slot<'a>> {
    let Some((seg, rest)) = path.split_first() else { return Some(Slot::Value(of)) };
    match (of, seg) {
        (Value::Struct(fields), Seg::Key(key)) => value(fields.get_mut(key)?, rest),
        (Value::Map(entries), Seg::Key(key)) => {
            value(&mut entries.iter_mut().find(|(k, _)| k.as_str().unwrap_or_default() == &**key)?.1, rest)
        }
        (Value::List(items) | Value::Tuple(items), Seg::Index(at)) => value(items.get_mut(*at)?, rest),
        (Value::Tagged(_, content), _) => value(content.inside(seg), path),
        _ => None,
    }
}

fn state<'a>(of: &'a mut State, path: Way<'_>) -> Option<Slot<'a>> {
    let (what, rest) = key(path)?;
    match what {
        "states" => {
            let (name, rest) = key(rest)?;
            state(of.states.get_mut(name)?, rest)
        }
        "enter" => call_of(&mut of.enter, rest),
        "exit" => call_of(&mut of.exit, rest),
        "update" => call_of(&mut of.update, rest),
        "on" => match key(rest) {
            Some((message, rest)) => call_of(of.on.get_mut(message)?, rest),
            None => Some(Slot::Handlers(&mut of.on)),
        },
        _ => {
            let (at, rest) = index(rest)?;
            let transition = of.transitions.get_mut(at)?;
            match (key(rest)?, &mut transition.trigger) {
                (("on", _), Trigger::On(message)) => Some(Slot::Name(message)),
                (("when", rest), Trigger::When(it)) => condition(it, rest),
                (("if", rest), _) => condition(transition.guard.as_mut()?, rest),
                (("do", rest), _) => call_of(&mut transition.actions, rest),
                _ => None,
            }
        }
    }
}

fn call_of<'a>(calls: &'a mut [Call], path: Way<'_>) -> Option<Slot<'a>> {
    let (at, rest) = index(path)?;
    call(calls.get_mut(at)?, rest)
}

fn call<'a>(call: &'a mut Call, path: Way<'_>) -> Option<Slot<'a>> {
    if path.is_empty() { Some(Slot::Call(call)) } else { fields(&mut call.args, path) }
}

fn condition<'a>(of: &'a mut Condition, path: Way<'_>) -> Option<Slot<'a>> {
    match of {
        Condition::Call(it) => call(it, path),
        Condition::All(all) | Condition::Any(all) => {
            let (at, rest) = index(index(path)?.1)?;
            condition(all.get_mut(at)?, rest)
        }
        Condition::Not(inner) => condition(inner, index(path)?.1),
    }
}

fn scenario<'a>(of: &'a mut Scenario, path: Way<'_>) -> Option<Slot<'a>> {
    let (what, rest) = key(path)?;
    if what == "level" {
        return Some(Slot::Name(&mut of.level));
    }
    let (at, rest) = index(rest)?;
    let (part, rest) = key(rest)?;
    if what == "expect" {
        let expectation = of.expect.get_mut(at)?;
        return match (part, &mut expectation.what) {
            ("machine", Expected::State(ExpectedState { machine: Some(machine), .. })) => Some(Slot::Name(machine)),
            ("entity", _) => Some(Slot::Text(&mut expectation.entity)),
            _ => None,
        };
    }
    match (part, &mut of.script.get_mut(at)?.what) {
        ("to", CueKind::Send(SendCue { to, .. })) => Some(Slot::Text(to)),
        ("send", CueKind::Send(SendCue { message, .. })) => Some(Slot::Name(message)),
        ("payload", CueKind::Send(SendCue { payload, .. })) => fields(payload, rest),
        ("tune", CueKind::Tune(TuneCue { name, .. })) => Some(Slot::Text(name)),
        _ => None,
    }
}

fn schema<'a>(of: &'a mut Schema, path: Way<'_>) -> Option<Slot<'a>> {
    let (section, rest) = key(path)?;
    let (owner, rest) = key(rest)?;
    let (list, rest) = key(rest)?;
    let specs = match section {
        "components" => {
            let component = of.components.get_mut(owner)?;
            if list == "response" {
                return fields(&mut component.response.as_mut()?.args, rest);
            }
            &mut component.fields
        }
        "messages" => &mut of.messages.get_mut(owner)?.payload,
        "conditions" => &mut of.conditions.get_mut(owner)?.args,
        _ => &mut of.actions.get_mut(owner)?.args,
    };
    let (name, rest) = key(rest)?;
    spec(specs.get_mut(name)?, rest)
}

fn spec<'a>(of: &'a mut FieldSpec, path: Way<'_>) -> Option<Slot<'a>> {
    match key(path) {
        None => Some(Slot::Spec(of)),
        Some(("default", rest)) => value(of.default.as_mut()?, rest),
        Some((_, rest)) => inside(&mut of.ty, rest),
    }
}

fn inside<'a>(of: &'a mut FieldType, path: Way<'_>) -> Option<Slot<'a>> {
    let (_, rest) = index(path)?;
    match of {
        FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => inside(inner, rest),
        FieldType::Struct(specs) => {
            let (name, rest) = key(rest)?;
            spec(specs.get_mut(name)?, rest)
        }
        _ => None,
    }
}
