//! Costs that one connection of a stock provider may cause, before and after it has proven a user.

use std::time::Duration;

use dialects::{Close, Dialect, Message};
use roundtable::{ConnectionLimits, GatewayOptions};
use serde_json::json;
use tokio::time::{sleep, timeout};

use super::native::{BOTH, MB, Stock, token_message};
use crate::{
    app::{App, Options},
    end_users::{add_document, member, with_document},
    gateway::strangers::forged,
};

/// The time in which a connection has to prove a user.
const HEAD: Duration = Duration::from_millis(1_500);

async fn impatient() -> App {
    let connections = ConnectionLimits { head: HEAD, ..ConnectionLimits::default() };
    let gateway = GatewayOptions { connections, ..GatewayOptions::default() };
    let app = App::start_with(Options { gateway, ..Options::default() }).await;
    add_document(&app).await;
    app
}

/// An update of many clients that have written nothing: three bytes for each.
fn empty_sections(count: usize) -> Vec<u8> {
    let number = |mut number: usize| {
        let mut bytes = vec![];
        while number >= 0x80 {
            bytes.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    };
    [number(count), [0, 1, 0].repeat(count), vec![0]].concat()
}

#[tokio::test]
async fn a_connection_with_a_forged_token_keeps_the_limits_of_one_without_a_token() {
    let app = with_document().await;
    member(&app, "ada", "editor").await;
    let mut stranger = app.connect_to("/live/hocuspocus").await.unwrap();
    stranger.send_binary(token_message("acme/d/e", &forged(&app, "ada"))).await;
    let denied = stranger.binary().await.expect("a denial");
    assert_eq!(&denied[9..11], [2, 1], "{denied:?}");
    stranger.send_binary(vec![0; 200 * 1024]).await;
    let (code, reason) = loop {
        if let Err(closed) = stranger.binary().await {
            break closed;
        }
    };
    assert_eq!(code, Close::TooLarge.code());
    assert_eq!(reason, "A message before the token is accepted may have 64 KB.");
}

#[tokio::test]
async fn a_token_accepted_after_a_refused_one_permits_large_updates() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    // A refused token, and then one that is accepted: the connection is Ada's.
    let mut stock = Stock::connect(&app, Dialect::Hocuspocus, 1, &forged(&app, "eve")).await;
    assert!(matches!(stock.hear().await, Ok(Message::Denied(_))));
    stock.say_token(&ada).await;
    stock.until(|it| matches!(it, Message::Authenticated(_))).await;
    stock.types(0, &"x".repeat(200 * 1024)).await;
    stock.until(|it| *it == Message::Saved(true)).await;
}

#[tokio::test]
async fn a_connection_stays_once_a_token_in_a_message_is_accepted_and_ends_if_it_was_reset() {
    let app = impatient().await;
    let ada = member(&app, "ada", "editor").await;
    let mut stock = Stock::join(&app, Dialect::Hocuspocus, 1, &ada).await;
    sleep(HEAD * 2).await;
    stock.types(0, "still there").await;
    stock.until(|it| *it == Message::Saved(true)).await;
    app.call("workspace.auth_token_reset", json!({ "apiKey": app.key.api_key })).await.ok();
    app.advance(Duration::from_secs(11));
    let mut late = app.connect_to("/live/hocuspocus").await.unwrap();
    late.send_binary(token_message("acme/d/e", &ada)).await;
    let ended = async { while late.binary().await.is_ok() {} };
    timeout(20 * HEAD, ended).await.expect("a token that is refused proves no user");
}

#[tokio::test]
async fn a_message_before_the_token_closes_a_connection_of_hocuspocus() {
    let app = with_document().await;
    let mut stranger = app.connect_to("/live/hocuspocus").await.unwrap();
    let step_1 = Dialect::Hocuspocus.write("acme/d/e", &Message::Step1(vec![0])).unwrap();
    stranger.send_binary(step_1).await;
    assert_eq!(stranger.binary().await.unwrap_err().0, Close::BadToken.code());
}

#[tokio::test]
async fn names_of_documents_are_bounded() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut stock = Stock::join(&app, Dialect::Hocuspocus, 1, &ada).await;
    let name = "n".repeat(3_000);
    let step_1 = Dialect::Hocuspocus.write(&name, &Message::Step1(vec![0])).unwrap();
    stock.say_bytes(step_1).await;
    assert_eq!(stock.closed().await.0, Close::BadRequest.code());
}

#[tokio::test]
async fn a_state_vector_that_is_too_large_to_keep_gets_the_whole_state() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let mut writer = Stock::join(&app, Dialect::Y, 1, &ada).await;
    let text = "0123456789".repeat(20_000);
    writer.types(0, &text).await;
    writer.say(&Message::Step1(vec![0])).await;
    writer.until(|it| matches!(it, Message::Step1(_))).await;
    let mut reader = Stock::connect(&app, Dialect::Y, 2, &ada).await;
    // Of 200,000 clients.
    let entries = (0..200_000_u32)
        .flat_map(|n| [(n & 0x7f) as u8 | 0x80, (n >> 7 & 0x7f) as u8 | 0x80, (n >> 14) as u8, 1]);
    let vector = [vec![0xc0, 0x9a, 0x0c], entries.collect()].concat();
    reader.say(&Message::Step1(vector)).await;
    reader.reads(&text).await;
}

#[tokio::test]
async fn an_update_is_refused_by_right_or_size_before_it_is_parsed() {
    let app = with_document().await;
    let (ada, eve) = (member(&app, "ada", "editor").await, member(&app, "eve", "viewer").await);
    let hostile = Message::Update(empty_sections(16 * MB / 3));
    for dialect in BOTH {
        // A user who may not write is told so, also for bytes that are no update.
        let mut eve = Stock::join(&app, dialect, 2, &eve).await;
        for message in [&hostile, &Message::Update(vec![255; 100_000])] {
            eve.say(message).await;
            match dialect {
                Dialect::Y => {
                    eve.until(|it| matches!(it, Message::Denied(_))).await;
                }
                Dialect::Hocuspocus => {
                    eve.until(|it| *it == Message::Saved(false)).await;
                }
            }
        }
        let mut ada = Stock::join(&app, dialect, 1, &ada).await;
        ada.say(&hostile).await;
        match dialect {
            Dialect::Y => {
                let (code, reason) = ada.closed().await;
                assert_eq!(code, Close::TooLarge.code(), "{reason}");
            }
            Dialect::Hocuspocus => {
                ada.until(|it| *it == Message::Saved(false)).await;
            }
        }
    }
}
