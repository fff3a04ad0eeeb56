//! The parts of a tick that are measured, and the kind of work that each counts as for entities.

/// A part of a tick whose time is measured. Nesting follows from the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum System {
    /// A whole tick.
    Tick,
    /// Delivery of the messages that are due.
    Messages,
    /// `Update` for every machine.
    Updates,
    /// Responses of machines, with their actions.
    Machines,
    /// Playing tracks.
    Tracks,
    /// Orders, paths and keys are turned into the input of walkers and flyers.
    Movement,
    /// Path searches.
    Paths,
    /// Lookup of nearby agents.
    Crowd,
    /// The input of one walker or flyer.
    Steering,
    /// Avoidance of others.
    Avoidance,
    /// The step of the physics.
    Physics,
    /// The spatial index of bodies.
    Index,
    /// The effect of zones on bodies.
    Zones,
    /// Motion of walkers and flyers among solids.
    Controllers,
    /// Forces and gravity of free bodies.
    Forces,
    /// The test for too many pairs.
    Pairs,
    /// The step of the solver.
    Solver,
    /// Its broad phase.
    BroadPhase,
    /// Its narrow phase.
    NarrowPhase,
    /// Islands of bodies in contact.
    Islands,
    /// Constraint solving.
    Constraints,
    /// Begin and end of contacts.
    Touches,
    /// Bodies without room.
    Crush,
    /// Joints, and breaking joints.
    Joints,
    /// Events of the physics as messages.
    Contacts,
    /// Clips, and texts whose time is over.
    Animation,
}

/// The kinds of work that an entity's time is spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Share {
    /// Machines, messages and tracks.
    Behavior,
    /// Paths and steering.
    Movement,
    /// Motion of walkers and flyers among solids.
    Physics,
    /// A share of the solver's time, estimated by contacts.
    Solver,
}

impl Share {
    /// All kinds, in the order of tables.
    pub const ALL: [Self; 4] = [Self::Behavior, Self::Movement, Self::Physics, Self::Solver];

    /// Name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Behavior => "Behavior",
            Self::Movement => "Movement",
            Self::Physics => "Physics",
            Self::Solver => "Solver",
        }
    }

    /// Description, as a sentence.
    #[must_use]
    pub fn doc(self) -> &'static str {
        match self {
            Self::Behavior => "Messages, machines and tracks of its entities",
            Self::Movement => "Path searches, steering and avoidance of its entities",
            Self::Physics => "Motion of its walkers and flyers among solids",
            Self::Solver => {
                "An estimate: the solver's time divided among the bodies that are awake, by how many contacts each has"
            }
        }
    }
}

impl System {
    /// Name in tables.
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

    /// Description, as a sentence.
    #[must_use]
    pub fn doc(self) -> &'static str {
        match self {
            Self::Tick => "A whole tick; its own time is all that is not listed below",
            Self::Messages => "Messages that are due, and the start of machines",
            Self::Updates => "Update for every machine",
            Self::Machines => "Machines that respond: transitions, conditions and actions",
            Self::Tracks => "Tracks that play, and what they drive",
            Self::Movement => "Walkers and flyers: orders, paths and keys",
            Self::Paths => "Path searches, within the budget of a tick",
            Self::Crowd => "Lookup of nearby agents, for avoidance",
            Self::Steering => "The input of each walker and flyer",
            Self::Avoidance => "Avoidance of other agents",
            Self::Physics => "The step of the physics",
            Self::Index => "Kinematic bodies, and the spatial index of all bodies",
            Self::Zones => "The effect of zones on bodies",
            Self::Controllers => "Motion of walkers and flyers among solids",
            Self::Forces => "Forces and gravity of bodies without contact",
            Self::Pairs => "The test for too many pairs of near bodies",
            Self::Solver => "The step of the solver, for bodies moved by forces",
            Self::BroadPhase => "Pairs of overlapping bounding boxes",
            Self::NarrowPhase => "Contact points of the shapes in them",
            Self::Islands => "Groups of bodies in contact, and which of them may sleep",
            Self::Constraints => "Impulses of contacts and joints, and the new velocities",
            Self::Touches => "Contacts that began or ended, and the new poses",
            Self::Crush => "Bodies without room",
            Self::Joints => "New joints, and joints that break",
            Self::Contacts => "New poses; contacts, crushing and breaking as messages",
            Self::Animation => "Clips of sprites, and texts whose time is over",
        }
    }

    /// The kind of work that a sample counts as for an entity.
    #[must_use]
    pub fn share(self) -> Share {
        match self {
            Self::Movement | Self::Paths | Self::Crowd | Self::Steering | Self::Avoidance => Share::Movement,
            Self::Physics | Self::Controllers => Share::Physics,
            _ => Share::Behavior,
        }
    }
}
