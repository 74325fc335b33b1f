//! Which kernel, and how it starts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transect_gp::kernel::{
    Attentive, Deep, Exponent, Family, Gibbs, Kernel, Lengthscales, Stationary, Variant,
};
use transect_gp::random::NetworkStart;

use super::names::{choose, names_of};
use super::{at_least_one, positive, require};
use crate::Error;
use crate::inputs::DIMENSIONS;

/// How the primitive length-scales of attentive kernels lie between the smallest and the largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Spacing {
    /// At equal distances.
    Even,
    /// At equal ratios: as many between 0.1 and 0.2 as between 0.5 and 1.
    #[default]
    Ratio,
}

/// Which kernel, and how it starts. Length-scales are in scaled units: see
/// [`InputScaling`](super::InputScaling).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct KernelChoice {
    /// The kernel (one of [`KERNELS`]).
    #[schemars(extend("enum" = names_of(KERNELS)))]
    pub name: String,
    /// Start of the amplitude (variance of the standardised surface).
    pub amplitude: f64,
    /// Start of the trained length-scale of stationary and deep kernels.
    pub lengthscale: f64,
    /// M: primitive length-scales of attentive kernels, features of deep ones.
    pub components: usize,
    /// H: units in each hidden layer of a network.
    pub hidden: usize,
    /// Smallest primitive length-scale of attentive kernels.
    pub min_lengthscale: f64,
    /// Largest primitive length-scale of attentive kernels.
    pub max_lengthscale: f64,
    /// How the primitive length-scales of attentive kernels are spaced.
    pub spacing: Spacing,
    /// What attentive kernels are made of (one of [`BASES`]).
    #[schemars(extend("enum" = names_of(BASES)))]
    pub base: String,
    /// The exponent of the Gibbs kernel.
    #[schemars(with = "String", extend("enum" = [Exponent::Textbook, Exponent::Authors]))]
    pub gibbs_exponent: Exponent,
}

impl Default for KernelChoice {
    fn default() -> Self {
        Self {
            name: "ak".into(),
            amplitude: 1.0,
            lengthscale: 0.5,
            components: 8,
            hidden: 10,
            min_lengthscale: 0.05,
            max_lengthscale: 4.0,
            spacing: Spacing::Ratio,
            base: "matern12".into(),
            gibbs_exponent: Exponent::Textbook,
        }
    }
}

/// Makes a kernel from checked settings and a source of network weights.
pub type Build = fn(&KernelChoice, usize, &mut dyn NetworkStart) -> Result<Box<dyn Kernel>, Error>;

/// Every kernel by name.
pub const KERNELS: &[(&str, Build)] = &[
    ("rbf", |c, _, _| c.stationary("rbf")),
    ("matern12", |c, _, _| c.stationary("matern12")),
    ("matern32", |c, _, _| c.stationary("matern32")),
    ("matern52", |c, _, _| c.stationary("matern52")),
    ("rq", |c, _, _| c.stationary("rq")),
    ("ak", |c, d, net| c.attentive(Variant::Full, d, net)),
    ("ak-weight", |c, d, net| {
        c.attentive(Variant::Weight, d, net)
    }),
    ("ak-mask", |c, d, net| c.attentive(Variant::Mask, d, net)),
    ("ak-nnx2", |c, d, net| c.attentive(Variant::Nnx2, d, net)),
    ("gibbs", |c, d, net| Ok(Box::new(c.gibbs(d, net)))),
    ("dkl", |c, d, net| Ok(Box::new(c.deep(d, net)))),
];

/// Every stationary family by name. The mixture of `rq` starts at 1.
pub const BASES: &[(&str, Family)] = &[
    ("rbf", Family::Rbf),
    ("matern12", Family::Matern12),
    ("matern32", Family::Matern32),
    ("matern52", Family::Matern52),
    ("rq", Family::RationalQuadratic { alpha: 1.0 }),
];

impl KernelChoice {
    /// The paper's attentive kernel, and the authors' Gibbs exponent.
    pub fn paper() -> Self {
        Self {
            components: 10,
            min_lengthscale: 0.01,
            max_lengthscale: 0.5,
            spacing: Spacing::Even,
            base: "rbf".into(),
            gibbs_exponent: Exponent::Authors,
            ..Self::default()
        }
    }

