//! The subprotocol of pages: their WebSockets set no headers, and URLs are logged on the way.

/// Header with the names that a client offers, and with the one that the answer chooses.
pub const SUBPROTOCOL: &str = "Sec-WebSocket-Protocol";

/// The name that is answered. The other one that is offered is a token.
pub(super) const NAME: &str = "roundtable";

/// The token that a client offers beside the name.
#[must_use]
pub fn offered_token(offered: &str) -> Option<&str> {
    let (name, token) = offered.split_once(',')?;
    (name.trim() == NAME).then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use super::offered_token;

    #[test]
    fn the_token_comes_behind_the_name() {
        assert_eq!(offered_token("roundtable, a.b-c_d"), Some("a.b-c_d"));
        assert_eq!(offered_token("roundtable,a"), Some("a"));
        for other in ["", "roundtable", "a", "a, roundtable", "graphql-ws, a"] {
            assert_eq!(offered_token(other), None, "{other}");
        }
        assert_eq!(offered_token("roundtable, a, b"), Some("a, b"), "which is no token");
    }
}
