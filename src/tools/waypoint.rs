//! Waypoints: adding, moving and chaining them, and linking and breaking links by hand.
//!
//! Invariant: what the user sets for two waypoints (a link, or none) is all that is written; automatic links are only
//! looked at, so that one can be broken.

use std::borrow::Cow;

use glam::Vec2;

use super::{Cursor, Ghost, PointerEvent, PointerPhase, ToolCx, ToolKind, ToolOut, select::DRAG_POINTS};
use crate::{
    edit::{Edit, Phase},
    model::{DocPath, Layer, LevelView, Link, LinkBy, Name, Node, WaypointGraph, counted, fresh_id},
    sim::{
        grid::SolidGrid,
        nav::{LedgeNetwork, SuggestedLink, joining_links, suggest_lattice, suggest_nodes, suggest_on_platforms},
    },
};

/// The waypoint that the next click links to.
pub(super) type Chain = Option<(DocPath, Name)>;

/// What the waypoint and link tools are in the middle of.
#[derive(Clone, Debug)]
pub(super) enum Linking {
    /// A new waypoint, still held.
    Add { id: Name },
    /// A waypoint, held where it was pressed.
    Hold { id: Name, from: [f64; 2], is_dragging: bool },
    /// A new waypoint between two that were linked by hand, still held.
    Insert { id: Name, ends: (Name, Name) },
    /// A link's state was changed by the press: whether there is one, or its direction.
    Toggle { ends: (Name, Name), turns: bool },
}

/// What the tool works on.
struct Work<'a> {
    cx: &'a ToolCx<'a>,
    layer: &'a Layer,
    graph: &'a WaypointGraph,
    is_for_links: bool,
}

/// Answer a pointer event with the tool `kind`, which is in the middle of `linking`.
pub(super) fn pointer(
    (kind, chain): (ToolKind, &mut Chain),
    cx: &ToolCx<'_>,
    event: &PointerEvent,
    linking: Option<Linking>,
) -> (Option<Linking>, ToolOut) {
    let (layer, graph) = match waypoint_layer(cx) {
        Ok(found) => found,
        Err(why) => return (None, ToolOut::refused(why)),
    };
    let tool = Work { cx, layer, graph, is_for_links: kind == ToolKind::Link };
    let from = chain.as_ref().filter(|(doc, id)| doc == cx.doc && graph.nodes.contains_key(id));
    let from = from.map(|(_, id)| id.clone());
    let offset = cx.look(layer).offset;
    let at = [event.pos_px[0] - offset[0], event.pos_px[1] - offset[1]];
    match (event.phase, linking) {
        (PointerPhase::Press, _) => tool.press(event, at, from.as_ref()),
        (PointerPhase::Drag | PointerPhase::Release, Some(linking)) => {
            tool.drag((from.as_ref(), chain), event, at, linking)
        }
        _ => (None, tool.hover(event, at, from.as_ref())),
    }
}

/// At most so many waypoints are added at once: each is linked to those it sees.
const MOST_SUGGESTED: usize = 500;

/// Where waypoints are suggested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suggested {
    /// Beside the convex corners of the walls.
    Corners,
    /// On what can be stood on: at both ends, and between them where these are far apart; on an empty layer linked along
    /// ledges and by jumps.
    Platforms,
    /// All over what is open, evenly; on an empty layer linked with their neighbors.
    Lattice,
}

/// So many cells lead from one column or row of a lattice to the next, at least.
const LATTICE_CELLS: u32 = 3;
/// So many from one waypoint on a platform to the next, at most.
const PLATFORM_CELLS: u32 = 8;
/// So many cells of a lattice are looked at.
const MOST_LOOKED_AT: f64 = 1e5;

/// Why links are not used that were found for other walls, or another layer.
pub const OUTDATED: &str = "The level has changed meanwhile: suggest waypoints again";

/// Links over ledges between waypoints that are suggested on platforms.
#[derive(Clone, Debug)]
pub struct OverLedges {
    /// The definition of the walker.
    pub who: Name,
    /// The layer of the waypoints.
    pub layer: Name,
    /// The waypoints as they were suggested, in pixels.
    pub suggested: Vec<Vec2>,
    /// The waypoints where the walker has room, and their links; `None` if there are too many to find these.
    pub network: Option<LedgeNetwork>,
}

