//! A project and its resolution, as the export's types. Nothing is looked up in files; the content of layers is left to
//! `super::stream`, which gets it from here piece by piece.

use std::{collections::BTreeMap, sync::Arc};

use indexmap::IndexMap;

use super::{
    marks::mark,
    types::{
        Blend, Call, Chunk, Component, Components, Condition, Constant, Definition, Entity, FORMAT, Field, Frame, Game,
        Group, Layer, LayerImage, LayerKind, Level, LevelView, Link, LinkBy, Machine, Message, Node, State, Streamed,
        Tile, Tiles, Tileset, Transition, ValueChunk, ValueName, Values, Waypoints,
    },
    values::{Images, Target, complete, complete_fields, describe},
};
use crate::{
    defs::{Resolution, ResolvedComponent},
    model::{
        self, CallSpec, DocPath, FieldPath, FieldSpec, FieldType, Fields, FieldsOf, LayerContent, LayerLook, Name,
        Project, Schema, TileShape, Value, color_text,
    },
};

/// The export of a project, the images it names, and the layers whose lists go where the marks are: level, index of the
/// layer. A mark is `salt` and the index of that pair.
pub(super) fn build<T: Target>(
    project: &Project,
    resolution: &Resolution,
    salt: &str,
) -> (Game<T::Value>, Images, Vec<(DocPath, usize)>) {
    let mut build = Build::<T>::new(resolution, salt);
    let file = project.file().cloned().unwrap_or_default();
    let game = Game {
        format: FORMAT,
        name: file.name,
        start_level: file.start_level.to_string(),
        view: view(file.view),
        tuning: build.tuning(),
        enums: resolution.schema.enums.iter().map(|(name, words)| (text(name), texts(words))).collect(),
        components: build.components(),
        level_fields: build.fields(FieldsOf::Level.specs(&resolution.schema)),
        layer_fields: build.fields(FieldsOf::Layer.specs(&resolution.schema)),
        tile_fields: build.fields(FieldsOf::Tile.specs(&resolution.schema)),
        messages: build.messages(),
        definitions: build.definitions(),
        machines: named(resolution.machines.iter(), |name, doc| Some(build.machine(project.machine(doc, name)?))),
        tilesets: named(resolution.tilesets.iter(), |_, doc| Some(build.tileset(doc, project.tileset(doc)?))),
        levels: named(resolution.levels.iter(), |_, doc| {
            let level = project.level(doc)?;
            Some(build.level(doc, level, view(project.view_of(level))))
        }),
    };
    (game, build.images, build.layers)
}

fn named<'a, V>(
    all: impl Iterator<Item = (&'a Name, &'a DocPath)>,
    mut make: impl FnMut(&Name, &DocPath) -> Option<V>,
) -> BTreeMap<String, V> {
    all.filter_map(|(name, doc)| Some((text(name), make(name, doc)?))).collect()
}

fn text(name: &Name) -> String {
    name.to_string()
}

fn texts(names: &[Name]) -> Vec<String> {
    names.iter().map(text).collect()
}

fn blend(blend: model::Blend) -> Blend {
    match blend {
        model::Blend::Normal => Blend::Normal,
        model::Blend::Add => Blend::Add,
        model::Blend::Multiply => Blend::Multiply,
        model::Blend::Screen => Blend::Screen,
    }
}

fn view(view: model::LevelView) -> LevelView {
    match view {
        model::LevelView::Platformer => LevelView::Platformer,
        model::LevelView::TopDown => LevelView::TopDown,
    }
}

/// Makes the parts of an export.
pub(super) struct Build<'a, T> {
    schema: &'a Schema,
    resolution: &'a Resolution,
    salt: &'a str,
    layers: Vec<(DocPath, usize)>,
    images: Images,
    target: std::marker::PhantomData<T>,
}

impl<'a, T: Target> Build<'a, T> {
    pub(super) fn new(resolution: &'a Resolution, salt: &'a str) -> Self {
        Self {
            schema: &resolution.schema,
            resolution,
            salt,
            layers: Vec::new(),
            images: Images::moved(),
            target: std::marker::PhantomData,
        }
    }

