//! From a project to a world; new entities, and what is derived from their fields.
//!
//! Invariant: what is wrong with one entity or machine costs that one and a finding, never the world.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use glam::Vec2;
use slotmap::SlotMap;

use crate::{
    defs::{Resolution, Resolved},
    model::{DocPath, Finding, Instance, Location, Name, Project, Value},
    sim::{
        EntityKey,
        behavior::{MailQueue, Symbols, compile},
        grid::SolidGrid,
        limits,
        nav::Navigator,
        physics::{BodySpec, Physics, PhysicsConfig, Pose},
        random::Stream,
    },
};

use super::{
    Options, Rules, TraceKind, World,
    clips::ClipState,
    entity::{Entity, Life, Running},
    input::Input,
    movement::Movement,
};

/// Components the physics reads.
const BODILY: [&str; 5] = ["Body", "Collider", "Walker", "Flyer", "Platform"];

impl World {
    /// Make the world of a level. What is wrong with single entities or machines is in [`World::findings`] and they are
    /// left out; the rest runs. Machines are started by the first [`World::step`].
    ///
    /// # Errors
    /// The level does not exist or is not readable.
    pub fn compile(
        project: &Project,
        resolution: &Resolution,
        level: &str,
        options: Options,
    ) -> Result<Self, Vec<Finding>> {
        let mut symbols = Symbols::default();
        let mut findings = Vec::new();
        let rules = rules(project, resolution, level, None, &mut symbols, &mut findings)?;
        let tuning = tuning(resolution);
        let seed = options.seed.unwrap_or_else(|| {
            let seed = resolution.tunable("Simulation.seed").and_then(|tunable| tunable.value.as_i64());
            seed.unwrap_or(1).cast_unsigned()
        });
        let mut world = Self {
            navigator: Navigator::new(&rules.level, rules.grid.clone()),
            physics: Physics::new(PhysicsConfig::default()),
            rules: Arc::new(rules),
            symbols: Arc::new(symbols),
            seed,
            tick: 0,
            entities: SlotMap::with_key(),
            ids: Arc::default(),
            groups: Arc::default(),
            mail: MailQueue::default(),
            tuning: Arc::new(tuning),
            events: Vec::new(),
            findings,
            limited_tuning: BTreeMap::new(),
            possessed: None,
            input: Input::NONE,
            delivered: 0,
            work: 0,
            overload: None,
            n_spawned: 0,
            born: Vec::new(),
            doomed: Vec::new(),
        };
        world.limit_tuning();
        world.report_shortened_links();
        world.physics.set_config(world.physics_config());
        world.physics.set_grid(&world.rules.grid);
        let rules = world.rules.clone();
        for (layer, id, instance) in rules.level.entities() {
            if !world.place_instance(layer, id, instance) {
                break;
            }
        }
        Ok(world)
    }

    /// Put an entity of the level into the world, unless its definition cannot be placed. False when the world is full.
    pub(super) fn place_instance(&mut self, layer: usize, id: &Name, instance: &Instance) -> bool {
        if self.entities.len() >= limits::MAX_ENTITIES {
            self.overloaded(format!("the level places more than {} entities", limits::MAX_ENTITIES));
            return false;
        }
        let rules = self.rules.clone();
        let (resolved, found) = rules.resolution.instance(&rules.level_doc, layer, id, instance);
        self.findings.extend(found);
        if rules.resolution.defs.get(&instance.def).is_some_and(|def| !def.is_abstract) {
            let placed = Some((instance.at, instance.rotation));
            #[expect(clippy::cast_possible_truncation, reason = "an angle")]
            let angle = instance.rotation.to_radians() as f32;
            let pos = place(instance.at);
            self.insert(id.clone(), &instance.def, Arc::new(resolved), layer, placed, pos, angle);
        }
        true
    }

    /// Put an entity into the world, with its machines not yet started.
    #[expect(clippy::too_many_arguments, reason = "each says a different thing about the newcomer")]
    pub(super) fn insert(
        &mut self,
        id: Name,
        def: &Name,
        resolved: Arc<Resolved>,
        layer: usize,
        placed_at: Option<([f64; 2], f64)>,
        pos: Vec2,
        angle: f32,
    ) -> EntityKey {
        let mut entity = Entity {
            random: Stream::new(self.seed, &id),
            id: id.clone(),
            def: def.clone(),
            layer,
            placed_at,
            base: resolved.clone(),
            live: resolved,
            changes: BTreeMap::new(),
            tags: Vec::new(),
            pose: Pose { pos, angle, ..Pose::default() },
            has_body: false,
            life: None,
            machines: Vec::new(),
            queue: VecDeque::new(),
            next_machine: 0,
            since: self.tick,
            wishes: Vec::new(),
            is_deleted: false,
            movement: Movement::new(Vec2::from_angle(angle)),
            clip: ClipState::default(),
            saying: None,
            watchers: Vec::new(),
            limited: Vec::new(),
            reported: Arc::default(),
            log: Arc::default(),
        };
        entity.limit();
        entity.read_tags();
        entity.life = entity.live.f64("Health", "max").map(|max| Life { now: max, is_dead: false });
        let clip = entity.text("Sprite", "clip").to_owned();
        entity.play(&clip, true);
        let key = self.entities.insert(entity);
        Arc::make_mut(&mut self.ids).insert(id, key);
        if let Some(entity) = self.entities.get(key) {
            Arc::make_mut(&mut self.groups).add(key, entity);
        }
        self.report_limits(key);
        self.put_at(key, pos);
        self.spawn_body(key);
        self.add_machines(key);
        key
    }