/// The waypoints that are suggested on platforms and are to be linked over ledges, with their layer: on an empty one.
/// `None` on another one.
///
/// # Errors
/// There is no waypoint layer to work on, or nothing or too much to add.
pub fn places_to_link(cx: &ToolCx<'_>, grid: &SolidGrid) -> Result<Option<(Name, Vec<Vec2>)>, String> {
    let (layer, graph) = waypoint_layer(cx)?;
    if !graph.nodes.is_empty() {
        return Ok(None);
    }
    let places = suggest_on_platforms(grid, radius_of(graph), PLATFORM_CELLS);
    check_number(Suggested::Platforms, places.len())?;
    Ok(Some((layer.name.clone(), places)))
}

/// Add waypoints where they are of use, but for places that have one; they are selected. On an empty layer they are
/// linked: those of a lattice with their neighbors, as the layer's automatic links become no longer than its diagonals,
/// and by hand where these do not connect them; those on platforms by hand `over_ledges`, if that is given, and no longer
/// by sight.
///
/// # Errors
/// There is no waypoint layer to work on, or nothing or too much to add, or `over_ledges` is of others.
pub fn suggest_waypoints(
    cx: &ToolCx<'_>,
    grid: &SolidGrid,
    where_to: Suggested,
    over_ledges: Option<&OverLedges>,
) -> Result<ToolOut, String> {
    let (layer, graph) = waypoint_layer(cx)?;
    let level = cx.level().ok_or(NO_LAYER)?;
    let (places, linked) = match where_to {
        Suggested::Corners => (suggest_nodes(grid, radius_of(graph)), Linked::default()),
        Suggested::Platforms => {
            let places = suggest_on_platforms(grid, radius_of(graph), PLATFORM_CELLS);
            match over_ledges {
                Some(over) if over.layer == layer.name && over.suggested == places && graph.nodes.is_empty() => {
                    let linked = linked_over_ledges((cx, layer, graph), over);
                    (over.network.as_ref().map_or(places, |it| it.places.clone()), linked)
                }
                Some(_) => return Err(OUTDATED.to_owned()),
                None => (places, linked_by_sight((cx, layer, graph))),
            }
        }
        Suggested::Lattice => {
            let (cells, places) = lattice(grid, radius_of(graph))?;
            let diagonal = (grid.tile_size() * cells).length().ceil();
            let linked = linked_with_neighbors((cx, layer, graph), grid, &places, diagonal);
            (places, linked)
        }
    };
    let offset = cx.look(layer).offset;
    // Two decimals keep the hair of room that a suggestion leaves beside the wall.
    let places = places.iter().map(|at| [0, 1].map(|i| (f64::from(at[i]) * 100.0).round() / 100.0 - offset[i]));
    let is_taken = |at: &[f64; 2]| graph.nodes.values().any(|it| (it.at[0] - at[0]).hypot(it.at[1] - at[1]) < 1.0);
    let places: Vec<_> = places.filter(|at| !is_taken(at)).collect();
    check_number(where_to, places.len())?;
    let mut ids: Vec<Name> = Vec::new();
    for seed in (cx.seed..).take(places.len()) {
        let id = fresh_id(seed, |id| level.has_id(id) || ids.iter().any(|it| **it == *id));
        ids.push(id);
    }
    let nodes: Vec<_> = ids.iter().cloned().zip(places.into_iter().map(|at| Node { at, tags: Vec::new() })).collect();
    let label = Some(format!("Suggest {}", counted(nodes.len(), "waypoint")));
    let Linked { links, setting, hint } = linked;
    let by_hand =
        |SuggestedLink { ends: [a, b], one_way }| Link { one_way, ..Link::new(&ids[a], &ids[b], LinkBy::Hand) };
    let links = links.into_iter().map(by_hand).collect();
    let entities = Vec::new();
    let paste = Edit::PasteThings { doc: cx.doc.clone(), layer: layer.name.clone(), entities, nodes, links };
    let edits = [paste].into_iter().chain(setting).collect();
    Ok(ToolOut { edits, label, selection: Some(ids), hint, phase: Phase::Commit, ..ToolOut::default() })
}

