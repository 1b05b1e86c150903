use serde_json::{Value, json};

use super::{Names, Part, People, Rest, find::mentions, json};
use crate::{UserId, user_data::people_in};

/// Free JSON alone.
#[derive(Clone)]
struct Free(Value);

impl Names for Free {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        json(walk, &mut self.0);
        Rest::Stays
    }
}

fn user(id: &str) -> UserId {
    id.to_owned().try_into().unwrap()
}

fn forgotten(value: Value, id: &str) -> Value {
    let mut free = Free(value);
    free.forget(&user(id));
    free.0
}

#[test]
fn free_json_names_the_user_no_more_and_everybody_else_still() {
    let value = json!({
        "from": { "userId": "ada", "name": "Ada", "email": "ada@example.com" },
        "involvedUserIds": ["ada", "bob"], "resolvedByUserId": "ada", "lastUpdatedBy": "ada",
        "subscribedUsers": { "ada": { "user": { "userId": "ada" } }, "bob": { "type": "auto" } },
        "comments": [
            { "commentId": 1, "from": { "userId": "ada" }, "commentText": "Ada's" },
            { "commentId": 2, "from": { "userId": "bob" }, "to": [{ "userId": "ada" }],
              "commentText": "{{ada}} and {{bob}}" },
        ],
        "title": "ada", "ada": 1,
    });
    let deleted = json!({ "userId": "deleted-user", "name": "Deleted user" });
    let expected = json!({
        "from": deleted, "involvedUserIds": ["bob"], "resolvedByUserId": "deleted-user",
        "lastUpdatedBy": "deleted-user",
        "subscribedUsers": { "bob": { "type": "auto" } },
        "comments": [{
            "commentId": 2, "from": { "userId": "bob" }, "to": [deleted],
            "commentText": "{{deleted-user}} and {{bob}}",
        }],
        "title": "ada", "ada": 1,
    });
    assert!(people_in(value.clone()).names(&user("ada")));
    let left = forgotten(value, "ada");
    assert_eq!(left, expected, "what only looks like the user's id stays");
    assert!(!people_in(left.clone()).names(&user("ada")));
    assert!(people_in(left.clone()).names(&user("bob")));
    assert_eq!(forgotten(left, "ada"), expected);
}

#[test]
fn members_that_are_kept_describe_somebody_else() {
    let mut custom = json!({ "userId": "ada", "email": "ada@example.com", "id": 7, "team": "x" });
    struct Kept<'a>(&'a mut Value);
    impl Names for Kept<'_> {
        fn people(&mut self, walk: &mut dyn People) -> Rest {
            super::members(walk, self.0.as_object_mut().unwrap());
            Rest::Stays
        }
    }
    Kept(&mut custom).forget(&user("ada"));
    let expected =
        json!({ "userId": "deleted-user", "name": "Deleted user", "id": 7, "team": "x" });
    assert_eq!(custom, expected);
}

#[test]
fn a_value_names_a_user_where_an_id_of_users_stands() {
    let is_named = |value: Value, id: &str| people_in(value).names(&user(id));
    for value in [
        json!({ "data": { "actionUser": { "userId": "a\"é" } } }),
        json!([{ "visibility": { "userIds": ["b", "a\"é"] } }]),
        json!({ "notifyUsers": { "a\"é": true } }),
        json!({ "crdtData": { "lastUpdatedBy": "a\"é" } }),
        json!({ "commentText": "Ask {{a\"é}}." }),
    ] {
        assert!(is_named(value.clone(), "a\"é"), "{value}");
        assert!(!is_named(value.clone(), "a") && !is_named(value.clone(), "é"), "{value}");
    }
    assert!(!is_named(json!({ "documentId": "1", "text": "1", "1": 1 }), "1"));
}

#[test]
fn a_mention_is_an_id_in_two_brackets() {
    for (text, expected) in [
        ("{{ada}}, {{bob}}", vec!["ada", "bob"]),
        ("{{{ada}}}", vec!["ada"]),
        ("{{ {{ada}}", vec!["ada"]),
        ("{{a}b}} {{}} }} {{é}}", vec!["a}b", "é"]),
        ("{{ada} }", vec![]),
        ("{ada}}", vec![]),
        ("{", vec![]),
    ] {
        assert_eq!(mentions(text).collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn who_is_one_of_many_is_found_with_the_crowd() {
    let people = |n: usize| (0..n).map(|n| json!({ "userId": format!("u{n}") })).collect();
    let few = people_in(Value::Array(people(50)));
    assert_eq!((few.beside().len(), few.names(&user("u7"))), (50, true));
    let many = people_in(Value::Array(people(51)));
    assert_eq!(many.beside(), [UserId::crowd()].into());
    assert_eq!(many.parts(&user("u50")).collect::<Vec<_>>(), [Part::Beside]);
}

#[test]
fn people_can_change_places() {
    let replaced = |from: &str, to: &str| json!({ "oldUser": { "userId": from }, "newUser": { "userId": to } });
    let both = json!([replaced("ada", "bob"), replaced("bob", "ada")]);
    let both: Vec<_> = serde_json::from_value(both).unwrap();
    let mut free = Free(json!({
        "commentText": "{{ada}} {{bob}} {{cy}}", "from": { "userId": "ada", "name": "A", "team": 1 },
        "userIds": ["ada", "bob", "cy"], "resolvedByUserId": "bob",
    }));
    assert!(free.replace_users(&both));
    assert_eq!(
        free.0,
        json!({
            "commentText": "{{bob}} {{ada}} {{cy}}", "from": { "userId": "bob", "team": 1 },
            "userIds": ["bob", "ada", "cy"], "resolvedByUserId": "ada",
        })
    );
    assert!(!Free(json!("{{cy}}")).replace_users(&both));
}