    fn spawn_body(&mut self, key: EntityKey) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        if !BODILY.iter().any(|component| entity.live.has(component)) {
            return;
        }
        let made = BodySpec::from_resolved(&entity.live, &self.rules.resolution.schema);
        let done = made.and_then(|spec| self.physics.spawn(key, &spec, entity.pose.pos, entity.pose.angle));
        match done {
            Ok(()) => {
                entity.has_body = true;
                entity.pose = self.physics.pose(key).unwrap_or(entity.pose);
            }
            Err(why) => self.trouble(key, format!("it has no body: {why}")),
        }
    }

    /// The machines its `Brain` lists and it does not have yet.
    fn add_machines(&mut self, key: EntityKey) {
        for (field, is_queue) in [("machines", false), ("queue", true)] {
            let Some(entity) = self.entities.get(key) else { return };
            for name in machine_names(&entity.live, field) {
                let Some(program) = self.rules.programs.get(&name).cloned() else {
                    self.trouble(key, format!("there is no machine `{name}`"));
                    continue;
                };
                let Some(entity) = self.entities.get_mut(key) else { return };
                let uid = entity.next_machine;
                entity.next_machine += 1;
                let cursor = crate::sim::behavior::Cursor::new(&program);
                let running = Some(Running { uid, program, cursor });
                if is_queue {
                    entity.queue.push_back(running);
                } else {
                    entity.machines.push(running);
                }
            }
        }
    }

    /// Make an entity of a definition, moving. Its machines are started after the response under way.
    pub(super) fn spawn(&mut self, def: &Name, pos: Vec2, velocity: Vec2, layer: usize) -> Result<EntityKey, String> {
        let Some(resolved) = self.rules.resolution.defs.get(def).cloned() else {
            return Err(format!("there is no definition `{def}`"));
        };
        if resolved.is_abstract {
            return Err(format!("`{def}` is abstract"));
        }
        if self.entities.len() >= limits::MAX_ENTITIES || self.born.len() >= limits::MAX_DELIVERIES {
            let why = "there are too many entities";
            self.overloaded(format!("`{def}` was not spawned: {why}, {} of them", self.entities.len()));
            return Err(why.to_owned());
        }
        let id: Name = loop {
            self.n_spawned += 1;
            let id = format!("{def}#{}", self.n_spawned);
            if !self.ids.contains_key(&*id) {
                break id.into();
            }
        };
        let key = self.insert(id, def, resolved, layer, None, pos, 0.0);
        if velocity != Vec2::ZERO {
            self.physics.set_velocity(key, velocity);
            let velocity = limits::velocity(velocity);
            if let Some(entity) = self.entities.get_mut(key) {
                entity.pose.vel = velocity;
                entity.movement.facing = velocity.try_normalize().unwrap_or(Vec2::X);
                if velocity.x != 0.0 && entity.live.get("Sprite", "face_motion").and_then(Value::as_bool) != Some(false)
                {
                    entity.clip.flip_h = velocity.x < 0.0;
                }
            }
        }
        self.born.push(key);
        self.emit(key, None, TraceKind::Spawn { def: def.clone() });
        Ok(key)
    }

    /// A field changed: bring what is derived from it up to date.
    pub(super) fn refresh(&mut self, key: EntityKey, path: &str) {
        let component = path.split_once('.').map_or(path, |(component, _)| component);
        let Some(entity) = self.entities.get_mut(key) else { return };
        match component {
            "Tags" => {
                entity.read_tags();
                Arc::make_mut(&mut self.groups).remove(key);
                Arc::make_mut(&mut self.groups).add(key, entity);
            }
            "Sprite" if path == "Sprite.clip" => {
                let clip = entity.text("Sprite", "clip").to_owned();
                entity.play(&clip, true);
            }
            _ if BODILY.contains(&component) => {
                if path == "Body.velocity" {
                    let velocity = entity.value(path).and_then(crate::sim::behavior::vocabulary::vec2);
                    self.physics.set_velocity(key, velocity.unwrap_or_default());
                } else {
                    self.respec(key);
                }
                if component == "Platform" {
                    self.forget_platform(key);
                }
            }
            _ => {}
        }
    }

    pub(super) fn respec(&mut self, key: EntityKey) {
        let Some(entity) = self.entities.get(key) else { return };
        if !BODILY.iter().any(|component| entity.live.has(component)) {
            self.physics.despawn(key);
            if let Some(entity) = self.entities.get_mut(key) {
                entity.has_body = false;
            }
        } else if !entity.has_body {
            self.spawn_body(key);
        } else {
            let made = BodySpec::from_resolved(&entity.live, &self.rules.resolution.schema);
            if let Err(why) = made.and_then(|spec| self.physics.respec(key, &spec)) {
                self.trouble(key, format!("its body stays as it was: {why}"));
            }
        }
    }

    pub(super) fn physics_config(&self) -> PhysicsConfig {
        PhysicsConfig {
            view: self.rules.view,
            gravity_px_s2: self.constant("Physics.gravity", 900.0),
            pixels_per_meter: self.constant("Physics.pixels_per_meter", 16.0),
            dt_secs: self.dt(),
            top_down_damping: self.constant("Physics.top_down_damping", 6.0),
            contact_speed: self.constant("Physics.contact_speed", 1.0),
        }
    }
}

