//! Tracks of running entities: started, reversed and held by messages, applied each tick before anything else moves.
//!
//! Invariant: a driven value is the track's value at the end of the tick. While a track plays, nothing else changes
//! what it drives; when it has ended or is held, its last value stays until something else changes it. A track of the
//! pose does not go on while its entity waits for bodies that it would crush. When a track is removed, what it drove
//! returns to its definition.

use std::sync::Arc;

use glam::Vec2;

use crate::{
    model::{LIFE, Name, Value},
    sim::{
        EntityKey,
        behavior::{MsgId, vocabulary::RouteMode},
        insight::profile::{Meter, System},
        limits,
        tracks::{Clock, Driven, Track, place, times_passed},
    },
};

use super::{World, build, entity::FieldChange, order::DrivenPose};

/// A track that was started.
#[derive(Clone, Debug)]
pub(super) struct Run {
    clock: Clock,
    drives: Driven,
    /// Position (px) and angle (radians) of the entity at the start.
    from: (Vec2, f32),
    /// Whether it gave the entity its pose in the last tick.
    gave_pose: bool,
}

/// The pose that tracks give an entity.
#[derive(Clone, Copy, Debug, Default)]
struct Put {
    pos: Option<Vec2>,
    angle: Option<f32>,
    /// Whether it moves at once, pushing nothing.
    jumps: bool,
}

impl Run {
    /// A track that starts from a pose.
    fn new(track: &Track, clock: Clock, from: (Vec2, f32)) -> Self {
        Self { clock, drives: track.drives.clone(), from, gave_pose: false }
    }

    pub(super) fn digest(&self) -> [u64; 2] {
        let Clock { is_backward, plays, .. } = self.clock;
        let flags = u64::from(self.gave_pose) << 2 | u64::from(is_backward) << 1 | u64::from(plays);
        [self.clock.from.to_bits(), self.clock.ticks << 3 | flags]
    }
}

impl World {
    /// The progress of an entity's started tracks: the name of each, its time in seconds, and whether it plays.
    pub fn tracks(&self, key: EntityKey) -> impl Iterator<Item = (&Name, f64, bool)> {
        let hz = self.rules.hz;
        self.entities.get(key).into_iter().flat_map(move |entity| {
            entity.components.tracks.iter().filter_map(move |track| {
                let clock = entity.tracks.get(&track.name)?.clock;
                Some((&track.name, place(track.mode, track.secs, clock.secs(hz)), clock.plays))
            })
        })
    }

    /// Advance all tracks that play by a tick, and record the bodies that nothing moves in it.
    pub(super) fn drive_all(&mut self, meter: &mut Meter<'_>) {
        let with_tracks = self.entities.iter().filter(|(_, entity)| !entity.components.tracks.is_empty());
        let keys: Vec<EntityKey> = with_tracks.map(|(key, _)| key).collect();
        for key in keys {
            meter.sample_of(System::Tracks, key, |_| self.drive(key));
        }
        let carried: Vec<EntityKey> = self.physics.carried().collect();
        carried.into_iter().for_each(|key| self.note_rest(key));
    }

    fn drive(&mut self, key: EntityKey) {
        let Some(entity) = self.entities.get(key).filter(|entity| !entity.is_deleted) else { return };
        let tracks = entity.components.tracks.clone();
        if !self.charge(tracks.len() as u64, "follow tracks") {
            return;
        }
        let mut put = Put::default();
        for track in &*tracks {
            self.pass(key, track, &mut put);
        }
        let Some(entity) = self.entities.get_mut(key) else { return };
        let driven = DrivenPose { place: put.pos, angle: put.angle };
        entity.movement.driven = (put.pos.is_some() || put.angle.is_some()).then_some(driven);
        self.put(key, put);
    }

