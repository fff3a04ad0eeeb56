//! From a project to a world, and from a world of one project to that of an edited one.
//!
//! Invariant: what is wrong with one entity or machine costs that one and a finding, never the world; a migrated world
//! keeps whatever still exists.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use glam::Vec2;
use slotmap::SlotMap;

use crate::{
    defs::{Resolution, Resolved},
    model::{DocPath, Finding, Location, Name, Project, Value},
    sim::{
        EntityKey,
        behavior::{MailQueue, Program, Symbols, compile},
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
            if world.entities.len() >= limits::MAX_ENTITIES {
                world.overloaded(format!("the level places more than {} entities", limits::MAX_ENTITIES));
                break;
            }
            let (resolved, found) = rules.resolution.instance(&rules.level_doc, layer, id, instance);
            world.findings.extend(found);
            let placeable = resolution.defs.get(&instance.def).is_some_and(|def| !def.is_abstract);
            if placeable {
                let placed = Some((instance.at, instance.rotation));
                let pos = place(instance.at);
                #[expect(clippy::cast_possible_truncation, reason = "an angle")]
                let angle = instance.rotation.to_radians() as f32;
                world.insert(id.clone(), &instance.def, Arc::new(resolved), layer, placed, pos, angle);
            }
        }
        Ok(world)
    }

    /// Put an entity into the world, with its machines not yet started.
    #[expect(clippy::too_many_arguments, reason = "each says a different thing about the newcomer")]
    fn insert(
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
        let near = limits::place(pos);
        if near != pos {
            self.limit_reached(key, "its place", &vec_value(pos), &vec_value(near));
            if let Some(entity) = self.entities.get_mut(key) {
                entity.pose.pos = near;
            }
        }
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

    fn respec(&mut self, key: EntityKey) {
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

    /// The same moment of an edited project: poses, velocities, machine states, timers and life stay. A machine whose state
    /// is gone goes to the nearest surviving ancestor's `initial`, with a hint. An entity whose place in the level was
    /// changed is put there.
    ///
    /// # Errors
    /// The level is gone; this world is still good.
    pub fn migrate(&self, project: &Project, resolution: &Resolution) -> Result<Self, Vec<Finding>> {
        let mut next = self.clone();
        let mut findings = Vec::new();
        let symbols = Arc::make_mut(&mut next.symbols);
        let rules = rules(project, resolution, &self.rules.level_name, Some(&self.rules), symbols, &mut findings)?;
        let old_rules = std::mem::replace(&mut next.rules, Arc::new(rules));
        let rules = next.rules.clone();
        // A constant that was turned while the world ran and not in the project stays as it was turned.
        let (was, is) = (tuning(&old_rules.resolution), tuning(resolution));
        let turned =
            self.tuning.iter().filter(|(name, value)| was.get(*name) != Some(*value) && is.contains_key(*name));
        let turned: Vec<_> = turned.map(|(name, value)| (name.clone(), value.clone())).collect();
        let mut tuning = is.clone();
        tuning.extend(turned.into_iter().filter(|(name, _)| was.get(name) == is.get(name)));
        next.tuning = Arc::new(tuning);
        next.findings = findings;
        next.limit_tuning();
        next.physics.set_config(next.physics_config());
        next.migrate_grid(&old_rules);

        let keys: Vec<EntityKey> = next.entities.keys().collect();
        for key in keys {
            next.migrate_entity(key, &old_rules);
        }
        for (layer, id, instance) in rules.level.entities() {
            let placeable = resolution.defs.get(&instance.def).is_some_and(|def| !def.is_abstract);
            // One that was there before and is gone now was removed by the game.
            let is_new = old_rules.level.entity(id).is_none() || old_rules.resolution.defs.get(&instance.def).is_none();
            if placeable && is_new && !next.ids.contains_key(id) {
                let (resolved, found) = rules.resolution.instance(&rules.level_doc, layer, id, instance);
                next.findings.extend(found);
                let placed = Some((instance.at, instance.rotation));
                #[expect(clippy::cast_possible_truncation, reason = "an angle")]
                let angle = instance.rotation.to_radians() as f32;
                let pos = place(instance.at);
                let key = next.insert(id.clone(), &instance.def, Arc::new(resolved), layer, placed, pos, angle);
                if next.tick > 0 {
                    next.born.push(key);
                    next.honor(key);
                }
            }
        }
        Ok(next)
    }

    fn migrate_grid(&mut self, old: &Rules) {
        use crate::sim::grid::GridChange;
        let change = if Arc::ptr_eq(&old.grid, &self.rules.grid) { &GridChange::Nothing } else { &self.rules.change };
        match change {
            GridChange::Nothing => {}
            GridChange::Chunks(chunks) => {
                chunks.iter().for_each(|chunk| self.physics.update_chunk(&self.rules.grid, *chunk));
            }
            GridChange::All => self.physics.set_grid(&self.rules.grid),
        }
        self.navigator.update(&self.rules.level, self.rules.grid.clone(), change);
    }

    fn migrate_entity(&mut self, key: EntityKey, old_rules: &Rules) {
        let rules = self.rules.clone();
        let Some(entity) = self.entities.get(key) else { return };
        let (resolved, placed) = match &entity.placed_at {
            None => match rules.resolution.defs.get(&entity.def) {
                Some(resolved) => (resolved.clone(), None),
                // What it is an instance of is broken or gone for now: it goes on as it was.
                None => (entity.base.clone(), None),
            },
            Some(_) => match rules.level.entity(&entity.id) {
                None => {
                    self.doom(key);
                    self.honor(key);
                    return;
                }
                Some((layer, instance)) => {
                    if !rules.resolution.defs.contains_key(&instance.def) {
                        return;
                    }
                    let id = entity.id.clone();
                    let (resolved, found) = rules.resolution.instance(&rules.level_doc, layer, &id, instance);
                    self.findings.extend(found);
                    (Arc::new(resolved), Some((layer, instance.clone())))
                }
            },
        };
        let Some(entity) = self.entities.get_mut(key) else { return };
        let was_listed = machine_names(&entity.live, "machines");
        let is_same = *entity.base == *resolved;
        if !is_same {
            let max_before = entity.live.f64("Health", "max");
            entity.rebase(resolved);
            let max = entity.live.f64("Health", "max");
            entity.life = max.map(|max| {
                let life = entity.life.filter(|_| max_before.is_some());
                life.map_or(Life { now: max, is_dead: false }, |life| Life { now: life.now.min(max), ..life })
            });
            if let Some(name) = entity.clip.name.clone() {
                entity.play(&name, true);
            }
        }
        self.report_limits(key);
        let Some(entity) = self.entities.get_mut(key) else { return };
        if let Some((layer, instance)) = placed {
            let moved =
                entity.placed_at.is_some_and(|(at, rotation)| (at, rotation) != (instance.at, instance.rotation));
            entity.layer = layer;
            entity.def = instance.def.clone();
            entity.placed_at = Some((instance.at, instance.rotation));
            if moved {
                entity.pose.pos = limits::place(place(instance.at));
                #[expect(clippy::cast_possible_truncation, reason = "an angle")]
                let angle = instance.rotation.to_radians() as f32;
                entity.pose.angle = angle;
                self.physics.set_pose(key, entity.pose.pos, angle);
            }
        }
        if !is_same {
            Arc::make_mut(&mut self.groups).remove(key);
            if let Some(entity) = self.entities.get(key) {
                Arc::make_mut(&mut self.groups).add(key, entity);
            }
            self.respec(key);
        }
        if !Arc::ptr_eq(&old_rules.level, &rules.level) || !is_same {
            self.forget_platform(key);
        }
        self.migrate_machines(key, &was_listed);
    }

    /// New programs under the machines that run, those no longer listed finished, those newly listed started.
    fn migrate_machines(&mut self, key: EntityKey, was_listed: &[Name]) {
        let rules = self.rules.clone();
        let Some(entity) = self.entities.get_mut(key) else { return };
        let mut fell_back = Vec::new();
        let mut moved: Vec<(u32, Arc<Program>, Arc<Program>)> = Vec::new();
        for slot in entity.machines.iter_mut().chain(&mut entity.queue) {
            let Some(running) = slot else { continue };
            let Some(program) = rules.programs.get(&running.program.name) else { continue };
            if Arc::ptr_eq(program, &running.program) {
                continue;
            }
            let (cursor, lost) = running.cursor.moved(&running.program, program);
            if lost {
                let state = running.program.path(running.cursor.current()).clone();
                fell_back.push((running.uid, program.clone(), state, program.path(cursor.current()).clone()));
            }
            moved.push((running.uid, running.program.clone(), program.clone()));
            running.cursor = cursor;
            running.program = program.clone();
        }
        let id = entity.id.clone();
        for (uid, old, new) in &moved {
            self.migrate_timers(key, *uid, old, new);
        }
        for (uid, program, state, fallback) in fell_back {
            let location = Location::key(program.doc.clone(), crate::model::FieldPath::keys([&*program.name]));
            let to = if fallback.is_empty() { "the root".to_owned() } else { format!("`{fallback}`") };
            let text = format!("`{id}` was in state `{state}`, which is gone; it goes on from {to}");
            self.findings.push(Finding::hint("preview-state-gone", location, text));
            self.resume_machine(key, uid);
            self.honor(key);
        }
        self.migrate_listed(key, was_listed);
    }

    /// Timers follow their transitions by state and order; those of transitions that are gone are dropped.
    fn migrate_timers(&mut self, key: EntityKey, uid: u32, old: &Program, new: &Program) {
        self.mail.retain(|mail| {
            let Some(scope) = mail.scope.as_mut().filter(|scope| mail.to == key && scope.machine == uid) else {
                return true;
            };
            let path = old.path(scope.state).clone();
            let Some(state) = new.by_path(&path) else { return false };
            if let Some(timer) = mail.timer {
                let Some(found) = old.nth_timer(timer).and_then(|nth| new.timer(state, nth)) else { return false };
                mail.timer = Some(found);
            }
            scope.state = state;
            true
        });
    }

    /// Follow a changed list in `Brain`, by name: who is no longer listed is left, who is newly listed is entered. What
    /// machines started and swapped themselves stays.
    fn migrate_listed(&mut self, key: EntityKey, was_listed: &[Name]) {
        let Some(entity) = self.entities.get(key) else { return };
        let listed = machine_names(&entity.live, "machines");
        if listed == was_listed {
            return;
        }
        let running = entity.machines.iter().flatten().map(|running| (running.uid, running.program.name.clone()));
        let running: Vec<(u32, Name)> = running.collect();
        let gone = running.iter().filter(|(_, name)| was_listed.contains(name) && !listed.contains(name));
        for (uid, _) in gone {
            self.finish_machine(key, *uid);
            if let Some(entity) = self.entities.get_mut(key) {
                entity.machines.retain(|slot| slot.as_ref().is_none_or(|running| running.uid != *uid));
            }
        }
        let news = listed.into_iter().filter(|name| !was_listed.contains(name));
        let news: Vec<Name> = news.filter(|name| !running.iter().any(|(_, own)| own == name)).collect();
        if let Some(entity) = self.entities.get_mut(key) {
            entity.wishes.extend(news.into_iter().map(|machine| super::entity::Wish::Start { machine }));
        }
        if self.tick > 0 {
            self.honor(key);
        }
    }
}

/// The names of a list of machines in `Brain`.
fn machine_names(resolved: &Resolved, field: &str) -> Vec<Name> {
    let list = resolved.get("Brain", field).and_then(Value::as_list).unwrap_or_default();
    list.iter().filter_map(Value::as_str).map(Into::into).collect()
}

fn vec_value(v: Vec2) -> Value {
    Value::vec2(v.x.into(), v.y.into())
}

#[expect(clippy::cast_possible_truncation, reason = "positions are pixels")]
fn place(at: [f64; 2]) -> Vec2 {
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
fn rules(
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
