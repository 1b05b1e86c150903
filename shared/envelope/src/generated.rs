//! Bodies of strangers: they are decoded as what they say, or refused.

use error::Status;
use proptest::{collection, prelude::*, sample::Index};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Body, decode};

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        // The parser may take the nearest number to one with more digits.
        any::<i32>().prop_map(|eighths| Value::from(f64::from(eighths) / 8.0)),
        "\\PC{0,10}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            collection::btree_map("[a-z_]{1,9}|\\PC{0,5}", inner, 0..5)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only whether it is decoded counts")]
struct Request {
    user_id: Option<String>,
    users: Option<Vec<Request>>,
    count: Option<u32>,
}

/// A refusal is the caller's fault, and its message does not repeat what was sent.
fn decoded(body: &[u8], rule: Body) -> Result<(), TestCaseError> {
    if let Err(error) = decode::<Request>(body, rule) {
        prop_assert_eq!(error.status, Status::InvalidArgument);
        prop_assert!(error.message.len() < 2_000, "{}", error.message);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_body_is_decoded_as_what_it_says(data in value()) {
        let body = json!({ "data": data }).to_string();
        let (read, unknown) = decode::<Value>(body.as_bytes(), Body::Required).expect("JSON");
        prop_assert_eq!(read, data);
        prop_assert_eq!(unknown.named(), None);
        decoded(body.as_bytes(), Body::Required)?;
    }

    #[test]
    fn a_changed_body_is_decoded_or_refused(
        data in value(),
        changes in collection::vec((any::<Index>(), any::<Option<u8>>()), 1..5),
        as_members in any::<bool>(),
    ) {
        let data = if as_members {
            json!({ "userId": data.clone(), "users": [data.clone(), { "count": data }] })
        } else {
            data
        };
        let mut body = json!({ "data": data }).to_string().into_bytes();
        for (at, byte) in changes {
            let at = at.index(body.len());
            match byte {
                Some(byte) => body[at] = byte,
                None => drop(body.drain(..at)),
            }
            if body.is_empty() {
                break;
            }
        }
        for rule in [Body::Required, Body::Optional, Body::WrappedUnless("userId")] {
            decoded(&body, rule)?;
        }
    }

    #[test]
    fn any_bytes_are_decoded_or_refused(body in collection::vec(any::<u8>(), 0..200)) {
        for rule in [Body::Required, Body::Optional, Body::WrappedUnless("userId")] {
            decoded(&body, rule)?;
        }
    }
}