    fn value(&mut self, ty: &FieldType, value: &Value) -> T::Value {
        T::write(ty, &complete(ty, value, &mut self.images))
    }

    fn tuning(&mut self) -> BTreeMap<String, IndexMap<String, Constant<T::Value>>> {
        let resolution = self.resolution;
        let mut pages = BTreeMap::new();
        for page in &resolution.pages {
            let constants = page.values.iter().map(|(name, tunable, _)| {
                let constant = Constant {
                    value: self.value(&FieldType::Any, &tunable.value),
                    min: tunable.min,
                    max: tunable.max,
                    unit: tunable.unit.clone(),
                    doc: tunable.doc.clone(),
                };
                (text(name), constant)
            });
            pages.insert(text(&page.name), constants.collect());
        }
        pages
    }

    fn fields(&mut self, specs: &IndexMap<Name, FieldSpec>) -> IndexMap<String, Field<T::Value>> {
        let mut fields = IndexMap::new();
        for (name, spec) in specs {
            let (ty, inner) = describe(&spec.ty);
            let field = Field {
                ty,
                default: self.value(&spec.ty, &spec.default_value()),
                min: spec.min,
                max: spec.max,
                unit: spec.unit.clone(),
                doc: spec.doc.clone(),
                fields: inner.map(|inner| self.fields(inner)),
            };
            fields.insert(text(name), field);
        }
        fields
    }

    fn components(&mut self) -> BTreeMap<String, Component<T::Value>> {
        let schema = self.schema;
        let component = |spec: &model::ComponentSpec, build: &mut Self| Component {
            doc: spec.doc.clone(),
            fields: build.fields(&spec.fields),
        };
        schema.components.iter().map(|(name, spec)| (text(name), component(spec, self))).collect()
    }

    fn messages(&mut self) -> BTreeMap<String, Message<T::Value>> {
        let schema = self.schema;
        let message = |spec: &model::MessageSpec, build: &mut Self| Message {
            doc: spec.doc.clone(),
            payload: build.fields(&spec.payload),
        };
        schema.messages.iter().map(|(name, spec)| (text(name), message(spec, self))).collect()
    }

    fn definitions(&mut self) -> BTreeMap<String, Definition<T::Value>> {
        let resolution = self.resolution;
        let mut definitions = BTreeMap::new();
        for (name, resolved) in &resolution.defs {
            let definition = Definition {
                is_abstract: resolved.is_abstract,
                lineage: texts(&resolved.order),
                components: self.resolved(resolved.components.iter().map(|(name, component)| (name, &**component))),
            };
            definitions.insert(text(name), definition);
        }
        definitions
    }