/// The names of a list of machines in `Brain`.
pub(super) fn machine_names(resolved: &Resolved, field: &str) -> Vec<Name> {
    let list = resolved.get("Brain", field).and_then(Value::as_list).unwrap_or_default();
    list.iter().filter_map(Value::as_str).map(Into::into).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "positions are pixels")]
pub(super) fn place(at: [f64; 2]) -> Vec2 {
    Vec2::new(at[0] as f32, at[1] as f32)
}

pub(super) fn tuning(resolution: &Resolution) -> BTreeMap<Name, Value> {
    let pages = resolution.pages.iter();
    let values = pages.flat_map(|page| {
        page.values.iter().map(|(name, tunable, _)| (format!("{}.{name}", page.name).into(), tunable.value.clone()))
    });
    values.collect()
}

/// Everything about a level that does not change while it runs. What did not change since `old` keeps its pointers.
pub(super) fn rules(
    project: &Project,
    resolution: &Resolution,
    level: &str,
    old: Option<&Rules>,
    symbols: &mut Symbols,
    findings: &mut Vec<Finding>,
) -> Result<Rules, Vec<Finding>> {
    use crate::model::Document;
    use crate::sim::grid::GridChange;
    let missing = || {
        let doc = DocPath::new(&format!("levels/{level}.ron")).or_else(|| DocPath::new("project.ron"));
        let text = format!("there is no level `{level}`");
        let found = doc.map(|doc| Finding::error("missing-level", Location::doc(doc), text));
        found.into_iter().collect::<Vec<_>>()
    };
    let level_doc = resolution.levels.get(level).ok_or_else(missing)?;
    let data = project.level(level_doc).ok_or_else(missing)?;
    let data = match old {
        Some(old) if *old.level == *data => old.level.clone(),
        _ => Arc::new(data.clone()),
    };
    let tileset = |name: &str| project.tileset(resolution.tilesets.get(name)?);
    let (grid, change) = match old {
        Some(old) => {
            let mut grid = SolidGrid::clone(&old.grid);
            match grid.update(&data, tileset) {
                GridChange::Nothing => (old.grid.clone(), GridChange::Nothing),
                change => (Arc::new(grid), change),
            }
        }
        None => (Arc::new(SolidGrid::new(&data, tileset)), GridChange::All),
    };
    let mut programs = BTreeMap::new();
    let mut sources = BTreeMap::new();
    for (name, doc) in &resolution.machines {
        let Some(Document::Machines(file)) = project.doc(doc).map(|doc| &**doc) else { continue };
        let Some(machine) = file.machines.get(name) else { continue };
        let same = old.filter(|old| {
            Arc::ptr_eq(&old.resolution.schema, &resolution.schema)
                && old.sources.get(name).is_some_and(|source| Arc::ptr_eq(source, machine))
        });
        let program = match same.and_then(|old| old.programs.get(name)) {
            Some(program) => program.clone(),
            None => Arc::new(compile(name, machine, doc, &resolution.schema, symbols, findings)),
        };
        programs.insert(name.clone(), program);
        sources.insert(name.clone(), machine.clone());
    }
    let amount = resolution.schema.messages.get("Damaged").and_then(|message| message.payload.get("amount"));
    Ok(Rules {
        level_name: level.into(),
        level_doc: level_doc.clone(),
        view: project.view_of(&data),
        level: data,
        // Ticks are counted, so their length stays what it was when the world was made.
        hz: old.map_or_else(
            || resolution.tuning_f64("Simulation.timestep_hz").unwrap_or(64.0).clamp(10.0, 1000.0),
            |old| old.hz,
        ),
        resolution: resolution.clone(),
        programs,
        sources,
        grid,
        change,
        damaged: symbols.intern("Damaged"),
        healed: symbols.intern("Healed"),
        dead: symbols.intern("Dead"),
        contact: symbols.intern("Contact"),
        contact_end: symbols.intern("ContactEnd"),
        arrived: symbols.intern("Arrived"),
        blocked: symbols.intern("Blocked"),
        clip_ended: symbols.intern("ClipEnded"),
        default_amount: amount.and_then(|spec| spec.default_value().as_f64()).unwrap_or(1.0),
    })
}
