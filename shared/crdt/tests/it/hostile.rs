//! Bytes that no honest peer sends.

use crdt::{Content, Kind, MAX_UPDATE_BYTES, State, check_update, replace};
use error::Status;
use serde_json::json;

use crate::samples::{self, Dice, KEY, SERVER, empty, loaded, put};

#[test]
fn mutated_updates_never_panic() {
    let dice = &mut Dice::new(11);
    let (mut readable, mut total) = (0, 0);
    for kind in Kind::ALL {
        let mut state = empty();
        for _ in 0..4 {
            let data = samples::content(dice, kind);
            put(&mut state, kind, &data);
        }
        let good = state.encode();
        check_update(&good).expect("an update of ours");
        for _ in 0..1500 {
            let mut bad = good.clone();
            for _ in 0..1 + dice.below(3) {
                let at = dice.below(bad.len());
                match dice.below(4) {
                    0 => bad[at] = dice.next() as u8,
                    1 => bad[at] ^= 1 << dice.below(8),
                    2 => drop(bad.remove(at)),
                    _ => bad.insert(at, dice.next() as u8),
                }
                if bad.is_empty() {
                    bad.push(0);
                }
            }
            total += 1;
            if check_update(&bad).is_err() {
                continue;
            }
            readable += 1;
            let Ok(mut merged) = State::load(SERVER, Some(&good), [bad.as_slice()]) else {
                continue;
            };
            let _ = merged.kind(KEY);
            for kind in Kind::ALL {
                let _ = merged.value(kind, KEY);
            }
            let content = Content::new(kind, samples::content(dice, kind)).expect("content");
            let _ = replace(&mut merged, KEY, &content);
            let _ = State::load(SERVER, Some(&merged.encode()), []);
        }
    }
    assert!(readable > total / 50, "only {readable} of {total} were worth trying");
}

#[test]
fn what_cannot_be_read_is_an_error_and_not_the_end() {
    for bad in [&[][..], &[1], &[0], &[255; 100], b"{\"a\":1}", &[0, 0, 0]] {
        let refusal = check_update(bad).expect_err("no update");
        assert_eq!(refusal.status, Status::InvalidArgument);
        assert_eq!(
            State::load(1, Some(bad), []).err().expect("unreadable").status,
            Status::Internal
        );
        assert_eq!(State::load(1, None, [bad]).err().expect("unreadable").status, Status::Internal);
    }
    check_update(&[0, 0]).expect("an update that changes nothing");
}

#[test]
fn an_update_has_a_size_limit() {
    let mut state = empty();
    let fits = put(&mut state, Kind::Text, &json!("a".repeat(MAX_UPDATE_BYTES - 64))).update;
    check_update(&fits).expect("just small enough");
    let refusal = check_update(&[fits, vec![0; 64]].concat()).expect_err("too large");
    assert!(refusal.message.contains("4100000 bytes"), "{}", refusal.message);
}

/// An update with one struct, an item of a root, with this content.
fn item(content: &[u8]) -> Vec<u8> {
    let head = [1, 1, 1, 0, 8, 1, 1, b'a', 1];
    [&head[..], content, &[0]].concat()
}

#[test]
fn announcements_are_not_believed() {
    check_update(&item(&[117, 1, 120])).expect("an array");
    // Four billion clients, structs, values, entries.
    let many = [255, 255, 255, 255, 15];
    assert!(check_update(&many).is_err());
    assert!(check_update(&[&[1][..], &many, &[1, 0]].concat()).is_err());
    assert!(check_update(&item(&[&[117][..], &many].concat())).is_err());
    assert!(check_update(&item(&[&[118][..], &many].concat())).is_err());
    // A clock at the end of its range.
    assert!(check_update(&[&[1, 1, 1][..], &many, &[0, 1, 0]].concat()).is_err());
    assert!(check_update(&[&[1, 1, 1, 1, 0][..], &many, &[0]].concat()).is_err());
}

#[test]
fn values_are_not_nested_without_end() {
    let nested = |depth: usize| item(&[[117, 1].repeat(depth), vec![120]].concat());
    check_update(&nested(100)).expect("deep, but fine");
    assert!(check_update(&nested(1000)).is_err());
    assert!(check_update(&nested(100_000)).is_err());
}

/// Types within types: each is the first child of the one before.
fn types(depth: u32) -> Vec<u8> {
    fn number(mut number: u32, bytes: &mut Vec<u8>) {
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    let mut update = vec![1];
    number(depth, &mut update);
    update.extend([1, 0, 7, 1, 7]);
    update.extend(KEY.as_bytes());
    update.push(0);
    for at in 1..depth {
        update.extend([7, 0, 1]);
        number(at - 1, &mut update);
        update.push(0);
    }
    update.push(0);
    update
}

#[test]
fn types_nested_as_deep_as_an_update_allows_can_be_read_and_deleted() {
    let update = types(40_000);
    check_update(&update).expect("an update");
    let mut state = loaded(&update);
    assert_eq!(state.kind(KEY).expect("a kind"), Some(Kind::Array));
    assert!(state.value(Kind::Array, KEY).is_ok());
    put(&mut state, Kind::Array, &json!([1]));
    assert_eq!(samples::get(&state, Kind::Array), json!([1]));
}