    fn resolved<'c>(
        &mut self,
        components: impl Iterator<Item = (&'c Name, &'c ResolvedComponent)>,
    ) -> Components<T::Value> {
        let schema = self.schema;
        let mut out = Components::new();
        for (name, component) in components {
            let fields = component.fields.iter().map(|(field, resolved)| {
                let ty = schema.field(name, field).map_or(&FieldType::Any, |spec| &spec.ty);
                (text(field), self.value(ty, &resolved.value))
            });
            out.insert(text(name), fields.collect());
        }
        out
    }

    fn level(&mut self, doc: &DocPath, level: &model::Level, view: LevelView) -> Level<T::Value> {
        Level {
            size: level.size,
            tile_size: level.tile_size,
            view,
            corner_cutting: level.corner_cutting,
            background: level.background.as_ref().map(text),
            bounds: level.bounds_px(),
            fields: self.custom(FieldsOf::Level, &level.fields),
            groups: self.groups(level),
            layers: self.layers(doc, level),
        }
    }

    /// The groups of a level, each after those around it.
    fn groups(&mut self, level: &model::Level) -> Vec<Group<T::Value>> {
        let all = level.all_layers();
        // From the back a group comes after what is in it.
        let groups = all.into_iter().enumerate().rev().filter(|(_, layer)| layer.is_group());
        let mut group = |(number, layer): (usize, &Arc<model::Layer>)| Group {
            name: text(&layer.name),
            groups: names_around(level, number),
            fields: self.custom(FieldsOf::Layer, &layer.fields),
        };
        groups.map(&mut group).collect()
    }

    /// The layers of a level that are no groups, back to front.
    fn layers(&mut self, doc: &DocPath, level: &model::Level) -> Vec<Layer<T::Value>> {
        let all = level.looks().into_iter().enumerate().filter(|(_, (layer, _))| !layer.is_group());
        all.map(|(number, (layer, look))| self.layer((doc, level), number, layer, &look)).collect()
    }

    /// A placed entity: `id` on the layer at a path of level `doc`.
    pub(super) fn entity(
        &mut self,
        (doc, layer): (&DocPath, &FieldPath),
        id: &Name,
        instance: &model::Instance,
    ) -> Entity<T::Value> {
        let (resolved, _) = self.resolution.instance(doc, layer, id, instance);
        Entity {
            id: text(id),
            def: text(&instance.def),
            at: instance.at,
            rotation: instance.rotation,
            components: self.resolved(resolved.components.iter().map(|(name, component)| (name, &**component))),
        }
    }

    /// Note the images that a placed entity names and its definition does not.
    fn note_images(&mut self, (doc, layer): (&DocPath, &FieldPath), id: &Name, instance: &model::Instance) {
        if instance.ops.is_empty() {
            return;
        }
        let schema = self.schema;
        let def = self.resolution.defs.get(&instance.def);
        let (resolved, _) = self.resolution.instance(doc, layer, id, instance);
        for (name, component) in &resolved.components {
            let inherited = def.and_then(|def| def.components.get(name));
            if inherited.is_some_and(|inherited| Arc::ptr_eq(inherited, component)) {
                continue;
            }
            for (field, resolved) in &component.fields {
                if let Some(spec) = schema.field(name, field).filter(|spec| has_images(&spec.ty)) {
                    complete(&spec.ty, &resolved.value, &mut self.images);
                }
            }
        }
    }

    fn layer(
        &mut self,
        (doc, level): (&DocPath, &model::Level),
        layer_idx: usize,
        layer: &model::Layer,
        look: &LayerLook,
    ) -> Layer<T::Value> {
        let mark = mark(self.salt, self.layers.len());
        // An image has no list that is written later.
        if layer.image().is_none() {
            self.layers.push((doc.clone(), layer_idx));
        }
        let mut out = Layer {
            name: text(&layer.name),
            kind: LayerKind::Tiles,
            groups: names_around(level, layer_idx),
            visible: look.visible,
            opacity: look.opacity,
            tint: tint(layer, look),
            parallax: look.parallax,
            offset: look.offset,
            tile_size: Some(level.grid_of(layer).px).filter(|px| *px != level.grid().px),
            fields: self.custom(FieldsOf::Layer, &layer.fields),
            tiles: None,
            entities: None,
            waypoints: None,
            image: None,
            values: None,
        };
        match &layer.content {
            // What is in it is exported.
            LayerContent::Group(_) => {}
            LayerContent::Tiles(content) => {
                let chunks = Streamed::at(mark);
                out.tiles = Some(Tiles {
                    tileset: text(&content.tileset),
                    collide: content.collide,
                    blend: blend(content.blend),
                    chunks,
                });
            }
            LayerContent::Entities(entities) => {
                out.kind = LayerKind::Entities;
                let at = level.layer_at(layer_idx);
                for (id, instance) in entities {
                    self.note_images((doc, &at), id, instance);
                }
                out.entities = Some(Streamed::at(mark));
            }
            LayerContent::Values(content) => {
                out.kind = LayerKind::Values;
                let name = |(value, it): (&u32, &model::ValueName)| ValueName {
                    value: *value,
                    name: it.name.clone(),
                    color: text(&it.color),
                };
                let names = content.names.iter().map(name).collect();
                out.values = Some(Values { names, chunks: Streamed::at(mark) });
            }
            LayerContent::Image(content) => {
                out.kind = LayerKind::Image;
                let path = DocPath::new(&content.image).map(|path| self.images.exported(&path));
                out.image = Some(LayerImage {
                    image: path.unwrap_or_default(),
                    repeat: content.repeat.axes(),
                    blend: blend(content.blend),
                });
            }
            LayerContent::Waypoints(graph) => {
                out.kind = LayerKind::Waypoints;
                let node =
                    |(id, node): (&Name, &model::Node)| Node { id: text(id), at: node.at, tags: node.tags.clone() };
                let nodes = graph.nodes.iter().map(node).collect();
                out.waypoints = Some(Waypoints { nodes, links: Streamed::at(mark) });
            }
        }
        out
    }

    fn tileset(&mut self, doc: &DocPath, tileset: &model::Tileset) -> Tileset<T::Value> {
        let image = doc.beside(&tileset.image).map(|image| self.images.exported(&image));
        let [w, h] = tileset.tile_size.map(f64::from);
        let mut tile = |(id, tile): (&u32, &model::TileDef)| Tile {
            id: *id,
            name: tile.name.clone(),
            source: tileset.source_px(tile),
            solid: match &tile.shape {
                TileShape::None => Vec::new(),
                TileShape::Full => vec![[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]],
                TileShape::Polygon(points) => points.clone(),
            },
            one_way: tile.one_way,
            friction: tile.friction,
            ladder: tile.ladder,
            water: tile.water,
            conveyor: tile.conveyor,
            cost: tile.cost.iter().map(|(kind, cost)| (text(kind), *cost)).collect(),
            tags: tile.tags.clone(),
            frames: tile.frames.iter().map(|frame| Frame { tile: frame.tile, secs: frame.secs }).collect(),
            fields: self.custom(FieldsOf::Tile, &tile.fields),
        };
        Tileset {
            image: image.unwrap_or_default(),
            tile_size: tileset.tile_size,
            tiles: tileset.tiles.iter().map(&mut tile).collect(),
        }
    }

    fn machine(&mut self, machine: &model::Machine) -> Machine<T::Value> {
        let paths: Vec<Name> = std::iter::once(Name::from("")).chain(machine.paths()).collect();
        let states = paths.iter().filter_map(|path| Some(self.state(machine, path, machine.state(path)?)));
        Machine { states: states.collect() }
    }

    fn state(&mut self, machine: &model::Machine, path: &str, state: &model::State) -> State<T::Value> {
        let within = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
        let parent = path.rsplit_once('/').map(|(parent, _)| parent.to_owned());
        let initial = state.initial.as_ref().map(|initial| {
            // A child's own name first: it need not be unique in the machine.
            if state.states.contains_key(initial) { within(initial) } else { found(machine, initial) }
        });
        State {
            path: path.to_owned(),
            parent: (!path.is_empty()).then(|| parent.unwrap_or_default()),
            children: state.states.keys().map(|name| within(name)).collect(),
            initial,
            enter: self.actions(&state.enter),
            exit: self.actions(&state.exit),
            update: self.actions(&state.update),
            on: state.on.iter().map(|(message, calls)| (text(message), self.actions(calls))).collect(),
            transitions: state.transitions.iter().map(|transition| self.transition(machine, transition)).collect(),
        }
    }

    fn transition(&mut self, machine: &model::Machine, transition: &model::Transition) -> Transition<T::Value> {
        let mut out = Transition {
            when: None,
            on: None,
            after: None,
            guard: transition.guard.as_ref().map(|guard| self.condition(guard)),
            actions: self.actions(&transition.actions),
            to: found(machine, &transition.to),
        };
        match &transition.trigger {
            model::Trigger::When(condition) => out.when = Some(self.condition(condition)),
            model::Trigger::On(message) => out.on = Some(text(message)),
            model::Trigger::After(secs) => out.after = Some(*secs),
        }
        out
    }

    fn condition(&mut self, condition: &model::Condition) -> Condition<T::Value> {
        let all = |of: &[model::Condition], build: &mut Self| of.iter().map(|inner| build.condition(inner)).collect();
        match condition {
            model::Condition::Call(call) => {
                let spec = self.schema.conditions.get(&call.name);
                Condition::Call(self.call(call, spec))
            }
            model::Condition::All(of) => Condition::All(all(of, self)),
            model::Condition::Any(of) => Condition::Any(all(of, self)),
            model::Condition::Not(inner) => Condition::Not(Box::new(self.condition(inner))),
        }
    }

    fn actions(&mut self, calls: &[model::Call]) -> Vec<Call<T::Value>> {
        let schema = self.schema;
        calls.iter().map(|call| self.call(call, schema.actions.get(&call.name))).collect()
    }

    fn call(&mut self, call: &model::Call, spec: Option<&CallSpec>) -> Call<T::Value> {
        let nothing = IndexMap::new();
        let specs = spec.map_or(&nothing, |spec| &spec.args);
        Call { name: text(&call.name), args: self.completed(specs, &call.args) }
    }

    /// The custom fields of a level, layer or tile.
    fn custom(&mut self, of: FieldsOf, fields: &Fields) -> IndexMap<String, T::Value> {
        self.completed(of.specs(self.schema), fields)
    }

    /// Every declared field, given or by default.
    fn completed(&mut self, specs: &IndexMap<Name, FieldSpec>, given: &Fields) -> IndexMap<String, T::Value> {
        let all = complete_fields(specs, given, &mut self.images);
        let write = |(name, value): (&Name, &Value)| {
            let ty = specs.get(name).map_or(&FieldType::Any, |spec| &spec.ty);
            (text(name), T::write(ty, value))
        };
        all.iter().map(write).collect()
    }
}