/// How suggested waypoints are linked.
#[derive(Default)]
struct Linked {
    /// The links made by hand.
    links: Vec<SuggestedLink>,
    /// The edit of the layer's settings.
    setting: Option<Edit>,
    /// A notice for the status line.
    hint: Cow<'static, str>,
}

/// Links with neighbors on a lattice, which are at most a diagonal apart, in pixels.
fn linked_with_neighbors(
    (cx, layer, graph): (&ToolCx<'_>, &Layer, &WaypointGraph),
    grid: &SolidGrid,
    places: &[Vec2],
    diagonal: f32,
) -> Linked {
    let mut linked = Linked::default();
    #[expect(clippy::cast_possible_truncation, reason = "pixels")]
    let most = graph.max_length.map_or(f32::INFINITY, |length| length as f32);
    let Some(level) = cx.level().filter(|_| graph.auto_link) else { return linked };
    let (is_alone, is_shorter, name) = (graph.nodes.is_empty(), diagonal < most, &layer.name);
    if is_alone {
        // It links neighbors, and what these would not connect.
        linked.links = joining_links(places, grid, radius_of(graph), diagonal.min(most)..=most);
    }
    if is_shorter && is_alone {
        let length = Some(f64::from(diagonal));
        linked.setting = Some(Edit::set_at(cx.doc, level.layer_at(&**name).key("max_length"), &length));
        linked.hint =
            format!("Automatic links of {name} are at most {diagonal} px long now, as neighbors are apart").into();
    } else if is_shorter {
        linked.hint = format!(
            "Automatic links of {name} reach beyond neighbors: a `max_length` of {diagonal} px would link these only"
        )
        .into();
    }
    linked
}

/// Links along ledges and by jumps of a walker, on an empty layer.
fn linked_over_ledges((cx, layer, graph): (&ToolCx<'_>, &Layer, &WaypointGraph), over: &OverLedges) -> Linked {
    let (name, who) = (&layer.name, &over.who);
    let Some((network, level)) = over.network.as_ref().zip(cx.level()) else {
        let hint = format!("There are too many ways of {who} to link {name} by them: its links lead through the air");
        return Linked { hint: hint.into(), ..Linked::default() };
    };
    let at = level.layer_at(&**name).key("auto_link");
    let setting = graph.auto_link.then(|| Edit::set_at(cx.doc, at, &false));
    let hint = format!("Links of {name} lead where {who} walks, drops or jumps; those by sight are off").into();
    Linked { links: network.links.clone(), setting, hint }
}

/// No links but automatic ones, which seen from the side lead through the air.
fn linked_by_sight((cx, layer, graph): (&ToolCx<'_>, &Layer, &WaypointGraph)) -> Linked {
    let is_from_side = cx.level().is_some_and(|level| cx.project.view_of(level) == LevelView::Platformer);
    let is_through_air = graph.auto_link && is_from_side && !graph.nodes.is_empty();
    let hint = is_through_air.then(|| {
        let name = &layer.name;
        format!("Automatic links of {name} lead through the air: on an empty layer they lead along ledges and by jumps")
    });
    Linked { hint: hint.map(Cow::from).unwrap_or_default(), ..Linked::default() }
}

const NO_LAYER: &str = "Choose a waypoint layer";

/// The layer of waypoints that is worked on, and its waypoints.
fn waypoint_layer<'a>(cx: &ToolCx<'a>) -> Result<(&'a Layer, &'a WaypointGraph), String> {
    let layer = cx.layer_for("waypoints", |layer| layer.waypoints().is_some())?;
    layer.waypoints().map(|graph| (layer, graph)).ok_or_else(|| NO_LAYER.to_owned())
}

/// The radius of the agents of a layer, in pixels.
#[expect(clippy::cast_possible_truncation, reason = "a radius in pixels")]
fn radius_of(graph: &WaypointGraph) -> f32 {
    graph.radius as f32
}

fn check_number(where_to: Suggested, n: usize) -> Result<(), String> {
    match n {
        0 => Err(nothing_to_add(where_to).to_owned()),
        n if n > MOST_SUGGESTED => {
            let what = if where_to == Suggested::Platforms { "There are platforms" } else { "The walls have corners" };
            Err(format!("{what} for {n} waypoints, and at most {MOST_SUGGESTED} are added at once"))
        }
        _ => Ok(()),
    }
}

/// A lattice with as many waypoints as may be added: the cells from one to the next, and the places.
fn lattice(grid: &SolidGrid, radius: f32) -> Result<(f32, Vec<Vec2>), String> {
    // Without looking at all cells of a large level again and again.
    let (lo, hi) = grid.bounds();
    let n_cells = [0, 1].map(|i| f64::from(hi[i]) - f64::from(lo[i]));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let least = (n_cells[0] * n_cells[1] / MOST_LOOKED_AT).sqrt().ceil() as u32;
    let steps = std::iter::successors(Some(LATTICE_CELLS.max(least)), |cells| Some(cells + cells / 8 + 1));
    #[expect(clippy::cast_precision_loss, reason = "cells of a level")]
    let mut lattices =
        steps.take(64).map(|cells| (cells as f32, suggest_lattice(grid, radius, cells, MOST_SUGGESTED + 1)));
    let found = lattices.find(|(_, places)| places.len() <= MOST_SUGGESTED);
    found.ok_or_else(|| "The level is too large for a lattice".to_owned())
}

fn nothing_to_add(where_to: Suggested) -> &'static str {
    match where_to {
        Suggested::Corners => "Every corner of the walls has a waypoint already, or there is no room for one",
        Suggested::Platforms => "Everything that can be stood on has waypoints already, or there is no room for one",
        Suggested::Lattice => "Every place of the lattice has a waypoint already, or there is no room for one",
    }
}

impl Work<'_> {
    /// Where something of the layer is drawn.
    fn shown(&self, at: [f64; 2]) -> [f64; 2] {
        let offset = self.cx.look(self.layer).offset;
        [at[0] + offset[0], at[1] + offset[1]]
    }

    fn node_at(&self, at: [f64; 2], except: Option<&Name>) -> Option<&Name> {
        let distance = |node: &Node| (node.at[0] - at[0]).hypot(node.at[1] - at[1]);
        let near =
            self.graph.nodes.iter().filter(|(id, node)| Some(*id) != except && distance(node) <= self.cx.reach_px());
        near.min_by(|a, b| distance(a.1).total_cmp(&distance(b.1))).map(|(id, _)| id)
    }

    /// The nearest link (stated, broken or automatic) to a place, by its ends.
    fn link_at(&self, at: [f64; 2]) -> Option<(Name, Name)> {
        let stated = self.graph.links.iter().map(|link| (&link.from, &link.to));
        let auto = self.cx.links.iter().filter(|link| link.by == LinkBy::Auto).map(|link| (&link.from, &link.to));
        let near = stated.chain(auto).filter_map(|(from, to)| {
            let (a, b) = (self.graph.nodes.get(from)?, self.graph.nodes.get(to)?);
            let distance = from_segment(at, a.at, b.at);
            (distance <= self.cx.reach_px() * 0.75).then_some((distance, from, to))
        });
        near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, from, to)| (from.clone(), to.clone()))
    }

    fn link(&self, from: &Name, to: &Name, link: Option<Link>) -> Edit {
        Edit::SetLink {
            doc: self.cx.doc.clone(),
            layer: self.layer.name.clone(),
            from: from.clone(),
            to: to.clone(),
            link,
        }
    }

    fn hand_link(&self, from: &Name, to: &Name, one_way: bool) -> Edit {
        self.link(from, to, Some(Link { one_way, ..Link::new(from, to, LinkBy::Hand) }))
    }

    /// Break a link, or take a break back.
    fn toggled(&self, (from, to): &(Name, Name)) -> Edit {
        let is_broken = self.graph.links.iter().any(|link| link.joins(from, to) && link.by == LinkBy::Broken);
        let broken = Link::new(from, to, LinkBy::Broken);
        self.link(from, to, (!is_broken).then_some(broken))
    }

    /// Break a link or take a break back; or turn it.
    fn changed(&self, ends: &(Name, Name), turns: bool) -> (Option<String>, Vec<Edit>) {
        if !turns {
            return (None, vec![self.toggled(ends)]);
        }
        let (label, edits) = turn_link(self.cx.doc, self.layer, ends);
        (Some(label), edits)
    }

    /// The link whose middle is at a place, by its ends: one made by hand, or an automatic one between two that follow
    /// each other on routes. With waypoints by the other tool, a new one goes there.
    fn middle_at(&self, at: [f64; 2]) -> Option<(Name, Name)> {
        if self.is_for_links {
            return None;
        }
        let by_hand = self.graph.links.iter().filter(|link| link.by == LinkBy::Hand);
        let is_on_route = |link: &&Link| link.by == LinkBy::Auto && self.second_of(&link.from, &link.to).is_some();
        let near = by_hand.chain(self.cx.links.iter().filter(is_on_route)).filter_map(|link| {
            let (a, b) = (self.graph.nodes.get(&link.from)?.at, self.graph.nodes.get(&link.to)?.at);
            let middle = [0, 1].map(|i| f64::midpoint(a[i], b[i]));
            let distance = (middle[0] - at[0]).hypot(middle[1] - at[1]);
            (distance <= self.cx.reach_px()).then_some((distance, link))
        });
        let (_, link) = near.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((link.from.clone(), link.to.clone()))
    }

    /// The place of the second of two waypoints in the order of the layer, by which routes go, if it comes right after
    /// the other.
    fn second_of(&self, a: &Name, b: &Name) -> Option<usize> {
        let place = |id: &Name| self.graph.nodes.get_index_of(id);
        let (i, j) = (place(a)?, place(b)?);
        (i.abs_diff(j) == 1).then_some(i.max(j))
    }

    /// The edits that put a waypoint between two: each link of these made by hand becomes two that share its cost, and
    /// routes pass the new one between them.
    fn insert(&self, id: &Name, event: &PointerEvent, at: [f64; 2], (a, b): &(Name, Name)) -> Vec<Edit> {
        let node = Node { at: self.cx.snapped(at, event.modifiers.alt), tags: Vec::new() };
        let far = |other: &Name| {
            let other = self.graph.nodes.get(other).map_or(node.at, |other| other.at);
            (other[0] - node.at[0]).hypot(other[1] - node.at[1])
        };
        let shares = {
            let (to_a, to_b) = (far(a), far(b));
            let share = if to_a + to_b > 0.0 { to_a / (to_a + to_b) } else { 0.5 };
            [(a, share), (b, 1.0 - share)]
        };
        let share_of = |end: &Name| shares.iter().find(|(it, _)| *it == end).map_or(0.5, |(_, share)| *share);
        let mut edits = vec![Edit::add_node(self.cx.doc, &self.layer.name, id.clone(), node.clone())];
        if let (Some(to), Some(level)) = (self.second_of(a, b), self.cx.level()) {
            let at = level.node_at(&*self.layer.name, id);
            edits.push(Edit::Move { doc: self.cx.doc.clone(), at, to });
        }
        if !self.graph.links.iter().any(|link| link.by == LinkBy::Hand && link.joins(a, b)) {
            return edits;
        }
        // Where waypoints link themselves, these two would again.
        let broken = Link::new(a, b, LinkBy::Broken);
        edits.push(self.link(a, b, self.graph.auto_link.then_some(broken)));
        for link in self.graph.links.iter().filter(|link| link.by == LinkBy::Hand && link.joins(a, b)) {
            for (from, to) in [(&link.from, id), (id, &link.to)] {
                let cost = link.cost.map(|cost| cost * share_of(if to == id { from } else { to }));
                let part = Link { from: from.clone(), to: to.clone(), cost, ..link.clone() };
                edits.push(self.link(from, to, Some(part)));
            }
        }
        edits
    }

    fn hover(&self, event: &PointerEvent, at: [f64; 2], chain: Option<&Name>) -> ToolOut {
        let mut ghost = Ghost::default();
        let mut cursor = Cursor::Crosshair;
        let over = self.node_at(at, None);
        if let Some(id) = over {
            ghost.hovered = Some(id.clone());
            cursor = Cursor::Move;
        } else if self.is_for_links || event.modifiers.ctrl {
            let link = self.link_at(at);
            cursor = if link.is_some() { Cursor::Hand } else { Cursor::Arrow };
            ghost.link = link.and_then(|(from, to)| {
                Some([self.shown(self.graph.nodes.get(&from)?.at), self.shown(self.graph.nodes.get(&to)?.at)])
            });
            return ToolOut { ghost, cursor, ..ToolOut::default() };
        } else {
            ghost.node = Some(self.shown(self.cx.snapped(at, event.modifiers.alt)));
            if self.middle_at(at).is_some() {
                let hint =
                    "Drag the middle of the link to put a waypoint there, between the two that are linked".into();
                return ToolOut { ghost, cursor: Cursor::Move, hint, ..ToolOut::default() };
            }
        }
        let end = over.and_then(|id| self.graph.nodes.get(id)).map(|node| self.shown(node.at)).or(ghost.node);
        if let (Some(start), Some(end)) = (chain.and_then(|id| self.graph.nodes.get(id)), end)
            && !self.is_for_links
        {
            ghost.link = Some([self.shown(start.at), end]);
        }
        ToolOut { ghost, cursor, ..ToolOut::default() }
    }

    fn press(&self, event: &PointerEvent, at: [f64; 2], chain: Option<&Name>) -> (Option<Linking>, ToolOut) {
        let cursor = Cursor::Crosshair;
        if let Some(id) = self.node_at(at, None) {
            let linking = Linking::Hold { id: id.clone(), from: event.pos_px, is_dragging: false };
            let ghost = Ghost { hovered: Some(id.clone()), ..Ghost::default() };
            return (Some(linking), ToolOut { ghost, cursor, ..ToolOut::default() });
        }
        if self.is_for_links || event.modifiers.ctrl {
            let Some(link) = self.link_at(at) else {
                return (None, ToolOut::hint("There is no waypoint and no link here"));
            };
            let turns = event.modifiers.shift;
            let (label, edits) = self.changed(&link, turns);
            let out = ToolOut { edits, label, cursor: Cursor::Hand, ..ToolOut::default() };
            return (Some(Linking::Toggle { ends: link, turns }), out);
        }
        let id = fresh_id(self.cx.seed, |id| self.cx.level().is_some_and(|level| level.has_id(id)));
        if let Some(ends) = self.middle_at(at) {
            let edits = self.insert(&id, event, at, &ends);
            return (
                Some(Linking::Insert { id, ends }),
                ToolOut { edits, label: inserting(), cursor, ..ToolOut::default() },
            );
        }
        let out = ToolOut { edits: self.add(&id, event, at, chain), cursor, ..ToolOut::default() };
        (Some(Linking::Add { id }), out)
    }

    /// The edits that add a waypoint and link it to the chain.
    fn add(&self, id: &Name, event: &PointerEvent, at: [f64; 2], chain: Option<&Name>) -> Vec<Edit> {
        let node = Node { at: self.cx.snapped(at, event.modifiers.alt), tags: Vec::new() };
        let add = Edit::add_node(self.cx.doc, &self.layer.name, id.clone(), node);
        let link = chain.map(|from| self.hand_link(from, id, event.modifiers.shift));
        [add].into_iter().chain(link).collect()
    }

    fn drag(
        &self,
        (chain, next): (Option<&Name>, &mut Chain),
        event: &PointerEvent,
        at: [f64; 2],
        mut linking: Linking,
    ) -> (Option<Linking>, ToolOut) {
        let is_over = event.phase == PointerPhase::Release;
        let mut out =
            ToolOut { phase: ToolOut::ended(is_over, Phase::Commit), cursor: Cursor::Crosshair, ..ToolOut::default() };
        let mut select = |out: &mut ToolOut, id: &Name, goes_on: bool| {
            if is_over {
                out.selection = Some(vec![id.clone()]);
                *next = goes_on.then(|| (self.cx.doc.clone(), id.clone()));
            }
        };
        match &mut linking {
            Linking::Toggle { ends, turns } => (out.label, out.edits) = self.changed(ends, *turns),
            Linking::Insert { id, ends } => {
                (out.edits, out.label) = (self.insert(id, event, at, ends), inserting());
                select(&mut out, id, false);
            }
            Linking::Add { id } => {
                out.edits = self.add(id, event, at, chain);
                select(&mut out, id, true);
            }
            Linking::Hold { id, from, is_dragging } => {
                let by = [event.pos_px[0] - from[0], event.pos_px[1] - from[1]];
                *is_dragging |= by[0].hypot(by[1]) > DRAG_POINTS * self.cx.px_per_point;
                let start = self.graph.nodes.get(id).map(|node| node.at).unwrap_or_default();
                let target = self.node_at(at, Some(id)).filter(|_| *is_dragging).cloned();
                match target {
                    Some(target) => {
                        out.edits = vec![self.hand_link(id, &target, event.modifiers.shift)];
                        out.ghost.hovered = Some(target.clone());
                        select(&mut out, &target, false);
                    }
                    None if !*is_dragging => {
                        // A click: it goes on from here, linked to where the chain was.
                        let is_linked = chain.filter(|chain| *chain != id && !self.is_for_links);
                        out.edits = is_linked
                            .map(|chain| self.hand_link(chain, id, event.modifiers.shift))
                            .into_iter()
                            .collect();
                        select(&mut out, id, !self.is_for_links);
                    }
                    None if self.is_for_links => {
                        out.ghost.link = Some([self.shown(start), event.pos_px]);
                        out.phase = ToolOut::ended(is_over, Phase::Cancel);
                    }
                    None => {
                        let to = self.cx.snapped([start[0] + by[0], start[1] + by[1]], event.modifiers.alt);
                        let by = [to[0] - start[0], to[1] - start[1]];
                        out.edits = vec![Edit::MoveThings { doc: self.cx.doc.clone(), ids: vec![id.clone()], by }];
                        out.cursor = Cursor::Move;
                        select(&mut out, id, false);
                    }
                }
            }
        }
        (if is_over { None } else { Some(linking) }, out)
    }
}

