//! Who may see a live page.
//!
//! On loopback everybody on this machine may, but only under a name of this machine: a page elsewhere whose name was made to
//! point here (DNS rebinding) sends its own name in `Host`. At any other address, and wherever a vehicle can be commanded, a
//! token of 128 random bits is needed, which the printed link holds.

use crate::error::{Result, SurveyError};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::str::FromStr;

/// Where live pages are when nothing else is said.
pub const USUAL_PORT: u16 = 7878;

/// Where a live page is to be had: nothing said (loopback), a port, or an address with or without port.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Address(Option<String>);

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        if text.is_empty() {
            return Ok(Self(None));
        }
        let address = Self(Some(text.into()));
        address.resolve().map(|_| address)
    }
}

impl Address {
    /// Whether an address of other machines was asked for.
    pub(super) fn is_open(&self) -> bool {
        self.resolve()
            .is_ok_and(|all| all.iter().any(|at| !at.ip().is_loopback()))
    }

    fn resolve(&self) -> std::result::Result<Vec<SocketAddr>, String> {
        let loopback = IpAddr::from(Ipv4Addr::LOCALHOST);
        let Some(text) = &self.0 else {
            return Ok(vec![SocketAddr::new(loopback, USUAL_PORT)]);
        };
        if let Ok(port) = text.parse::<u16>() {
            return Ok(vec![SocketAddr::new(loopback, port)]);
        }
        if let Ok(ip) = text.trim_matches(['[', ']']).parse::<IpAddr>() {
            return Ok(vec![SocketAddr::new(ip, USUAL_PORT)]);
        }
        // Names are not looked up: that may take a while, and no name says which of its addresses is this machine's.
        let local = text.replace("localhost", "127.0.0.1");
        let found = local
            .parse()
            .or_else(|_| format!("{local}:{USUAL_PORT}").parse());
        found.map(|at| vec![at]).map_err(|_| {
            format!(
                "`{text}` is no address: a port (8000), an address (192.168.1.5, 0.0.0.0) or both (192.168.1.5:8000) is needed"
            )
        })
    }

    pub(super) fn listen(&self) -> Result<TcpListener> {
        let all = self.resolve().map_err(SurveyError::Request)?;
        TcpListener::bind(&all[..]).map_err(|error| {
            let at: Vec<String> = all.iter().map(ToString::to_string).collect();
            let at = at.join(", ");
            SurveyError::Request(match error.kind() {
                std::io::ErrorKind::AddrInUse => format!(
                    "another program has {at}: choose another port for the live page, as in --live {}",
                    all[0].port().saturating_add(1).max(1024)
                ),
                std::io::ErrorKind::PermissionDenied => format!(
                    "{at} may not be used ({error}): choose a port from 1024 on, as in --live {USUAL_PORT}"
                ),
                _ => format!(
                    "{at} cannot be used ({error}): choose an address of this machine, as in --live 0.0.0.0:{USUAL_PORT}"
                ),
            })
        })
    }
}

/// Who may see a page at an address.
#[derive(Debug)]
pub(super) struct Access {
    at: SocketAddr,
    token: Option<String>,
}

impl Access {
    pub(super) fn new(at: SocketAddr, open: bool, control: bool) -> Result<Self> {
        let token = (open || control).then(token).transpose()?;
        Ok(Self { at, token })
    }

    #[cfg(test)]
    pub(super) fn with_token(at: SocketAddr, token: Option<&str>) -> Self {
        let token = token.map(Into::into);
        Self { at, token }
    }