    /// Advance a track by a tick: send its messages, and apply its value. If the entity's body waits short of the pose that
    /// the track gave it in the last tick, that pose is applied again instead.
    fn pass(&mut self, key: EntityKey, track: &Track, put: &mut Put) {
        let hz = self.rules.hz;
        let waits = self.physics.waits(key);
        let Some(run) = self.entities.get_mut(key).and_then(|entity| entity.tracks.get_mut(&track.name)) else {
            return;
        };
        let gives_pose = !matches!(track.drives, Driven::Field(_));
        let gave_pose = std::mem::replace(&mut run.gave_pose, gives_pose && run.clock.plays);
        // One that was started or reversed since goes on at once.
        if waits && gave_pose && (run.clock.ticks > 0 || !run.clock.plays) {
            run.gave_pose = true;
            let at = place(track.mode, track.secs, run.clock.secs(hz));
            return self.apply(key, track, at, false, put);
        }
        if !run.clock.plays {
            return;
        }
        let before = run.clock.secs(hz);
        run.clock.ticks += 1;
        let now = run.clock.secs(hz);
        let end = if run.clock.is_backward { 0.0 } else { track.secs };
        let has_ended = track.mode == RouteMode::Once && place(track.mode, track.secs, now) == end;
        if has_ended {
            run.clock = Clock { from: end, ticks: 0, plays: false, ..run.clock };
        }
        self.send_passed(key, track, before, now);
        self.apply(key, track, place(track.mode, track.secs, now), track.jumps(before, now), put);
    }

    /// Send the messages of a track between two times of its unrolled line, in the order of their times.
    fn send_passed(&mut self, key: EntityKey, track: &Track, from: f64, to: f64) {
        let ends = match track.mode {
            RouteMode::Once if to < from => &[0.0][..],
            RouteMode::Once | RouteMode::Loop => &[track.secs],
            RouteMode::PingPong => &[0.0, track.secs],
        };
        let ends = ends.iter().map(|at| (*at, &track.send_at_end));
        let marks = track.marks.iter().map(|(at, message)| (*at, message));
        let mut due: Vec<(f64, &Name)> = Vec::new();
        for (at, message) in marks.chain(ends).filter(|(_, message)| !message.is_empty()) {
            due.extend(times_passed(track.mode, track.secs, at, from, to).into_iter().map(|at| (at, message)));
        }
        due.sort_by(|(a, _), (b, _)| if from < to { a.total_cmp(b) } else { b.total_cmp(a) });
        for (_, message) in due {
            let message = Arc::make_mut(&mut self.symbols).intern(message);
            self.send_from_world(key, message, None, Arc::default());
        }
    }

    /// Apply the value of a track at a time in seconds; changes of the pose are collected in `put`.
    fn apply(&mut self, key: EntityKey, track: &Track, at: f64, jumps: bool, put: &mut Put) {
        let Some(run) = self.entities.get(key).and_then(|entity| entity.tracks.get(&track.name)) else { return };
        let (pos, angle) = run.from;
        match &track.drives {
            Driven::Field(path) => {
                if let Some(value) = self.value_of(key, track, path, at) {
                    self.set_driven(key, path, value);
                }
            }
            Driven::Position => {
                let Some([x, y, ..]) = track.lanes_at(at) else { return };
                let to = build::place([x, y]);
                put.pos = Some(limits::place(if track.added { pos + to } else { to }));
                put.jumps |= jumps;
            }
            Driven::Rotation => {
                let Some([degrees, ..]) = track.lanes_at(at) else { return };
                #[expect(clippy::cast_possible_truncation, reason = "an angle")]
                let to = degrees.to_radians() as f32;
                put.angle = Some(if track.added { angle + to } else { to }).filter(|angle| angle.is_finite());
                put.jumps |= jumps;
            }
        }
    }

    /// The value of a field that a track drives, at a time in seconds.
    fn value_of(&self, key: EntityKey, track: &Track, path: &str, at: f64) -> Option<Value> {
        let entity = self.entities.get(key)?;
        let life = entity.components.max_health.filter(|_| path == LIFE).map(Value::Float);
        let defined = path.split_once('.').and_then(|(component, field)| entity.base.get(component, field));
        track.value_on(defined.or(life.as_ref()), at)
    }