#[expect(clippy::unnecessary_wraps, reason = "as an answer has it")]
fn inserting() -> Option<String> {
    Some("Insert a waypoint".to_owned())
}

/// The step, with its name, that gives the link between two waypoints its next direction: one way, one way back, both ways.
#[must_use]
pub fn turn_link(doc: &DocPath, layer: &Layer, (a, b): &(Name, Name)) -> (String, Vec<Edit>) {
    let label = "Turn link".to_owned();
    let Some(graph) = layer.waypoints() else { return (label, Vec::new()) };
    let set = |from: &Name, to: &Name, link: Option<Link>| {
        let (doc, layer, from, to) = (doc.clone(), layer.name.clone(), from.clone(), to.clone());
        Edit::SetLink { doc, layer, from, to, link }
    };
    let next = next_direction(graph, a, b);
    // One that leads back would stay beside it otherwise.
    (label, vec![set(a, b, None), set(&next.from.clone(), &next.to.clone(), Some(next))])
}

/// The link between two waypoints with its next direction: one way, one way back, both ways. One that was automatic is
/// by hand then.
fn next_direction(graph: &WaypointGraph, a: &Name, b: &Name) -> Link {
    let plain = |from: &Name, to: &Name| Link::new(from, to, LinkBy::Hand);
    let stated: Vec<&Link> = graph.links.iter().filter(|link| link.by == LinkBy::Hand && link.joins(a, b)).collect();
    // Which way comes first is told by the order of the names: a link does not know which it had before.
    let (first, last) = (a.min(b), a.max(b));
    match stated.as_slice() {
        [] => Link { one_way: true, ..plain(first, last) },
        [link] if !link.one_way => Link { one_way: true, cost: link.cost, ..plain(first, last) },
        [link] if link.from == *first => Link { one_way: true, cost: link.cost, ..plain(last, first) },
        [link, ..] => Link { one_way: false, ..(*link).clone() },
    }
}

/// Distance of a point from a segment.
fn from_segment(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (ab, ap) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let length2 = ab[0] * ab[0] + ab[1] * ab[1];
    let t = if length2 > 0.0 { ((ap[0] * ab[0] + ap[1] * ab[1]) / length2).clamp(0.0, 1.0) } else { 0.0 };
    (ap[0] - t * ab[0]).hypot(ap[1] - t * ab[1])
}