    /// What to open in a browser.
    pub(super) fn link(&self) -> String {
        let mut at = self.at;
        if at.ip().is_unspecified() {
            // All addresses: the link is for this machine, others put in the name they know it by.
            at.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        match &self.token {
            Some(token) => format!("http://{at}/?token={token}"),
            None => format!("http://{at}/"),
        }
    }

    /// Whether this is the token, if one is needed. Takes the same time for every wrong one of the same length.
    pub(super) fn knows(&self, given: Option<&str>) -> bool {
        let Some(token) = &self.token else {
            return true;
        };
        let given = given.unwrap_or_default().as_bytes();
        let differences = token
            .bytes()
            .zip(given)
            .fold(0, |all, (a, b)| all | (a ^ b));
        given.len() == token.len() && differences == 0
    }

    /// Whether a request was meant for this machine. Only asked where no token protects the page.
    pub(super) fn is_ours(&self, host: Option<&str>) -> bool {
        if self.token.is_some() {
            return true;
        }
        let Some(host) = host else { return false };
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.parse() == Ok(self.at.port()) => name,
            _ => return false,
        };
        let ip = name.trim_matches(['[', ']']).parse::<IpAddr>();
        name.eq_ignore_ascii_case("localhost") || ip.is_ok_and(|ip| ip.is_loopback())
    }
}

fn token() -> Result<String> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        SurveyError::Request(format!(
            "no random numbers for the live page's token: {error}"
        ))
    })?;
    Ok(bytes.map(|byte| format!("{byte:02x}")).concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_loopback_unless_they_say_otherwise() {
        for (text, at, open) in [
            ("", "127.0.0.1:7878", false),
            ("8000", "127.0.0.1:8000", false),
            ("127.0.0.1:9", "127.0.0.1:9", false),
            ("localhost", "127.0.0.1:7878", false),
            ("localhost:8001", "127.0.0.1:8001", false),
            ("0.0.0.0", "0.0.0.0:7878", true),
            ("[::]:80", "[::]:80", true),
            ("::1", "[::1]:7878", false),
            ("192.0.2.7:81", "192.0.2.7:81", true),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!(address.resolve().unwrap()[0].to_string(), at);
            assert_eq!(address.is_open(), open, "{text}");
        }
        for text in ["70000", "a b", "1.2.3.4:x", ":", "-1", "mission.toml"] {
            let error = text.parse::<Address>().unwrap_err();
            assert!(error.contains(text) && error.contains("8000"), "{error}");
        }
    }

    #[test]
    fn a_port_that_is_taken_is_named_with_what_to_do() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = taken.local_addr().unwrap().port();
        let address: Address = port.to_string().parse().unwrap();
        let error = address.listen().unwrap_err().to_string();
        assert!(error.contains(&format!("127.0.0.1:{port}")), "{error}");
        assert!(error.contains("--live "), "{error}");
    }

    #[test]
    fn tokens_differ_and_only_the_right_one_is_taken() {
        let at = "127.0.0.1:7878".parse().unwrap();
        let [one, two] = [0; 2].map(|_| Access::new(at, true, false).unwrap());
        assert_ne!(one.token, two.token);
        let token = one.token.clone().unwrap();
        assert!(one.link().ends_with(&token) && token.len() == 32);
        assert!(one.knows(Some(&token)) && !two.knows(Some(&token)));
        for wrong in [
            None,
            Some(""),
            Some(&token[1..]),
            Some("x"),
            Some(&token.to_uppercase()[..]),
        ] {
            if wrong != Some(&token) {
                assert!(!one.knows(wrong), "{wrong:?}");
            }
        }
        assert!(!one.knows(Some(&format!("{token}0"))));
    }

    #[test]
    fn without_a_token_only_this_machines_names_will_do() {
        let open = Access::with_token("127.0.0.1:7878".parse().unwrap(), None);
        for ours in [
            "127.0.0.1:7878",
            "localhost:7878",
            "LOCALHOST:7878",
            "[::1]:7878",
        ] {
            assert!(open.is_ours(Some(ours)), "{ours}");
        }
        for other in [
            "evil.example:7878",
            "127.0.0.1",
            "127.0.0.1:1",
            "localhost.evil.example:7878",
            "",
        ] {
            assert!(!open.is_ours(Some(other)), "{other}");
        }
        assert!(!open.is_ours(None));
    }
}
