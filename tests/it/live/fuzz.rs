//! Random frames at the doors of stock providers: the service stays up, others notice nothing, and
//! every editor stays readable.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};
use dialects::{Dialect, Message};
use proptest::strategy::ValueTree;
use serde_json::json;
use simulator::Dice;
use tests::socket::Socket;
use yrs::{StateVector, updates::decoder::Decode};

use super::native::{BOTH, Stock};
use crate::{
    app::App,
    editors::hostile::generated,
    end_users::{at, member, with_document},
};

fn random_bytes(dice: &mut Dice, length: u64) -> Vec<u8> {
    (0..length).map(|_| dice.below(256) as u8).collect()
}

fn room(editor: &str) -> String {
    format!("acme/d/{editor}")
}

/// A frame of an attacker: well formed, cut off, changed, announced longer than it is, or nothing
/// of the kind.
fn frame(dice: &mut Dice, dialect: Dialect, editor: &str, updates: &[Vec<u8>]) -> Vec<u8> {
    let update =
        updates.get(dice.below(updates.len() as u64) as usize).cloned().unwrap_or_default();
    let random = dice.below(60);
    let message = match dice.below(8) {
        0 => Message::Step1(random_bytes(dice, random)),
        1 => Message::Step2(update),
        2 => Message::Awareness(random_bytes(dice, random)),
        3 => Message::QueryAwareness,
        4 => Message::Step2(random_bytes(dice, 30_000 + 100 * random)),
        5 => Message::Update([update, random_bytes(dice, 30_000)].concat()),
        _ => Message::Update(update),
    };
    let mut bytes = dialect.write(&room(editor), &message).expect("a message");
    let at = dice.below(bytes.len() as u64) as usize;
    match dice.below(8) {
        0 => bytes.truncate(at),
        1 => bytes[at] = dice.below(256) as u8,
        2 => drop(bytes.splice(at..at, [255, 255, 255, 255, 127])),
        3 => bytes = random_bytes(dice, random),
        _ => {}
    }
    bytes
}

/// A connection that sends frames and reads nothing, until it is closed or has enough.
async fn attack(app: &App, dice: &mut Dice, editor: &str, token: &str, updates: &[Vec<u8>]) {
    let dialect = dice.pick(&BOTH);
    let path = match dialect {
        Dialect::Y => format!("/live/y/{}?token={token}", room(editor)),
        Dialect::Hocuspocus => "/live/hocuspocus".to_owned(),
    };
    let mut socket: Socket = app.connect_to(&path).await.expect("a connection");
    if dialect == Dialect::Hocuspocus && dice.below(8) > 0 {
        socket.send_binary(super::native::token_message(&room(editor), token)).await;
    }
    for _ in 0..1 + dice.below(20) {
        socket.send_binary(frame(dice, dialect, editor, updates)).await;
    }
    match dice.below(3) {
        0 => socket.close(1000).await,
        1 => drop(socket),
        _ => {
            socket.send("text").await;
            socket.closed().await;
        }
    }
}

#[tokio::test]
async fn random_frames_disturb_nobody_and_leave_every_editor_readable() {
    #[expect(clippy::disallowed_methods, reason = "as in the simulators")]
    let number = std::env::var("SIMULATOR_SEEDS").ok().and_then(|number| number.parse().ok());
    let rounds: usize = number.unwrap_or(1_000) / 50;
    let app = with_document().await;
    let (ada, eve) = (member(&app, "ada", "editor").await, member(&app, "eve", "editor").await);
    let mut writer = Stock::join(&app, Dialect::Y, 1_001, &ada).await;
    let mut reader = Stock::join(&app, Dialect::Hocuspocus, 1_002, &ada).await;
    let mut runner = generated::runner(96);
    let dice = &mut Dice::new(96);
    let mut text = String::new();
    for round in 0..rounds {
        let editor = format!("attacked-{round}");
        let updates = generated::made(&generated::tree(&mut runner).current()).updates;
        // Connections have a rate, which is not what is tried.
        app.advance(Duration::from_secs(10));
        for _ in 0..5 {
            attack(&app, dice, &editor, &eve, &updates).await;
        }
        let typed = format!("{round} ");
        writer.types(text.len() as u32, &typed).await;
        text.push_str(&typed);
        reader.reads(&text).await;
        let got = app.call("editors.get", at(json!({ "editorId": editor }))).await;
        if got.data().as_array().is_none_or(Vec::is_empty) {
            continue;
        }
        let state = app.call("editors.state_get", at(json!({ "editorId": editor }))).await.data();
        let vector = STANDARD.decode(state["stateVector"].as_str().unwrap()).unwrap();
        assert!(StateVector::decode_v1(&vector).is_ok(), "{editor}");
    }
    assert_eq!(writer.text(), text);
}
