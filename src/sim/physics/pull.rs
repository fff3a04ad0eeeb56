//! A spring between a point of a dynamic body and a point of the world, with which the pointer pulls the body.
//!
//! Invariant: it is stable for every mass, timestep and distance, since the impulse of a tick is solved for with the
//! velocity that results. It is critically damped, so the body arrives without overshooting.
//!
//! Source: Catto, "Soft constraints", GDC 2011.

use glam::{Mat2, Vec2};

use crate::sim::{EntityKey, limits};

use super::Physics;

/// Stiffness of the spring, as its undamped frequency in Hz.
const FREQUENCY_HZ: f32 = 5.0;
/// The greatest acceleration of the body, px/s²: thirty times the usual gravity, so that walls and stacks withstand it.
const MAX_ACCELERATION_PX_S2: f32 = 30_000.0;

impl Physics {
    /// World position, in pixels, of a point of a body that is given from its origin, unturned.
    #[must_use]
    pub fn point_of(&self, key: EntityKey, from_origin: Vec2) -> Option<Vec2> {
        let pose = self.pose(key)?;
        Some(pose.pos + Vec2::from_angle(pose.angle).rotate(from_origin))
    }

    /// Pull a point of a dynamic body, given in pixels from its origin, toward a point of the world during the next
    /// step. Returns whether the body can be pulled.
    pub fn pull(&mut self, key: EntityKey, from_origin: Vec2, to: Vec2) -> bool {
        let dt = self.config.dt_secs;
        let Some(grip) = self.point_of(key, from_origin).filter(|grip| grip.is_finite() && to.is_finite()) else {
            return false;
        };
        let Some(body) = self.bodies.get_mut(key).filter(|body| body.spec.is_dynamic() && !body.is_faulty) else {
            return false;
        };
        let Some(rigid) = self.solver.bodies.get_mut(body.handle) else { return false };
        let (inv_mass, inv_inertia) =
            (rigid.mass_properties().effective_inv_mass, rigid.mass_properties().effective_world_inv_inertia);
        if inv_mass.min_element() <= 0.0 {
            // The solver has not seen the body yet.
            return true;
        }
        let arm = grip - rigid.center_of_mass();
        let omega = std::f32::consts::TAU * FREQUENCY_HZ;
        let mass = 1.0 / inv_mass.x;
        let (stiffness, damping) = (mass * omega * omega, 2.0 * mass * omega);
        let softness = 1.0 / (dt * (damping + dt * stiffness));
        let bias = dt * stiffness * softness;
        let mixed = -inv_inertia * arm.x * arm.y;
        let response = Mat2::from_cols(
            Vec2::new(inv_mass.x + inv_inertia * arm.y * arm.y + softness, mixed),
            Vec2::new(mixed, inv_mass.y + inv_inertia * arm.x * arm.x + softness),
        );
        let velocity = rigid.linvel() + arm.perp() * rigid.angvel();
        let most = mass * MAX_ACCELERATION_PX_S2.min(limits::MAX_ACCELERATION_PX_S2) * dt;
        let impulse = (response.inverse() * -(velocity + (grip - to) * bias)).clamp_length_max(most);
        if !impulse.is_finite() {
            return true;
        }
        self.solver.strike(body, impulse, grip);
        true
    }

    /// Move a body at once, to a position in pixels and an angle in radians, and stop it there.
    pub fn set_still(&mut self, key: EntityKey, pos: Vec2, angle: f32) {
        if let Some(body) = self.bodies.get_mut(key) {
            (body.pose.vel, body.pose.spin) = (Vec2::ZERO, 0.0);
        }
        self.set_pose(key, pos, angle);
    }
}
