//! Named parameters and how they are trained.

use crate::error::{GpError, Result};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Which of the two learning rates trains a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Amplitude, length-scale, noise: the faster rate.
    Hyper,
    /// Weights and biases of a network: the slower rate.
    Network,
    /// Follows from the training set; never trained.
    Derived,
}

/// One named group of parameters as a kernel declares it.
#[derive(Debug, Clone, PartialEq)]
pub struct ParamSpec {
    /// A name, unique within the kernel.
    pub name: String,
    /// Values to start from; their number is the group's size.
    pub start: Vec<f64>,
    /// Which learning rate applies.
    pub role: Role,
    /// Positive parameters are trained through `p = softplus(u) + 1e-6`.
    pub positive: bool,
}

impl ParamSpec {
    /// A single positive hyper-parameter.
    #[must_use]
    pub fn positive(name: &str, start: f64) -> Self {
        Self {
            name: name.into(),
            start: vec![start],
            role: Role::Hyper,
            positive: true,
        }
    }

    /// Unconstrained network weights.
    #[must_use]
    pub fn network(name: String, start: Vec<f64>) -> Self {
        Self {
            name,
            start,
            role: Role::Network,
            positive: false,
        }
    }
}

/// The smallest value of a positive parameter.
const FLOOR: f64 = 1e-6;
/// The largest magnitude of any parameter: its square must not overflow.
pub(crate) const LIMIT: f64 = 1e100;
/// Beyond this, softplus is the identity (PyTorch's convention).
const LINEAR_BEYOND: f64 = 20.0;

/// `softplus(u) + 1e-6`.
#[must_use]
pub fn constrain(u: f64) -> f64 {
    let softplus = if u > LINEAR_BEYOND {
        u
    } else {
        u.exp().ln_1p()
    };
    softplus + FLOOR
}

/// The inverse of [`constrain`].
#[must_use]
pub fn unconstrain(p: f64) -> f64 {
    // At the floor itself, a number so negative that softplus vanishes next to it.
    let y = (p - FLOOR).max(f64::MIN_POSITIVE);
    y + (-(-y).exp_m1()).ln()
}

/// The derivative of [`constrain`]: the logistic function.
#[must_use]
pub fn constrain_slope(u: f64) -> f64 {
    if u > LINEAR_BEYOND {
        1.0
    } else {
        1.0 / (1.0 + (-u).exp())
    }
}

/// One group within [`Parameters`].
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Whether it is kept positive.
    pub positive: bool,
    /// Whether training leaves it alone.
    pub frozen: bool,
    /// Its place in the list of all parameters.
    pub range: Range<usize>,
}

impl Group {
    /// Whether training changes it.
    #[must_use]
    pub fn trained(&self) -> bool {
        !self.frozen && self.role != Role::Derived
    }
}

/// All parameters of a model: as used ("natural") and as trained ("raw").
#[derive(Debug, Clone)]
pub struct Parameters {
    groups: Vec<Group>,
    raw: Vec<f64>,
    natural: Vec<f64>,
}

impl Parameters {
    /// Parameters at their start values.
    ///
    /// # Errors
    /// If a start value is out of range, a group has no values, or two have one name.
    pub fn new(specs: Vec<ParamSpec>) -> Result<Self> {
        let mut all = Self {
            groups: Vec::new(),
            raw: Vec::new(),
            natural: Vec::new(),
        };
        for spec in specs {
            if spec.start.is_empty() {
                let name = spec.name;
                return Err(GpError::Setting(format!(
                    "parameter `{name}` has no values"
                )));
            }
            if all.groups.iter().any(|group| group.name == spec.name) {
                let name = spec.name;
                return Err(GpError::Setting(format!(
                    "two parameters are called `{name}`"
                )));
            }
            let from = all.natural.len();
            all.raw.extend(&spec.start);
            all.natural.extend(&spec.start);
            all.groups.push(Group {
                name: spec.name.clone(),
                role: spec.role,
                positive: spec.positive,
                frozen: false,
                range: from..all.natural.len(),
            });
            all.set(&spec.name, &spec.start)?;
        }
        Ok(all)
    }

    /// The groups, in order.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// All values as used.
    #[must_use]
    pub fn natural(&self) -> &[f64] {
        &self.natural
    }

    /// All values as trained.
    #[must_use]
    pub fn raw(&self) -> &[f64] {
        &self.raw
    }

    /// The values of one group.
    ///
    /// # Errors
    /// If there is no group of that name.
    pub fn get(&self, name: &str) -> Result<&[f64]> {
        Ok(&self.natural[self.group(name)?.range.clone()])
    }

