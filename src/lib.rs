//! Levelwright: a desktop editor in which the levels, entities, behaviour and constants of a 2D game are data.
