//! The rules, one file each. A rule has a name, a description, and a function from its input to problems.

use super::Rule;

mod abstract_instance;
mod bad_camera;
mod bad_remove;
mod bad_response;
mod bad_schema;
mod bad_track;
mod broken_link;
mod cannot_move;
mod dead_transition;
mod deprecated;
mod duplicate_id;
mod duplicate_name;
mod empty_machines;
mod empty_name;
mod endless_pieces;
mod entity_outside_level;
mod image_missing;
mod impassable_link;
mod inconsistent_order;
mod inheritance_cycle;
mod inheritance_depth;
mod large_level;
mod missing_component;
mod missing_parent;
mod missing_reference;
mod narrow_passage;
mod near_constant;
mod no_expectation;
mod no_initial;
mod out_of_range;
mod pointless_remove;
mod preview_unknown;
mod redundant_override;
mod redundant_parent;
mod repeated_element;
mod rounded;
mod scenario_entity;
mod self_joint;
mod self_link;
mod solid_zone;
mod sound_missing;
mod stacked_entities;
mod start_level_missing;
mod tile_outside_image;
mod too_many_parts;
mod tuning_out_of_range;
mod unknown_call;
mod unknown_component;
mod unknown_entity;
mod unknown_field;
mod unknown_layer;
mod unknown_message;
mod unknown_state;
mod unknown_target;
mod unknown_tile;
mod unlimited_links;
mod unreachable_goal;
mod unreachable_state;
mod unreachable_waypoint;
mod waypoint_in_wall;
mod waypoint_outside_level;
mod wrong_arguments;
mod wrong_type;

pub(super) use image_missing::named as named_images;
pub(super) use out_of_range::nearest_at;
pub(super) use wrong_type::{meant, new_word};

/// Every rule.
pub(super) const ALL: &[Rule] = &[
    abstract_instance::RULE,
    bad_camera::RULE,
    bad_remove::RULE,
    bad_response::RULE,
    bad_schema::RULE,
    bad_track::RULE,
    broken_link::RULE,
    cannot_move::RULE,
    dead_transition::RULE,
    deprecated::RULE,
    duplicate_id::RULE,
    duplicate_name::RULE,
    empty_machines::RULE,
    empty_name::RULE,
    endless_pieces::RULE,
    entity_outside_level::RULE,
    image_missing::RULE,
    impassable_link::RULE,
    inconsistent_order::RULE,
    inheritance_cycle::RULE,
    inheritance_depth::RULE,
    large_level::RULE,
    missing_component::RULE,
    missing_parent::RULE,
    missing_reference::RULE,
    narrow_passage::RULE,
    near_constant::RULE,
    no_expectation::RULE,
    no_initial::RULE,
    out_of_range::RULE,
    pointless_remove::RULE,
    preview_unknown::RULE,
    redundant_override::RULE,
    redundant_parent::RULE,
    repeated_element::RULE,
    rounded::RULE,
    scenario_entity::RULE,
    self_joint::RULE,
    self_link::RULE,
    solid_zone::RULE,
    sound_missing::RULE,
    stacked_entities::RULE,
    start_level_missing::RULE,
    tile_outside_image::RULE,
    too_many_parts::RULE,
    tuning_out_of_range::RULE,
    unknown_call::RULE,
    unknown_component::RULE,
    unknown_entity::RULE,
    unknown_field::RULE,
    unknown_layer::RULE,
    unknown_message::RULE,
    unknown_state::RULE,
    unknown_target::RULE,
    unknown_tile::RULE,
    unlimited_links::RULE,
    unreachable_goal::RULE,
    unreachable_state::RULE,
    unreachable_waypoint::RULE,
    waypoint_in_wall::RULE,
    waypoint_outside_level::RULE,
    wrong_arguments::RULE,
    wrong_type::RULE,
];
