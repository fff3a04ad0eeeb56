//! Updating a running world after its project was edited.
//!
//! Invariant: a migrated world keeps whatever still exists. A problem found while the world ran stays listed until its
//! cause changes; the project's own problems are found again.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use crate::{
    defs::Resolution,
    model::{FieldPath, Finding, Instance, Level, Location, Name, Project},
    sim::{
        EntityKey,
        behavior::{Program, run},
    },
};

use super::{
    World,
    build::{place, rules, tuning},
    entity::{Cause, Entity, Life},
    rules::Rules,
};

/// The entities that a level places, by id.
#[derive(Default)]
struct Placed<'a> {
    /// The layer and the instance of each.
    entities: HashMap<&'a Name, (usize, &'a Arc<Instance>)>,
    /// The paths of the layers in the level file.
    paths: Vec<FieldPath>,
}

impl<'a> Placed<'a> {
    fn of(level: &'a Level) -> Self {
        let entities = level.entities().map(|(layer, id, instance)| (id, (layer, instance))).collect();
        Self { entities, paths: level.layer_paths() }
    }
}

impl World {
    /// Continue at the same moment with an edited project: poses, velocities, machine states, timers and life stay. A
    /// machine whose state is gone enters the nearest surviving ancestor's `initial`, with a hint; one whose state has
    /// child states by now enters their `initial`. An entity whose place in the level was changed is moved there.
    ///
    /// # Errors
    /// If the level is gone; then the world is unchanged.
    pub fn migrate(&mut self, project: &Project, resolution: &Resolution) -> Result<(), Vec<Finding>> {
        let (mut findings, mut symbols) = (Vec::new(), self.symbols.clone());
        let (level, known) = (&self.rules.level_name, Arc::make_mut(&mut symbols));
        let rules = Arc::new(rules(project, resolution, level, Some(&self.rules), known, &mut findings)?);
        self.symbols = symbols;
        let old_rules = std::mem::replace(&mut self.rules, rules.clone());
        self.last_read = Arc::default();
        self.findings = findings;
        self.migrate_tuning(&old_rules, resolution);
        self.report_shortened_links();
        self.report_cut_layers();
        self.physics.set_config(self.physics_config());
        self.migrate_grid(&old_rules);

        self.joints_changed = true;
        let level = Placed::of(&rules.level);
        self.migrate_timers(&level);
        let keys: Vec<EntityKey> = self.entities.keys().collect();
        for key in keys {
            self.migrate_entity(key, &old_rules, &level);
            // Problems reported and not dropped still hold.
            let reported = self.entities.get(key).map(|entity| entity.reported.clone()).unwrap_or_default();
            reported.values().for_each(|finding| self.note(finding.clone()));
        }
        // An entity that was in the level before and is gone now was removed by the game.
        let is_same_level = Arc::ptr_eq(&old_rules.level, &rules.level);
        let before = if is_same_level { Placed::default() } else { Placed::of(&old_rules.level) };
        let was_placed = |id: &Name| is_same_level || before.entities.contains_key(id);
        let is_new = |id: &Name, def: &Name| !was_placed(id) || old_rules.resolution.defs.get(def).is_none();
        let news = rules.level.entities().filter(|(_, id, instance)| is_new(id, &instance.def));
        let mut news: Vec<_> = news.filter(|(_, id, _)| !self.ids.contains_key(*id)).collect();
        // By id, as when the world was made.
        news.sort_by(|a, b| a.1.cmp(b.1));
        for (layer, id, instance) in news {
            if !self.place_instance((layer, &level.paths), id, instance) {
                break;
            }
            if let Some(key) = self.by_id(id).filter(|_| self.tick > 0) {
                self.born.push(key);
                self.flush(key);
            }
        }
        Ok(())
    }

