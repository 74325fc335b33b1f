//! Where a device is reached, in one string.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::FieldError;

/// Where a device is reached. In documents it is one string:
///
/// | string | meaning |
/// |---|---|
/// | `udp:HOST:PORT` | sends there, hears from there only |
/// | `udpin:HOST:PORT` | listens here, answers whoever speaks |
/// | `tcp:HOST:PORT` | connects there |
/// | `serial:DEVICE:BAUD` | a serial line |
/// | `file:PATH` | reads a log once |
///
/// ```
/// use transect_field::link::LinkAddress;
/// let address: LinkAddress = "serial:/dev/ttyUSB0:115200".parse()?;
/// assert_eq!(address, LinkAddress::Serial { device: "/dev/ttyUSB0".into(), baud: 115_200 });
/// assert_eq!(address.to_string(), "serial:/dev/ttyUSB0:115200");
/// assert!("udp:14550".parse::<LinkAddress>().is_err());
/// # Ok::<(), transect_field::FieldError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub enum LinkAddress {
    /// UDP to a `HOST:PORT`.
    Udp(String),
    /// UDP at a `HOST:PORT` of ours.
    UdpIn(String),
    /// TCP to a `HOST:PORT`.
    Tcp(String),
    /// A serial line.
    Serial {
        /// The device, such as `/dev/ttyUSB0` or `COM3`.
        device: String,
        /// Its speed, baud.
        baud: u32,
    },
    /// A file that is read once.
    File(PathBuf),
}

impl FromStr for LinkAddress {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, FieldError> {
        let wrong = |reason: &str| FieldError::Address {
            address: text.to_owned(),
            reason: reason.to_owned(),
        };
        let (kind, rest) = text
            .split_once(':')
            .ok_or_else(|| wrong("it has no kind"))?;
        let host_and_port = || match rest.rsplit_once(':') {
            None => Err(wrong("the port is missing")),
            Some(("", _)) => Err(wrong("the host is missing")),
            Some((_, port)) => match port.parse::<u16>() {
                Err(_) => Err(wrong("the port must be a number from 0 to 65535")),
                Ok(0) if kind != "udpin" => Err(wrong("nobody can be reached at port 0")),
                Ok(_) => Ok(rest.to_owned()),
            },
        };
        match kind {
            "udp" => Ok(Self::Udp(host_and_port()?)),
            "udpin" => Ok(Self::UdpIn(host_and_port()?)),
            "tcp" => Ok(Self::Tcp(host_and_port()?)),
            "serial" => match rest.rsplit_once(':') {
                Some((device, baud)) if !device.is_empty() => match baud.parse() {
                    Ok(baud) if baud > 0 => Ok(Self::Serial {
                        device: device.to_owned(),
                        baud,
                    }),
                    _ => Err(wrong("the speed must be a number of baud")),
                },
                _ => Err(wrong("the device or its speed is missing")),
            },
            "file" if rest.is_empty() => Err(wrong("the path is missing")),
            "file" => Ok(Self::File(PathBuf::from(rest))),
            _ => Err(wrong(&format!("`{kind}` is not a kind of link"))),
        }
    }
}

impl fmt::Display for LinkAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Udp(remote) => write!(f, "udp:{remote}"),
            Self::UdpIn(local) => write!(f, "udpin:{local}"),
            Self::Tcp(remote) => write!(f, "tcp:{remote}"),
            Self::Serial { device, baud } => write!(f, "serial:{device}:{baud}"),
            Self::File(path) => write!(f, "file:{}", path.display()),
        }
    }
}

impl TryFrom<String> for LinkAddress {
    type Error = FieldError;

    fn try_from(text: String) -> Result<Self, FieldError> {
        text.parse()
    }
}

impl From<LinkAddress> for String {
    fn from(address: LinkAddress) -> Self {
        address.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::LinkAddress;

    #[test]
    fn every_kind_reads_back_as_written() {
        for text in [
            "udp:127.0.0.1:14550",
            "udpin:[::1]:0",
            "tcp:boat.local:5760",
            "serial:COM3:9600",
            "file:logs/a:b.nmea",
        ] {
            assert_eq!(text.parse::<LinkAddress>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, reason) in [
            ("14550", "no kind"),
            ("udp:127.0.0.1", "port is missing"),
            ("udp::14550", "host is missing"),
            ("tcp:boat:99999", "0 to 65535"),
            ("udp:boat:0", "port 0"),
            ("serial:/dev/ttyUSB0", "speed is missing"),
            ("serial:/dev/ttyUSB0:fast", "number of baud"),
            ("file:", "path is missing"),
            ("carrier-pigeon:x", "`carrier-pigeon` is not a kind"),
        ] {
            let said = text.parse::<LinkAddress>().unwrap_err().to_string();
            assert!(said.contains(reason) && said.contains(text), "{said}");
        }
    }
}
