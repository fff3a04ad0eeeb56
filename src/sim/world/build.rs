//! Makes a world from a project; adds entities, and derives data from their fields.
//!
//! Invariant: a fault in one entity or machine leaves out only that one and adds a finding; the world is made.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use glam::Vec2;
use slotmap::SlotMap;

use crate::{
    defs::{Resolution, Resolved},
    model::{DocPath, FieldPath, Finding, Instance, Location, Name, Project, Value},
    sim::{
        EntityKey,
        behavior::{MailQueue, Symbols, compile},
        components::Components,
        grid::SolidGrid,
        limits,
        nav::Navigator,
        physics::{Physics, PhysicsConfig, Pose, convex::around},
        random::Stream,
    },
};

use super::{
    Options, TraceKind, World,
    clips::ClipState,
    constants::{Constants, constant, hz_of},
    entity::{Cause, Entity, Life, Running},
    input::{Actions, Input},
    order::Movement,
    rules::Rules,
};

impl World {
    /// Make the world of a level. Faulty entities and machines are left out and listed in [`World::findings`]; the rest
    /// runs. Machines are started by the first [`World::step`].
    ///
    /// # Errors
    /// If the level does not exist or cannot be read.
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
        let seed = options.seed.unwrap_or_else(|| constant::<i64>(resolution, "Simulation.seed").cast_unsigned());
        let constants = Constants::of(&tuning, resolution.builtin());
        let mut world = Self {
            navigator: Navigator::new(&rules.level, rules.grid.clone()),
            still_revision: 0,
            physics: Physics::new(physics_config(&constants, &rules)),
            joints_changed: true,
            breaking: Vec::new(),
            rules: Arc::new(rules),
            symbols: Arc::new(symbols),
            seed,
            tick: 0,
            entities: SlotMap::with_key(),
            ids: Arc::default(),
            last_read: Arc::default(),
            groups: Arc::default(),
            mail: MailQueue::default(),
            tuning: Arc::new(tuning),
            constants: Arc::new(constants),
            events: Vec::new(),
            findings,
            limited_tuning: BTreeMap::new(),
            possessed: None,
            hand: super::Hand::Empty,
            input: Input::NONE,
            before: Input::NONE,
            delivered: 0,
            work: 0,
            overload: None,
            n_spawned: 0,
            born: Vec::new(),
            n_born: 0,
            to_despawn: Vec::new(),
            watchers_of_gone: BTreeMap::new(),
        };
        world.limit_tuning();
        world.report_shortened_links();
        world.report_cut_layers();
        world.physics.set_config(world.physics_config());
        world.physics.set_grid(&world.rules.grid);
        let rules = world.rules.clone();
        let paths = rules.level.layer_paths();
        // By id, so that the order in the file does not affect the run.
        let mut placed: Vec<_> = rules.level.entities().collect();
        placed.sort_by(|a, b| a.1.cmp(b.1));
        for (layer, id, instance) in placed {
            if !world.place_instance((layer, &paths), id, instance) {
                break;
            }
        }
        let carried: Vec<EntityKey> = world.physics.carried().collect();
        carried.into_iter().for_each(|key| world.note_rest(key));
        world.follow_bodies();
        Ok(world)
    }

    /// Add an entity of the level, unless its definition cannot be placed. Returns false if the world is full. Its
    /// layer is given by number, with the offsets of all layers in the level.
    pub(super) fn place_instance(
        &mut self,
        (layer, paths): (usize, &[FieldPath]),
        id: &Name,
        instance: &Instance,
    ) -> bool {
        if self.entities.len() >= limits::MAX_ENTITIES {
            self.overloaded(format!("the level places more than {} entities", limits::MAX_ENTITIES));
            return false;
        }
        let rules = self.rules.clone();
        let Some(at) = paths.get(layer) else { return true };
        let (resolved, found) = rules.resolution.instance(&rules.level_doc, at, id, instance);
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

    /// Add an entity to the world, with its machines not yet started.
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
            live: resolved.clone(),
            changes: BTreeMap::new(),
            components: Arc::default(),
            pose: Pose { pos, angle, ..Pose::default() },
            before: (pos, angle),
            has_body: false,
            life: None,
            machines: Vec::new(),
            queue: VecDeque::new(),
            next_machine: 0,
            acceleration: Vec2::ZERO,
            since: self.tick,
            deferred: Vec::new(),
            is_deleted: false,
            is_outside: self.rules.beyond(around([pos])).is_some(),
            movement: Movement::new(Vec2::from_angle(angle)),
            clip: ClipState::default(),
            tracks: BTreeMap::new(),
            saying: None,
            watchers: Vec::new(),
            broken_joint: None,
            limited: Vec::new(),
            reported: Arc::default(),
            log: Arc::default(),
        };
        entity.rebase(resolved, &self.rules, &mut self.last_read);
        entity.life = entity.components.max_health.map(|max| Life { now: max, is_dead: false });
        entity.play_first();
        let key = self.entities.insert(Box::new(entity));
        Arc::make_mut(&mut self.ids).insert(id, key);
        if let Some(entity) = self.entities.get(key) {
            Arc::make_mut(&mut self.groups).put(key, entity);
        }
        self.report_limits(key);
        self.put_at(key, pos);
        self.spawn_body(key);
        self.settle_tracks(key);
        self.add_machines(key);
        self.joints_changed = true;
        // Its tracks may put it at another place than the level does.
        if let Some(entity) = self.entities.get_mut(key) {
            entity.jumped();
        }
        key
    }

    fn spawn_body(&mut self, key: EntityKey) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        let made = entity.components.body_spec().transpose();
        let Some(made) = made else { return };
        let done = made.and_then(|spec| self.physics.spawn(key, &spec, entity.pose.pos, entity.pose.angle));
        match done {
            Ok(()) => {
                entity.has_body = true;
                entity.pose = self.physics.pose(key).unwrap_or(entity.pose);
            }
            Err(why) => self.report_once(
                key,
                Cause::Body("preview-body"),
                "preview-body",
                format!("it has no body: {why}"),
                None,
            ),
        }
    }

    /// Add the machines that its `Brain` lists and it does not have yet.
    fn add_machines(&mut self, key: EntityKey) {
        let Some(entity) = self.entities.get(key) else { return };
        let components = entity.components.clone();
        for (names, is_queue) in [(&components.brain.machines, false), (&components.brain.queue, true)] {
            for name in names {
                let Some(program) = self.rules.programs.get(name).cloned() else {
                    self.report_problem(key, format!("there is no machine `{name}`"));
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

    /// Add a moving entity of a definition. Its machines are started after the current response.
    pub(super) fn spawn(&mut self, def: &Name, pos: Vec2, velocity: Vec2, layer: usize) -> Result<EntityKey, String> {
        let Some(resolved) = self.rules.resolution.defs.get(def).cloned() else {
            return Err(format!("there is no definition `{def}`"));
        };
        if resolved.is_abstract {
            return Err(format!("`{def}` is abstract"));
        }
        let why = if self.entities.len() >= limits::MAX_ENTITIES {
            Some(format!("there are too many entities, {} of them", self.entities.len()))
        } else if self.n_born >= limits::MAX_DELIVERIES {
            Some(format!("more than {} entities in one tick", limits::MAX_DELIVERIES))
        } else {
            None
        };
        if let Some(why) = why {
            self.overloaded(format!("`{def}` was not spawned: {why}"));
            return Err(why);
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
                entity.face(velocity.x);
            }
        }
        self.born.push(key);
        self.n_born += 1;
        self.emit(key, None, TraceKind::Spawn { def: def.clone() });
        Ok(key)
    }

    /// Update what is derived from a field that has changed.
    pub(super) fn refresh(&mut self, key: EntityKey, path: &str) {
        let component = path.split_once('.').map_or(path, |(component, _)| component);
        self.joints_changed |= component == "Joint" || Components::is_bodily(component);
        let Some(entity) = self.entities.get_mut(key) else { return };
        match component {
            "Tags" | "Joint" => Arc::make_mut(&mut self.groups).put(key, entity),
            "Sprite" if path == "Sprite.clip" => entity.play_first(),
            _ if Components::is_bodily(component) => {
                if path == "Body.velocity" {
                    let velocity = entity.value(path).and_then(crate::sim::behavior::vocabulary::vec2);
                    self.physics.set_velocity(key, velocity.unwrap_or_default());
                } else {
                    self.respec(key);
                }
                if path == "Platform.route" {
                    self.forget_platform(key);
                }
                if component == "Tracks" {
                    self.settle_tracks(key);
                }
            }
            _ => {}
        }
    }

    pub(super) fn respec(&mut self, key: EntityKey) {
        let Some(entity) = self.entities.get(key) else { return };
        match entity.components.body_spec().transpose() {
            None => {
                self.physics.despawn(key);
                if let Some(entity) = self.entities.get_mut(key) {
                    entity.has_body = false;
                }
            }
            Some(_) if !entity.has_body => self.spawn_body(key),
            Some(made) => {
                if let Err(why) = made.and_then(|spec| self.physics.respec(key, &spec)) {
                    self.report_problem(key, format!("its body stays as it was: {why}"));
                }
            }
        }
    }

    pub(super) fn physics_config(&self) -> PhysicsConfig {
        physics_config(&self.constants, &self.rules)
    }
}

fn physics_config(constants: &Constants, rules: &Rules) -> PhysicsConfig {
    PhysicsConfig {
        view: rules.view,
        gravity_px_s2: constants.gravity,
        pixels_per_meter: constants.pixels_per_meter,
        dt_secs: rules.dt(),
        top_down_damping: constants.top_down_damping,
        contact_speed: constants.contact_speed,
        crush_depth: constants.crush_depth,
        solver: constants.solver.clone(),
    }
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

/// Everything about a level that does not change while it runs. Parts unchanged since `old` keep their pointers.
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
    let document = project.doc(level_doc).ok_or_else(missing)?.clone();
    let data = match old {
        // Comparing the levels takes longer.
        Some(old) if Arc::ptr_eq(&old.document, &document) || *old.level == *data => old.level.clone(),
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
                && old.sources.get(name).is_some_and(|source| Arc::ptr_eq(source, machine) || source == machine)
        });
        let program = match same.and_then(|old| old.programs.get(name)) {
            Some(program) => program.clone(),
            None => Arc::new(compile(name, machine, doc, &resolution.schema, symbols, findings)),
        };
        programs.insert(name.clone(), program);
        sources.insert(name.clone(), machine.clone());
    }
    let amount = [&resolution.schema, &resolution.builtin().schema].into_iter().find_map(|schema| {
        let amount = schema.messages.get("Damaged")?.payload.get("amount")?;
        amount.default_value().as_f64()
    });
    Ok(Rules {
        level_name: level.into(),
        level_doc: level_doc.clone(),
        document,
        view: project.view_of(&data),
        level: data,
        // Ticks are counted, so their length stays as it was when the world was made.
        hz: old.map_or_else(|| hz_of(resolution), |old| old.hz),
        resolution: resolution.clone(),
        actions: Actions::of(resolution),
        bare: Components::none(resolution),
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
        crushed: symbols.intern("Crushed"),
        broken: symbols.intern("Broken"),
        joint_broken: symbols.intern("JointBroken"),
        left_level: symbols.intern("LeftLevel"),
        clip_ended: symbols.intern("ClipEnded"),
        pressed: symbols.intern("Pressed"),
        released: symbols.intern("Released"),
        default_amount: amount.unwrap_or_default(),
    })
}
