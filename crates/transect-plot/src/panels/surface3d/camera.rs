//! A camera that looks at the block of terrain in the middle of the world.
//!
//! World: x east, y north, z up; the longer side of the terrain is 1, its middle is at the origin.

/// Distance of the camera from the middle; nearer means stronger perspective.
const DISTANCE: f64 = 2.7;

/// Where a point of the world appears.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// Pixels to the right and down.
    pub at: [f64; 2],
    /// One over the distance along the line of sight; larger is nearer.
    pub nearness: f64,
}

/// A perspective camera, scaled so that the given corners fill a rectangle.
#[derive(Debug, Clone)]
pub(super) struct Camera {
    right: [f64; 3],
    up: [f64; 3],
    toward: [f64; 3],
    zoom: f64,
    shift: [f64; 2],
    /// Height in pixels of what was to be fitted.
    pub height: f64,
}

impl Camera {
    /// A camera that stands in compass direction `azimuth` and at height angle `altitude` (both in degrees) as seen from the
    /// terrain, with all of `corners` inside a picture of the given size with the given margins (left, right, top, bottom).
    pub fn fitting(
        azimuth: f64,
        altitude: f64,
        corners: &[[f64; 3]],
        size: [f64; 2],
        margins: [f64; 4],
    ) -> Self {
        let ((sin_a, cos_a), (sin_h, cos_h)) = (
            azimuth.to_radians().sin_cos(),
            altitude.to_radians().sin_cos(),
        );
        let mut camera = Camera {
            right: [-cos_a, sin_a, 0.0],
            up: [-sin_h * sin_a, -sin_h * cos_a, cos_h],
            toward: [cos_h * sin_a, cos_h * cos_a, sin_h],
            zoom: 1.0,
            shift: [0.0, 0.0],
            height: 0.0,
        };
        let seen: Vec<[f64; 2]> = corners.iter().map(|c| camera.see(*c).at).collect();
        let bound = |axis: usize, pick: fn(f64, f64) -> f64, start: f64| {
            seen.iter().map(|p| p[axis]).fold(start, pick)
        };
        let low = [
            bound(0, f64::min, f64::INFINITY),
            bound(1, f64::min, f64::INFINITY),
        ];
        let high = [
            bound(0, f64::max, f64::NEG_INFINITY),
            bound(1, f64::max, f64::NEG_INFINITY),
        ];
        let [left, right, top, bottom] = margins;
        let room = [size[0] - left - right, size[1] - top - bottom];
        camera.zoom = (room[0] / (high[0] - low[0])).min(room[1] / (high[1] - low[1]));
        camera.height = camera.zoom * (high[1] - low[1]);
        camera.shift = [
            left + room[0] / 2.0 - camera.zoom * (low[0] + high[0]) / 2.0,
            top + room[1] / 2.0 - camera.zoom * (low[1] + high[1]) / 2.0,
        ];
        camera
    }

    /// Where a point appears.
    pub fn see(&self, p: [f64; 3]) -> Seen {
        let nearness = 1.0 / (DISTANCE - dot(p, self.toward));
        let at = [
            self.shift[0] + self.zoom * dot(p, self.right) * nearness,
            self.shift[1] - self.zoom * dot(p, self.up) * nearness,
        ];
        Seen { at, nearness }
    }

    /// How far a point lies on the camera's side of the middle.
    pub fn closeness(&self, p: [f64; 3]) -> f64 {
        dot(p, self.toward)
    }

    /// Direction of a light over the camera's left shoulder.
    pub fn light(&self) -> [f64; 3] {
        let mix = |i: usize| {
            -0.75 * self.right[i] + 0.1 * self.toward[i] + if i == 2 { 0.66 } else { 0.0 }
        };
        unit([mix(0), mix(1), mix(2)])
    }
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = dot(v, v).sqrt();
    v.map(|c| c / length)
}
