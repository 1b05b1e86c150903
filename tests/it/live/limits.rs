//! Refusals, and their form.

use std::time::Duration;

use super::peer::{Peer, ROOM};
use crate::{
    app::App,
    end_users::{member, with_document},
};

#[tokio::test]
async fn a_malformed_query_fails_the_handshake() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    for (query, status) in [
        (format!("token={ada}"), 400),
        (format!("token={ada}&room=acme%2Fd"), 400),
        (format!("token={ada}&protocol=z"), 400),
        ("room=acme%2Fd%2Fe".to_owned(), 403),
        ("protocol=events".to_owned(), 403),
    ] {
        let (refused, body) = app.refused(&query).await;
        assert_eq!(refused, status, "{query}");
        let code = if status == 400 { "INVALID_ARGUMENT" } else { "PERMISSION_DENIED" };
        assert_eq!(body["error"]["status"], code, "{body}");
        assert!(body["error"]["message"].is_string(), "{body}");
    }
}

#[tokio::test]
async fn an_invalid_token_closes_with_4401_at_the_first_message() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    for token in ["", "x", &ada[..ada.len() - 2]] {
        let mut peer = Peer::connect(&app, 1, token).await;
        peer.types(0, "x").await;
        assert_eq!(peer.is_closed().await.0, 4401, "{token}");
    }
    let rows = app.embedded().dump(&roundtable::table_name(service::Table::Realtime)).unwrap();
    assert!(!rows.iter().any(|row| row.to_string().contains("connection#")), "nothing is kept");
}

#[tokio::test]
async fn an_expired_token_closes_the_connection() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut peer = Peer::join(&app, 1, &ada).await;
    app.advance(Duration::from_secs(48 * 60 * 60));
    peer.types(0, "x").await;
    let reason = "The token of the end user has expired.";
    assert_eq!(peer.is_closed().await, (4401, reason.to_owned()));
}

#[tokio::test]
async fn a_malformed_message_closes_the_connection() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    for text in ["!", "AA==", "Cw==", "{\"type\":\"x\"}", "{", "AAIFAQECAwQ="] {
        let mut peer = Peer::join(&app, 1, &ada).await;
        peer.socket.send(text).await;
        assert_eq!(peer.is_closed().await.0, 4400, "{text}");
    }
    // Nobody else is disturbed.
    let mut peer = Peer::join(&app, 1, &ada).await;
    peer.types(0, "fine").await;
    peer.pings().await;
}

#[tokio::test]
async fn messages_before_the_token_are_refused() {
    let app = with_document().await;
    for said in ["AAAB", "CGFjbWUvZC9lAAABAA=="] {
        let mut socket = app.connect("protocol=hocuspocus").await;
        socket.send(said).await;
        let closed = socket.json().await;
        assert_eq!(closed["type"], "close", "{closed}");
        assert!([4400, 4401].contains(&closed["code"].as_u64().unwrap()), "{closed}");
    }
    assert!(!connections(&app).iter().any(|row| row.contains("live#")), "{ROOM} has nobody");
}

/// Stored rows of connections. That of one that has ended stays for a moment.
fn connections(app: &App) -> Vec<String> {
    let rows = app.embedded().dump(&roundtable::table_name(service::Table::Realtime)).unwrap();
    rows.iter().filter(|row| row.get("ended").is_none()).map(ToString::to_string).collect()
}

#[tokio::test]
async fn an_ended_connection_leaves_no_rows() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut peer = Peer::join(&app, 1, &ada).await;
    let said = peer.awareness("{}");
    peer.sync_and_say(vec![said]).await;
    assert_eq!(connections(&app).iter().filter(|row| row.contains("connection#")).count(), 3);
    let mut other = Peer::join(&app, 2, &ada).await;
    drop(peer);
    assert!(other.hears_of(1).await.is_gone());
    other.pings().await;
    assert_eq!(connections(&app).iter().filter(|row| row.contains("connection#")).count(), 3);
}