/// The path that a state's address means; the address itself where it means none, which `check` reports.
fn found(machine: &model::Machine, address: &str) -> String {
    machine.find(address).map_or_else(|_| address.to_owned(), |path| path.to_string())
}

pub(super) fn link(link: &model::Link) -> Link {
    Link {
        from: text(&link.from),
        to: text(&link.to),
        cost: link.cost.unwrap_or_default(),
        one_way: link.one_way,
        by: if link.by == model::LinkBy::Hand { LinkBy::Hand } else { LinkBy::Auto },
    }
}

/// A chunk of tiles, by its place among the chunks of its layer.
pub(super) fn chunk([x, y]: model::Cell, chunk: &model::Chunk) -> Chunk {
    let number = |tile: model::Tile| {
        let flag = |on: bool, bit: u32| if on { 1_i64 << bit } else { 0 };
        tile.id().map_or(-1, |id| {
            i64::from(id) | flag(tile.flip_d(), 29) | flag(tile.flip_v(), 30) | flag(tile.flip_h(), 31)
        })
    };
    let rows = chunk.rows().map(|row| row.into_iter().map(number).collect()).collect();
    Chunk { at: [x * model::CHUNK, y * model::CHUNK], rows }
}

/// A chunk of values, likewise.
pub(super) fn value_chunk([x, y]: model::Cell, chunk: &model::Chunk) -> ValueChunk {
    let rows = chunk.rows().map(|row| row.iter().map(|tile| tile.id().unwrap_or(0)).collect()).collect();
    ValueChunk { at: [x * model::CHUNK, y * model::CHUNK], rows }
}

/// Whether values of a type can name images or sounds.
fn has_images(ty: &FieldType) -> bool {
    match ty {
        FieldType::Image | FieldType::Sound => true,
        FieldType::Option(inner) | FieldType::List(inner) | FieldType::Map(inner) => has_images(inner),
        FieldType::Struct(fields) => fields.values().any(|spec| has_images(&spec.ty)),
        _ => false,
    }
}

/// The names of the groups around a layer, from the outside.
fn names_around(level: &model::Level, number: usize) -> Vec<String> {
    level.groups_around(number).into_iter().map(|group| text(&group.name)).collect()
}

/// A layer's tint with those of the groups around it; as it is written where they change nothing.
fn tint(layer: &model::Layer, look: &LayerLook) -> String {
    if look.tint == layer.tint_rgba() { text(&layer.tint) } else { color_text(look.tint) }
}