    /// A constant that was changed in the running world and not in the project keeps its value.
    fn migrate_tuning(&mut self, old_rules: &Rules, resolution: &Resolution) {
        let (was, is) = (tuning(&old_rules.resolution), tuning(resolution));
        let turned =
            self.tuning.iter().filter(|(name, value)| was.get(*name) != Some(*value) && is.contains_key(*name));
        let turned = turned.filter(|(name, _)| was.get(*name) == is.get(*name));
        let turned: BTreeMap<Name, _> = turned.map(|(name, value)| (name.clone(), value.clone())).collect();
        self.limited_tuning.retain(|name, _| turned.contains_key(name));
        self.findings.extend(self.limited_tuning.values().cloned());
        let mut tuning = is;
        tuning.extend(turned);
        self.tuning = Arc::new(tuning);
        self.limit_tuning();
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

    fn migrate_entity(&mut self, key: EntityKey, old_rules: &Rules, level: &Placed<'_>) {
        let rules = self.rules.clone();
        let Some(entity) = self.entities.get(key) else { return };
        let (resolved, placed) = match &entity.placed_at {
            None => match rules.resolution.defs.get(&entity.def) {
                Some(resolved) => (resolved.clone(), None),
                // Its definition is faulty or gone for now: it stays as it was.
                None => (entity.base.clone(), None),
            },
            Some(_) => match level.entities.get(&entity.id).copied() {
                None => {
                    self.despawn_later(key);
                    self.flush(key);
                    return;
                }
                Some((layer, instance)) => {
                    if !rules.resolution.defs.contains_key(&instance.def) {
                        return;
                    }
                    let id = entity.id.clone();
                    let Some(at) = level.paths.get(layer) else { return };
                    let (resolved, found) = rules.resolution.instance(&rules.level_doc, at, &id, instance);
                    self.findings.extend(found);
                    (Arc::new(resolved), Some((layer, instance.clone())))
                }
            },
        };
        let Some(entity) = self.entities.get_mut(key) else { return };
        let was_listed = entity.components.brain.machines.clone();
        let is_same = *entity.base == *resolved;
        if !is_same {
            let max_before = entity.components.max_health;
            entity.rebase(resolved, &rules, &mut self.last_read);
            entity.life = entity.components.max_health.map(|max| {
                let life = entity.life.filter(|_| max_before.is_some());
                life.map_or(Life { now: max, is_dead: false }, |life| Life { now: life.now.min(max), ..life })
            });
            if let Some(name) = entity.clip.name.clone() {
                entity.play(&name, true);
            }
            entity.forget_reported(|cause| matches!(cause, Cause::Field(_)));
        }
        self.report_limits(key);
        let Some(entity) = self.entities.get_mut(key) else { return };
        let mut moved = false;
        if let Some((layer, instance)) = placed {
            moved = entity.placed_at.is_some_and(|(at, rotation)| (at, rotation) != (instance.at, instance.rotation));
            entity.layer = layer;
            entity.def = instance.def.clone();
            entity.placed_at = Some((instance.at, instance.rotation));
            if moved {
                #[expect(clippy::cast_possible_truncation, reason = "an angle")]
                let angle = instance.rotation.to_radians() as f32;
                entity.pose.angle = angle;
                entity.forget_reported(|cause| *cause == Cause::Place);
                let pos = self.put_at(key, place(instance.at));
                self.physics.set_pose(key, pos, angle);
                self.start_tracks_from(key, pos, angle);
                if let Some(entity) = self.entities.get_mut(key) {
                    entity.jumped();
                }
            }
        }
        if !is_same {
            // Only if its groups have changed: it is moved to their ends.
            if let Some(entity) = self.entities.get(key).filter(|entity| !self.groups.is_listed(key, entity)) {
                Arc::make_mut(&mut self.groups).put(key, entity);
            }
            let spec = self.physics.spec(key).cloned();
            self.respec(key);
            // A body with another spec reports its problems again.
            if self.physics.spec(key) != spec.as_ref()
                && let Some(entity) = self.entities.get_mut(key)
            {
                entity.forget_reported(|cause| matches!(cause, Cause::Body(_)));
            }
        }
        if !is_same {
            self.forget_platform(key);
        }
        self.migrate_routes(key, old_rules);
        if !is_same || moved {
            self.settle_tracks(key);
        }
        self.migrate_machines(key, &was_listed, old_rules);
    }

    /// New programs under the machines that run, those no longer listed finished, those newly listed started.
    fn migrate_machines(&mut self, key: EntityKey, was_listed: &[Name], old_rules: &Rules) {
        let rules = self.rules.clone();
        let Some(entity) = self.entities.get_mut(key) else { return };
        let (mut fell_back, mut became_compound) = (Vec::new(), Vec::new());
        let mut moved: Vec<(u32, Arc<Program>)> = Vec::new();
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
            } else if cursor.is_above_initial(program) {
                became_compound.push(running.uid);
            }
            moved.push((running.uid, running.program.clone()));
            running.cursor = cursor;
            running.program = program.clone();
        }
        let is_changed = |name: &Name| rules.sources.get(name) != old_rules.sources.get(name);
        if !entity.reported.is_empty() && moved.iter().any(|(_, old)| is_changed(&old.name)) {
            entity.forget_reported(|cause| matches!(cause, Cause::Action(_)));
        }
        let id = entity.id.clone();
        for (uid, old) in &moved {
            self.start_new_timers(key, *uid, old);
        }
        for (uid, program, state, fallback) in fell_back {
            let location = Location::key(program.doc.clone(), FieldPath::keys([&*program.name]));
            let to = if fallback.is_empty() { "the root".to_owned() } else { format!("`{fallback}`") };
            let text = format!("`{id}` was in state `{state}`, which is gone; it goes on from {to}");
            self.findings.push(Finding::hint("preview-state-gone", location, text));
            self.resume_machine(key, uid);
            self.flush(key);
        }
        for uid in became_compound {
            self.resume_machine(key, uid);
            self.flush(key);
        }
        self.migrate_listed(key, was_listed);
    }

    /// Update the timers to their transitions, and drop those of removed transitions. In one pass over all timers,
    /// because each machine may have some.
    fn migrate_timers(&mut self, level: &Placed<'_>) {
        let rules = &self.rules;
        let goes_on = |entity: &Entity| match entity.placed_at.and_then(|_| level.entities.get(&entity.id)) {
            Some((_, instance)) => rules.resolution.defs.contains_key(&instance.def),
            None => entity.placed_at.is_none(),
        };
        let mut moved: BTreeMap<(EntityKey, u32), (Arc<Program>, Arc<Program>)> = BTreeMap::new();
        for (key, entity) in &self.entities {
            for running in entity.machines.iter().chain(&entity.queue).flatten() {
                let new = rules.programs.get(&running.program.name);
                let new = new.filter(|new| !Arc::ptr_eq(new, &running.program));
                if let Some(new) = new.filter(|_| goes_on(entity)) {
                    moved.insert((key, running.uid), (running.program.clone(), new.clone()));
                }
            }
        }
        if moved.is_empty() {
            return;
        }
        self.mail.retain(|mail| {
            let Some(scope) = &mut mail.scope else { return true };
            let Some((old, new)) = moved.get(&(mail.to, scope.machine)) else { return true };
            let path = old.path(scope.state).clone();
            let Some(state) = new.by_path(&path) else { return false };
            if let Some(timer) = mail.timer {
                let Some(found) = old.moved_timer(timer, new, state) else { return false };
                mail.timer = Some(found);
            }
            scope.state = state;
            true
        });
    }

    /// Start the timers that an edit added to active states, which are not entered again.
    fn start_new_timers(&mut self, key: EntityKey, uid: u32, old: &Program) {
        let running = self.entities.get(key).and_then(|entity| {
            let slots = entity.machines.iter().chain(&entity.queue);
            slots.flatten().find(|running| running.uid == uid)
        });
        let Some(running) = running else { return };
        let timers = run::new_timers(old, &running.program, &running.cursor);
        if timers.is_empty() {
            return;
        }
        self.answer(key, uid, None, None, |program, cursor, host| {
            for timer in timers {
                run::start_timer(program, cursor, timer, host);
            }
        });
    }

    /// Apply a changed list in `Brain`, by name: machines no longer listed are exited, newly listed ones are entered.
    /// Machines that were started or swapped by actions stay.
    fn migrate_listed(&mut self, key: EntityKey, was_listed: &[Name]) {
        let Some(entity) = self.entities.get(key) else { return };
        let listed = entity.components.brain.machines.clone();
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
            entity.deferred.extend(news.into_iter().map(|machine| super::entity::DeferredCommand::Start { machine }));
        }
        if self.tick > 0 {
            self.flush(key);
        }
    }
}