    /// The kernel of this name with everything else at its default.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// Refuses what no kernel can start with.
    pub fn validate(&self) -> Result<(), Error> {
        choose("kernel.name", &self.name, KERNELS)?;
        choose("kernel.base", &self.base, BASES)?;
        positive("kernel.amplitude", self.amplitude)?;
        positive("kernel.lengthscale", self.lengthscale)?;
        positive("kernel.min_lengthscale", self.min_lengthscale)?;
        positive("kernel.max_lengthscale", self.max_lengthscale)?;
        require(
            self.max_lengthscale >= self.min_lengthscale,
            "kernel.max_lengthscale",
            self.max_lengthscale,
            "at least kernel.min_lengthscale is needed",
        )?;
        at_least_one("kernel.components", self.components)?;
        at_least_one("kernel.hidden", self.hidden)
    }

    /// The kernel for maps; `networks` gives the first weights of those that have a network.
    pub fn build(&self, networks: &mut dyn NetworkStart) -> Result<Box<dyn Kernel>, Error> {
        self.build_for(DIMENSIONS, networks)
    }

    /// The kernel for inputs of `dimensions` coordinates.
    pub fn build_for(
        &self,
        dimensions: usize,
        networks: &mut dyn NetworkStart,
    ) -> Result<Box<dyn Kernel>, Error> {
        self.validate()?;
        choose("kernel.name", &self.name, KERNELS)?(self, dimensions, networks)
    }

    fn stationary(&self, family: &str) -> Result<Box<dyn Kernel>, Error> {
        let family = choose("kernel.base", family, BASES)?;
        Ok(Box::new(Stationary::new(
            family,
            self.amplitude,
            self.lengthscale,
        )))
    }

    fn attentive(
        &self,
        variant: Variant,
        dimensions: usize,
        networks: &mut dyn NetworkStart,
    ) -> Result<Box<dyn Kernel>, Error> {
        let family = choose("kernel.base", &self.base, BASES)?;
        let spaced = match self.spacing {
            Spacing::Even => Lengthscales::even,
            Spacing::Ratio => Lengthscales::by_ratio,
        };
        let lengthscales = spaced(self.min_lengthscale, self.max_lengthscale, self.components)?;
        Ok(Box::new(Attentive::with(
            (family, variant),
            dimensions,
            self.hidden,
            lengthscales,
            self.amplitude,
            networks,
        )))
    }

    fn gibbs(&self, dimensions: usize, networks: &mut dyn NetworkStart) -> Gibbs {
        let exponent = self.gibbs_exponent;
        Gibbs::new(dimensions, self.hidden, exponent, self.amplitude, networks)
    }

    fn deep(&self, dimensions: usize, networks: &mut dyn NetworkStart) -> Deep {
        Deep::new(
            dimensions,
            self.hidden,
            self.components,
            self.amplitude,
            self.lengthscale,
            networks,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transect_gp::random::Stream;

    #[test]
    fn every_name_makes_a_kernel() {
        for (name, _) in KERNELS {
            let kernel = KernelChoice::named(name).build(&mut Stream::new(0));
            assert!(kernel.is_ok(), "{name}");
        }
        for (base, _) in BASES {
            let choice = KernelChoice {
                base: (*base).into(),
                ..KernelChoice::default()
            };
            assert!(choice.build(&mut Stream::new(0)).is_ok(), "{base}");
        }
    }

    #[test]
    fn refusals_name_the_key() {
        let refused = |change: fn(&mut KernelChoice), start: &str| {
            let mut choice = KernelChoice::default();
            change(&mut choice);
            let message = choice.build(&mut Stream::new(0)).unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        };
        refused(
            |c| c.name = "gibs".into(),
            "kernel.name is `gibs`: did you mean `gibbs`?",
        );
        refused(
            |c| c.base = "matern".into(),
            "kernel.base is `matern`: did you mean `matern",
        );
        refused(|c| c.amplitude = 0.0, "kernel.amplitude is 0: a positive");
        refused(
            |c| c.max_lengthscale = 0.001,
            "kernel.max_lengthscale is 0.001: at least",
        );
        refused(|c| c.hidden = 0, "kernel.hidden is 0: at least 1");
    }
}