    /// Sets the values of one group.
    ///
    /// # Errors
    /// If the name is unknown, the count differs, or a value is out of range; nothing is set then.
    pub fn set(&mut self, name: &str, values: &[f64]) -> Result<()> {
        let group = self.group(name)?.clone();
        if values.len() != group.range.len() {
            return Err(GpError::Length {
                what: format!("values for parameter `{name}`"),
                expected: group.range.len(),
                got: values.len(),
            });
        }
        for value in values {
            if value.abs() > LIMIT {
                return Err(GpError::Setting(format!(
                    "parameter `{name}` is {value:e}; its magnitude must not exceed {LIMIT:e}"
                )));
            }
            if !value.is_finite() || (group.positive && *value < FLOOR) {
                return Err(GpError::NotPositive {
                    what: format!("parameter `{name}`"),
                    value: *value,
                    above: if group.positive {
                        FLOOR
                    } else {
                        f64::NEG_INFINITY
                    },
                });
            }
        }
        for (i, value) in group.range.zip(values) {
            self.natural[i] = *value;
            self.raw[i] = if group.positive {
                unconstrain(*value)
            } else {
                *value
            };
        }
        Ok(())
    }

    /// Keeps training away from a group, or lets it back.
    ///
    /// # Errors
    /// If there is no group of that name.
    pub fn freeze(&mut self, name: &str, frozen: bool) -> Result<()> {
        self.group(name)?;
        let named = |group: &&mut Group| group.name == name;
        if let Some(group) = self.groups.iter_mut().find(named) {
            group.frozen = frozen;
        }
        Ok(())
    }

    /// Replaces the raw values and recomputes the natural ones.
    pub(crate) fn set_raw(&mut self, raw: &[f64]) {
        for group in &self.groups {
            for i in group.range.clone() {
                // What has not moved keeps its value to the last bit: softplus and its inverse
                // cancel only up to rounding.
                if raw[i] != self.raw[i] {
                    self.natural[i] = match group.positive {
                        true => constrain(raw[i]),
                        false => raw[i],
                    };
                }
            }
        }
        self.raw.copy_from_slice(raw);
    }

    /// Natural values a kernel may overwrite where they are [`Role::Derived`].
    pub(crate) fn natural_mut(&mut self) -> &mut [f64] {
        &mut self.natural
    }

    /// Takes over derived values from the natural list.
    pub(crate) fn keep_derived(&mut self) {
        for group in self.groups.iter().filter(|g| g.role == Role::Derived) {
            let range = group.range.clone();
            self.raw[range.clone()].copy_from_slice(&self.natural[range]);
        }
    }

    /// Turns a gradient with respect to natural values into one with respect to raw values, zero
    /// where nothing is trained.
    pub(crate) fn chain(&self, gradient: &mut [f64]) {
        for group in &self.groups {
            for i in group.range.clone() {
                gradient[i] *= match (group.trained(), group.positive) {
                    (false, _) => 0.0,
                    (true, true) => constrain_slope(self.raw[i]),
                    (true, false) => 1.0,
                };
            }
        }
    }

    /// `name=value` of every single-valued parameter, for messages.
    pub(crate) fn summary(&self) -> String {
        let single = self.groups.iter().filter(|g| g.range.len() == 1);
        let shown: Vec<String> = single
            .map(|g| format!("{}={}", g.name, self.natural[g.range.start]))
            .collect();
        shown.join(", ")
    }

    fn group(&self, name: &str) -> Result<&Group> {
        let found = self.groups.iter().find(|group| group.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.groups.iter().map(|g| g.name.as_str()).collect();
            GpError::UnknownParameter {
                name: name.into(),
                known: names.join(", "),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn softplus_and_its_inverse_cancel() {
        for p in [1.1e-6, 1e-5, 0.01, 0.5, 1.0, 3.0, 19.0, 25.0, 400.0] {
            assert!((constrain(unconstrain(p)) / p - 1.0).abs() < 1e-9, "{p}");
        }
        // ln(1 + e^0) and its slope at 0.
        assert!((constrain(0.0) - (2.0_f64.ln() + 1e-6)).abs() < 1e-15);
        assert_eq!(constrain_slope(0.0), 0.5);
    }

    #[test]
    fn parameters_are_read_set_and_frozen_by_name() {
        let specs = vec![
            ParamSpec::positive("amplitude", 2.0),
            ParamSpec::network("net".into(), vec![1.0, -1.0]),
        ];
        let mut params = Parameters::new(specs).unwrap();
        assert_eq!(params.get("net").unwrap(), [1.0, -1.0]);
        params.set("net", &[3.0, 4.0]).unwrap();
        assert_eq!(params.natural(), [2.0, 3.0, 4.0]);
        params.freeze("net", true).unwrap();
        let mut gradient = [1.0, 1.0, 1.0];
        params.chain(&mut gradient);
        assert_eq!(gradient[1..], [0.0, 0.0]);
        let error = params.set("amplitude", &[-1.0]).unwrap_err();
        assert!(error.to_string().contains("`amplitude` is -1"), "{error}");
        assert!(
            params
                .get("nat")
                .unwrap_err()
                .to_string()
                .contains("amplitude, net")
        );
        assert!(params.set("net", &[1.0]).is_err());
    }
}