    /// Set a field, unless it has the value already.
    fn set_driven(&mut self, key: EntityKey, path: &str, value: Value) {
        let Some(entity) = self.entities.get(key) else { return };
        if entity.value(path) != Some(&value) {
            self.set_field(key, path, value);
        }
    }

    /// Move an entity to the pose of its tracks: carrying and pushing other bodies or, if a value jumps or its body
    /// cannot carry, at once.
    fn put(&mut self, key: EntityKey, put: Put) {
        if put.pos.is_none() && put.angle.is_none() {
            return;
        }
        let dt = self.dt();
        let Some(entity) = self.entities.get_mut(key) else { return };
        let pose = entity.pose;
        let (pos, angle) = (put.pos.unwrap_or(pose.pos), put.angle.unwrap_or(pose.angle));
        if put.jumps {
            entity.before = (pos, angle);
        }
        if !entity.has_body {
            let vel = if put.jumps { Vec2::ZERO } else { limits::velocity((pos - pose.pos) / dt) };
            (entity.pose.pos, entity.pose.angle, entity.pose.vel) = (pos, angle, vel);
        } else if put.jumps || !self.physics.is_carried(key) {
            self.physics.set_pose(key, pos, angle);
            if put.pos.is_some() {
                self.physics.set_velocity(key, Vec2::ZERO);
            }
        } else {
            self.physics.set_next_pose(key, pos, angle);
        }
        if put.jumps {
            self.take_along(key, (pose.pos, pose.angle), (pos, angle));
        }
    }

    /// After the physics: put walkers, flyers and dynamic bodies back to the pose of their tracks, whatever moved them.
    pub(super) fn hold_driven(&mut self) {
        for (key, entity) in &self.entities {
            let Some(driven) = entity.movement.driven else { continue };
            if let (Some(pos), false) = (driven.place, self.physics.is_carried(key)) {
                let now = self.physics.pose(key).map_or(entity.pose.angle, |pose| pose.angle);
                self.physics.set_pose(key, pos, driven.angle.unwrap_or(now));
                self.physics.set_velocity(key, Vec2::ZERO);
            }
        }
    }

    /// Record whether a kinematic body stands still, and so is an obstacle, as a closed door is.
    pub(super) fn note_rest(&mut self, key: EntityKey) {
        let Some(entity) = self.entities.get(key).filter(|entity| entity.has_body) else { return };
        let moves = |track: &Track| !matches!(track.drives, Driven::Field(_));
        let plays = |track: &Track| entity.tracks.get(&track.name).is_some_and(|run| run.clock.plays);
        let is_driven = entity.components.tracks.iter().any(|track| moves(track) && plays(track));
        // A track that has ended leaves the entity at rest, whatever velocity is left.
        let glides =
            !entity.components.is_moved_by_tracks() && (entity.pose.vel != Vec2::ZERO || entity.pose.spin != 0.0);
        let rests = entity.components.platform.is_none() && !is_driven && !glides;
        self.physics.set_resting(key, rests);
    }

    /// Start, reverse and hold tracks by a message.
    pub(super) fn steer_tracks(&mut self, key: EntityKey, message: MsgId) {
        let Some(entity) = self.entities.get_mut(key).filter(|entity| !entity.components.tracks.is_empty()) else {
            return;
        };
        let message = self.symbols.name(message);
        let hz = self.rules.hz;
        for track in &*entity.components.tracks.clone() {
            let run = entity.tracks.get(&track.name);
            let clock = run.map(|run| run.clock);
            let at = clock.map_or(0.0, |clock| place(track.mode, track.secs, clock.secs(hz)));
            let goes = |is_backward| clock.is_some_and(|clock| clock.plays && clock.is_backward == is_backward);
            let is_over = track.mode == RouteMode::Once && at >= track.secs;
            let next = if message.is_empty() {
                None
            } else if message == track.start_on && !goes(false) {
                match is_over {
                    true if !track.reverse_on.is_empty() => None,
                    true => {
                        entity.tracks.remove(&track.name);
                        Some(Clock::playing(0.0, false))
                    }
                    false => Some(Clock::playing(at, false)),
                }
            } else if message == track.reverse_on && !goes(true) && !(track.mode == RouteMode::Once && at <= 0.0) {
                clock.map(|_| Clock::playing(at, true))
            } else if message == track.stop_on {
                clock.map(|clock| Clock { from: at, ticks: 0, plays: false, ..clock })
            } else {
                None
            };
            let Some(clock) = next else { continue };
            let from = (entity.pose.pos, entity.pose.angle);
            let run = entity.tracks.entry(track.name.clone());
            run.or_insert_with(|| Run::new(track, clock, from)).clock = clock;
        }
    }

