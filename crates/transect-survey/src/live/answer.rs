//! What a request gets. Only what is named here is served: no request reaches a file.

use super::access::Access;
use hyper::http::request::Parts;
use hyper::{Method, StatusCode, header};

/// The header that commands hold the token in.
pub(super) const TOKEN_HEADER: &str = "x-transect-token";

/// What a request gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// The page.
    Page,
    /// What happens, as it happens.
    Events,
    /// Its command, considered.
    Command,
    /// Nothing at all, as a browser expects of a page without an icon.
    NoIcon,
    /// This status, with words.
    Refused(StatusCode, &'static str),
}

const NOT_HERE: Answer = Answer::Refused(
    StatusCode::NOT_FOUND,
    "there is only the mission's page here\n",
);
const NO_TOKEN: Answer = Answer::Refused(
    StatusCode::FORBIDDEN,
    "the token is missing or wrong: open the link that transect printed\n",
);
const NOT_OURS: Answer = Answer::Refused(
    StatusCode::MISDIRECTED_REQUEST,
    "this is not the name of this page: open the link that transect printed\n",
);
const FROM_ELSEWHERE: Answer = Answer::Refused(
    StatusCode::FORBIDDEN,
    "commands are taken from the mission's own page only\n",
);
const METHOD: Answer = Answer::Refused(
    StatusCode::METHOD_NOT_ALLOWED,
    "this can only be looked at\n",
);

/// Decides what a request gets.
pub(super) fn answer(request: &Parts, access: &Access, control: bool) -> Answer {
    let text = |name: &str| {
        request
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    if !access.is_ours(text(header::HOST.as_str())) {
        return NOT_OURS;
    }
    let path = request.uri.path();
    if request.method == Method::POST && path == "/command" && control {
        return command(request, access);
    }
    if request.method != Method::GET {
        return METHOD;
    }
    if path == "/favicon.ico" {
        return Answer::NoIcon;
    }
    let query = request.uri.query().unwrap_or_default();
    let token = query
        .split('&')
        .find_map(|part| part.strip_prefix("token="));
    if !access.knows(token) {
        return NO_TOKEN;
    }
    match path {
        "/" => Answer::Page,
        "/events" => Answer::Events,
        _ => NOT_HERE,
    }
}

/// A command needs the token in a header: a form or an image on another page cannot send one, and a script there may not.
fn command(request: &Parts, access: &Access) -> Answer {
    let text = |name: &str| {
        request
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    if !access.knows(text(TOKEN_HEADER)) {
        return NO_TOKEN;
    }
    let site = text("sec-fetch-site").unwrap_or("same-origin");
    let host = text(header::HOST.as_str()).unwrap_or_default();
    let own = format!("http://{host}");
    let origin = text(header::ORIGIN.as_str()).unwrap_or(&own);
    let json = text(header::CONTENT_TYPE.as_str()) == Some("application/json");
    if site != "same-origin" || origin != own || !json {
        return FROM_ELSEWHERE;
    }
    Answer::Command
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::Request;

    fn ask(method: &str, uri: &str, headers: &[(&str, &str)], token: Option<&str>) -> Answer {
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let access = Access::with_token("127.0.0.1:7878".parse().unwrap(), token);
        answer(&request.body(()).unwrap().into_parts().0, &access, true)
    }

    fn status(answer: Answer) -> u16 {
        match answer {
            Answer::Refused(status, _) => status.as_u16(),
            _ => 200,
        }
    }

    const HOST: (&str, &str) = ("host", "127.0.0.1:7878");

    #[test]
    fn only_the_page_and_its_events_are_served() {
        assert_eq!(ask("GET", "/", &[HOST], None), Answer::Page);
        assert_eq!(ask("GET", "/?x=1", &[HOST], None), Answer::Page);
        assert_eq!(ask("GET", "/events", &[HOST], None), Answer::Events);
        for path in [
            "/../../etc/passwd",
            "/%2e%2e/%2e%2e/etc/passwd",
            "/report.html",
            "/journal.mcap",
            "//",
            "/events/",
            "/EVENTS",
            "/command",
            "http://127.0.0.1:7878/x",
        ] {
            assert_eq!(status(ask("GET", path, &[HOST], None)), 404, "{path}");
        }
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "HEAD", "BREW"] {
            assert_eq!(status(ask(method, "/", &[HOST], None)), 405, "{method}");
        }
        assert_eq!(
            status(ask("GET", "/", &[("host", "evil.example:7878")], None)),
            421
        );
        assert_eq!(status(ask("GET", "/", &[], None)), 421);
    }

    #[test]
    fn a_token_is_needed_where_there_is_one() {
        for uri in [
            "/",
            "/?token=",
            "/?token=wrong",
            "/events?token=sesam",
            "/?tok=sesame",
        ] {
            assert_eq!(
                status(ask("GET", uri, &[HOST], Some("sesame"))),
                403,
                "{uri}"
            );
        }
        let elsewhere = ("host", "boat.local:80");
        assert_eq!(
            ask("GET", "/?token=sesame", &[elsewhere], Some("sesame")),
            Answer::Page
        );
        // What is not there is not told to those without the token.
        assert_eq!(status(ask("GET", "/secret", &[HOST], Some("sesame"))), 403);
    }

    #[test]
    fn commands_come_from_the_page_itself_or_not_at_all() {
        let json = ("content-type", "application/json");
        let token = (TOKEN_HEADER, "sesame");
        let post = |headers: &[(&str, &str)]| ask("POST", "/command", headers, Some("sesame"));
        assert_eq!(post(&[HOST, json, token]), Answer::Command);
        let own = ("origin", "http://127.0.0.1:7878");
        assert_eq!(post(&[HOST, json, token, own]), Answer::Command);
        assert_eq!(status(post(&[HOST, json])), 403);
        assert_eq!(status(post(&[HOST, token])), 403, "as a form would send it");
        for header in [
            ("origin", "http://evil.example"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            assert_eq!(
                status(post(&[HOST, json, token, header])),
                403,
                "{header:?}"
            );
        }
        // In the link is not enough.
        assert_eq!(
            status(ask(
                "POST",
                "/command?token=sesame",
                &[HOST, json],
                Some("sesame")
            )),
            403
        );
    }
}
