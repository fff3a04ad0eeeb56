//! The parts of a tick that are measured, and which share of an entity's time each counts to.

/// A part of a tick whose time is measured. They nest; which is in which is what was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum System {
    /// A whole tick.
    Tick,
    /// Delivering what is due.
    Messages,
    /// `Update` for every machine.
    Updates,
    /// Machines that respond, with the actions they take.
    Machines,
    /// Tracks that play.
    Tracks,
    /// Orders, paths and keys become what walkers and flyers want.
    Movement,
    /// Searches for paths.
    Paths,
    /// Which agents are near each other.
    Crowd,
    /// Where one goes in this tick.
    Steering,
    /// Going around others.
    Avoidance,
    /// The step of the physics.
    Physics,
    /// The boxes of bodies, by place.
    Index,
    /// What bodies feel of zones.
    Zones,
    /// Walkers and flyers among what is solid.
    Controllers,
    /// Forces and gravity of free bodies.
    Forces,
    /// Whether there are too many pairs.
    Pairs,
    /// The step of the solver.
    Solver,
    /// Its broad phase.
    BroadPhase,
    /// Its narrow phase.
    NarrowPhase,
    /// Which bodies hang together.
    Islands,
    /// Its constraints.
    Constraints,
    /// What touches what.
    Touches,
    /// What has no room.
    Crush,
    /// Joints, and which break.
    Joints,
    /// Contacts and the like as messages.
    Contacts,
    /// Clips, and text whose time is over.
    Animation,
}

/// What an entity's time is spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Share {
    /// Machines, messages and tracks.
    Behavior,
    /// Paths and steering.
    Movement,
    /// Walking and flying among what is solid.
    Physics,
    /// A share of the solver, estimated by contacts.
    Solver,
}

impl Share {
    /// All of them, as tables list them.
    pub const ALL: [Self; 4] = [Self::Behavior, Self::Movement, Self::Physics, Self::Solver];

    /// How it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Behavior => "Behavior",
            Self::Movement => "Movement",
            Self::Physics => "Physics",
            Self::Solver => "Solver",
        }
    }

    /// What it is, in a sentence.
    #[must_use]
    pub fn doc(self) -> &'static str {
        match self {
            Self::Behavior => "Messages, machines and tracks of its entities",
            Self::Movement => "Its entities' searches for paths, steering and avoidance",
            Self::Physics => "Its walkers and flyers among what is solid",
            Self::Solver => {
                "An estimate: the solver's time divided among the bodies that are awake, by how many contacts each has"
            }
        }
    }
}

impl System {
    /// How it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tick => "Tick",
            Self::Messages => "Messages",
            Self::Updates => "Updates",
            Self::Machines => "Machines",
            Self::Tracks => "Tracks",
            Self::Movement => "Movement",
            Self::Paths => "Path searches",
            Self::Crowd => "Crowd",
            Self::Steering => "Steering",
            Self::Avoidance => "Avoidance",
            Self::Physics => "Physics",
            Self::Index => "Index of bodies",
            Self::Zones => "Zones",
            Self::Controllers => "Walkers and flyers",
            Self::Forces => "Forces",
            Self::Pairs => "Pair budget",
            Self::Solver => "Solver",
            Self::BroadPhase => "Broad phase",
            Self::NarrowPhase => "Narrow phase",
            Self::Islands => "Islands",
            Self::Constraints => "Constraints",
            Self::Touches => "Touching pairs",
            Self::Crush => "Crushing",
            Self::Joints => "Joints",
            Self::Contacts => "Contact messages",
            Self::Animation => "Animation",
        }
    }

    /// What it does, in a sentence.
    #[must_use]
    pub fn doc(self) -> &'static str {
        match self {
            Self::Tick => "A whole tick, with all that is not listed below as its own time",
            Self::Messages => "Messages that are due, and the start of machines",
            Self::Updates => "Update for every machine",
            Self::Machines => "Machines that respond: transitions, conditions and actions",
            Self::Tracks => "Tracks that play, and what they drive",
            Self::Movement => "Walkers and flyers: orders, paths and keys",
            Self::Paths => "Searches for paths, within the expansions of a tick",
            Self::Crowd => "Agents sorted by place, for those that go around others",
            Self::Steering => "Where each walker and flyer goes in this tick",
            Self::Avoidance => "Going around others",
            Self::Physics => "The step of the physics",
            Self::Index => "Kinematic bodies, and the boxes of all bodies sorted by place",
            Self::Zones => "What bodies feel of zones",
            Self::Controllers => "Walkers and flyers among what is solid",
            Self::Forces => "Forces and gravity of bodies that touch nothing",
            Self::Pairs => "Whether more pairs of bodies are near each other than a tick is given",
            Self::Solver => "The step of the solver for bodies that forces move",
            Self::BroadPhase => "Which bounding boxes meet",
            Self::NarrowPhase => "Where the shapes in them touch",
            Self::Islands => "Which bodies hang together, and which may sleep",
            Self::Constraints => "Impulses of contacts and joints, and the new velocities",
            Self::Touches => "Which pairs began and ended to touch, and the new poses",
            Self::Crush => "Bodies that have no room left",
            Self::Joints => "Joints that are made, and those that break",
            Self::Contacts => "New poses, and contacts, crushing and breaking as messages",
            Self::Animation => "Clips of sprites, and text whose time is over",
        }
    }

    /// What of an entity's time a sample of it counts to.
    #[must_use]
    pub fn share(self) -> Share {
        match self {
            Self::Movement | Self::Paths | Self::Crowd | Self::Steering | Self::Avoidance => Share::Movement,
            Self::Physics | Self::Controllers => Share::Physics,
            _ => Share::Behavior,
        }
    }
}