    /// Update the tracks of an entity to its definition: undo those that were removed, start those that start by
    /// themselves, and apply the values of the others.
    pub(super) fn settle_tracks(&mut self, key: EntityKey) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        let tracks = entity.components.tracks.clone();
        if tracks.is_empty() && entity.tracks.is_empty() {
            return;
        }
        let goes_on = |name: &Name, run: &Run| tracks.iter().any(|it| it.name == *name && it.drives == run.drives);
        let mut gone: Vec<Run> = Vec::new();
        entity.tracks.retain(|name, run| {
            let stays = goes_on(name, run);
            if !stays {
                gone.push(run.clone());
            }
            stays
        });
        for track in tracks.iter().filter(|track| track.autostart) {
            let from = (entity.pose.pos, entity.pose.angle);
            let run = || Run::new(track, Clock::playing(0.0, false), from);
            entity.tracks.entry(track.name.clone()).or_insert_with(run);
        }
        let mut put = Put::default();
        for run in gone {
            self.undo(key, run, &mut put);
        }
        for track in &*tracks {
            let Some(entity) = self.entities.get(key) else { return };
            let Some(run) = entity.tracks.get(&track.name) else { continue };
            // A walker, flyer or dynamic body has moved on from where its track left it.
            let is_free = entity.has_body && !self.physics.is_carried(key) && !run.clock.plays;
            if is_free && !matches!(track.drives, Driven::Field(_)) {
                continue;
            }
            let at = place(track.mode, track.secs, run.clock.secs(self.rules.hz));
            self.apply(key, track, at, true, &mut put);
        }
        put.jumps = true;
        self.put(key, put);
        if let Some(entity) = self.entities.get_mut(key)
            && let Some(pose) = self.physics.pose(key)
        {
            entity.pose = pose;
            entity.movement.driven = None;
        }
        self.note_rest(key);
    }

    /// Undo the changes of a track that was removed.
    fn undo(&mut self, key: EntityKey, run: Run, put: &mut Put) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        match run.drives {
            Driven::Field(path) => {
                let is_defined = path.split_once('.').is_some_and(|(it, field)| entity.base.get(it, field).is_some());
                if is_defined && entity.changes.contains_key(&path) {
                    entity.change(&self.rules.resolution, &path, |change| *change = FieldChange::default());
                    entity.changes.remove(&path);
                    self.refresh(key, &path);
                }
            }
            Driven::Position => put.pos = Some(run.from.0),
            Driven::Rotation => put.angle = Some(run.from.1),
        }
    }

    /// Let the tracks of an entity that was moved from outside start from its new place.
    pub(super) fn start_tracks_from(&mut self, key: EntityKey, pos: Vec2, angle: f32) {
        let runs = self.entities.get_mut(key).into_iter().flat_map(|entity| entity.tracks.values_mut());
        runs.for_each(|run| run.from = (pos, angle));
    }

    /// Shift the tracks of an entity that was moved and turned by hand.
    pub(super) fn shift_tracks(&mut self, key: EntityKey, by: Vec2, turn: f32) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        entity.tracks.values_mut().for_each(|run| run.from = (run.from.0 + by, run.from.1 + turn));
        if let Some(driven) = &mut entity.movement.driven {
            driven.place = driven.place.map(|place| place + by);
            driven.angle = driven.angle.map(|was| was + turn);
        }
    }
}
