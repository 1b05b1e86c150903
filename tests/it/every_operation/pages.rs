//! Lists in pages (contract `conventions.paging`).

mod lists;

use std::collections::BTreeSet;

use futures_util::future::join_all;
use keyring::{Keyring, Purpose};
use serde_json::{Value, json};
use simulator::Dice;

use self::lists::{ALL, Id, List, POOL};
use crate::app::{App, Caller, KEYRING, specs};

/// A number below `n`.
fn below(dice: &mut Dice, n: usize) -> usize {
    usize::try_from(dice.below(n as u64)).unwrap()
}

fn with(filters: &Value, size: Option<usize>, token: &Value) -> Value {
    let mut sent = filters.clone();
    sent["pageSize"] = json!(size);
    sent["pageToken"] = token.clone();
    sent
}

/// One page: its content, and the token of the next one.
async fn page(
    caller: &Caller<'_>,
    list: List,
    filters: &Value,
    size: Option<usize>,
    token: &Value,
) -> (Vec<Id>, Value) {
    let result = caller.call(list.operation(), with(filters, size, token)).await.ok();
    let next = result.get(list.token_name()).expect("the token is always there").clone();
    assert!(next.is_null() || next.is_string(), "{next}");
    (list.read(&result["data"]), next)
}

#[tokio::test]
async fn every_operation_that_takes_a_page_token_is_tested_as_a_list() {
    let takes_tokens = |spec: &&service::Spec| {
        let schema = serde_json::to_value((spec.request)(&mut Default::default())).unwrap();
        assert_eq!(schema["type"], "object", "{}: {schema}", spec.name);
        schema["properties"].get("pageToken").is_some()
    };
    let mut paged: BTreeSet<&str> =
        specs().values().filter(takes_tokens).map(|spec| spec.name).collect();
    // Four lists with one token: tests/it/user_data/get.rs.
    assert!(paged.remove("user-data.get"));
    // Rows of the trace come of themselves: tests/it/notifications/trace_get.rs.
    assert!(paged.remove("notifications.trace_get"));
    // Runs of edits are cut by time: tests/it/editors/versions_list.rs.
    assert!(paged.remove("editors.versions_list"));
    // Pages of comments are of one thread: tests/it/comments/long.rs.
    assert!(paged.remove("comments.get"));
    assert_eq!(paged, ALL.into_iter().map(List::operation).collect());
    assert_eq!(ALL.into_iter().collect::<BTreeSet<_>>().len(), ALL.len());
}

#[tokio::test]
async fn every_page_but_the_last_is_full_and_the_last_has_no_token() {
    join_all(ALL.map(|list| Box::pin(every_page_but_the_last_is_full(list)))).await;
}

async fn every_page_but_the_last_is_full(list: List) {
    let app = App::start().await;
    let caller = app.caller();
    let mut present = list.beginning(&app);
    for n in [0, 1, 2, 7] {
        let slots: Vec<usize> = (present.len()..n).collect();
        present.extend(list.insert(&caller, &slots).await);
        let (n, filters) = (present.len(), list.filters(&present));
        for size in [1, 2, n.max(1), n + 1] {
            let (mut walked, mut sizes, mut token) = (Vec::new(), Vec::new(), json!(null));
            loop {
                let (ids, next) = page(&caller, list, &filters, Some(size), &token).await;
                sizes.push(ids.len());
                walked.extend(ids);
                if next.is_null() {
                    break;
                }
                assert!(sizes.len() <= n, "{list:?}, {n} by {size}: {sizes:?}");
                token = next;
            }
            let mut expected = vec![size; n / size];
            if n % size > 0 || n == 0 {
                expected.push(n % size);
            }
            assert_eq!(sizes, expected, "{list:?}, {n} by {size}");
            walked.sort();
            let all: Vec<Id> = present.iter().cloned().collect();
            assert_eq!(walked, all, "{list:?}, {n} by {size}");
        }
    }
}

#[tokio::test]
async fn a_walk_finds_each_lasting_item_once_while_others_are_added_and_deleted() {
    for seed in 0..4 {
        join_all(ALL.map(|list| Box::pin(walk_amid_changes(list, seed)))).await;
    }
}

async fn walk_amid_changes(list: List, seed: u64) {
    let at = format!("{list:?}, seed {seed}");
    let dice = &mut Dice::new(seed);
    let app = App::start().await;
    let caller = app.caller();
    let mut absent: Vec<usize> = (0..POOL).collect();
    let mut take = |dice: &mut Dice, n: usize| -> Vec<usize> {
        (0..n.min(absent.len())).map(|_| absent.swap_remove(below(dice, absent.len()))).collect()
    };
    let mut present = list.beginning(&app);
    let n = below(dice, 13);
    let slots = take(dice, n);
    present.extend(list.insert(&caller, &slots).await);
    let filters = list.filters(&present);
    let (mut stayed, mut ever, mut gone) = (present.clone(), present.clone(), BTreeSet::new());

    let (mut walked, mut pages, mut token): (Vec<Id>, usize, Value) = (vec![], 0, json!(null));
    loop {
        let size = 1 + below(dice, 4);
        let (ids, next) = page(&caller, list, &filters, Some(size), &token).await;
        assert!(ids.len() <= size, "{at}: {} by {size}", ids.len());
        assert!(ids.iter().all(|id| !gone.contains(id)), "{at}: deleted, and on a later page");
        walked.extend(ids);
        pages += 1;
        assert!(pages <= POOL + 1, "{at}: the walk does not end");
        if next.is_null() {
            break;
        }
        token = next;
        if list.grows() {
            let come = below(dice, 3);
            let slots = take(dice, come);
            let new = list.insert(&caller, &slots).await;
            present.extend(new.iter().cloned());
            ever.extend(new);
        }
        if list.shrinks() {
            let mut go = BTreeSet::new();
            // The last one of the page just read is where the next page starts.
            if below(dice, 2) == 0 {
                go.extend(walked.last().filter(|last| present.contains(last)).cloned());
            }
            if below(dice, 2) == 0 && !present.is_empty() {
                go.extend(present.iter().nth(below(dice, present.len())).cloned());
            }
            list.delete(&caller, &go).await;
            present.retain(|id| !go.contains(id));
            stayed.retain(|id| !go.contains(id));
            gone.extend(go);
        }
    }
    let once: BTreeSet<Id> = walked.iter().cloned().collect();
    assert_eq!(once.len(), walked.len(), "{at}: something came twice: {walked:?}");
    assert!(once.is_superset(&stayed), "{at}: missing {:?}", &stayed - &once);
    assert!(once.is_subset(&ever), "{at}: unknown {:?}", &once - &ever);
}

/// A deployment in which every list has a second page; returns these lists.
async fn world(lists: &[List]) -> (App, Vec<(List, Value, String)>) {
    let app = App::start().await;
    let second_pages = second_pages(&app, &app.caller(), lists).await;
    (app, second_pages)
}

async fn second_pages(
    app: &App,
    caller: &Caller<'_>,
    lists: &[List],
) -> Vec<(List, Value, String)> {
    let mut pages = Vec::new();
    for (n, list) in lists.iter().copied().enumerate() {
        let mut present = list.beginning(app);
        // A document lies in one place only, so every list gets slots of its own, all in the pool.
        let slots = if n < 9 { [3 * n, 3 * n + 1, 3 * n + 2] } else { [0, 1, 27] };
        present.extend(list.insert(caller, &slots).await);
        let filters = list.filters(&present);
        let (_, token) = page(caller, list, &filters, Some(1), &json!(null)).await;
        let token = token.as_str().unwrap_or_else(|| panic!("{list:?} has one page")).to_owned();
        pages.push((list, filters, token));
    }
    pages
}

/// Asserts that a token is refused, and named.
async fn refused(caller: &Caller<'_>, list: List, filters: &Value, token: &Value) {
    let reply = caller.call(list.operation(), with(filters, Some(1), token)).await;
    let error = reply.error("INVALID_ARGUMENT");
    let path = &error["details"]["issues"][0]["path"];
    assert_eq!(path, &json!(["data", "pageToken"]), "{list:?} {token}: {error}");
}

/// `text` with another character at `at`.
fn altered(text: &str, at: usize, by: u8) -> String {
    let mut bytes = text.as_bytes().to_vec();
    assert!(bytes.is_ascii());
    bytes[at] = if bytes[at] == by { b'-' } else { by };
    String::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn no_byte_of_a_token_can_change() {
    let (app, pages) = world(&[List::Organizations, List::Keys]).await;
    for (list, filters, token) in pages {
        for at in 0..token.len() {
            for by in [b'A', b'.', token.as_bytes()[at] ^ 1] {
                if by.is_ascii_graphic() {
                    let altered = json!(altered(&token, at, by));
                    refused(&app.caller(), list, &filters, &altered).await;
                }
            }
        }
        page(&app.caller(), list, &filters, Some(1), &json!(token)).await;
    }
}

#[tokio::test]
async fn an_altered_cut_or_extended_page_token_is_refused_by_every_list() {
    let (app, pages) = world(&ALL).await;
    for (list, filters, token) in pages {
        let caller = app.caller();
        let (kid, text) = token.split_once('.').unwrap();
        for at in [0, kid.len(), kid.len() + 1, token.len() - 30, token.len() - 1] {
            refused(&caller, list, &filters, &json!(altered(&token, at, b'A'))).await;
        }
        let cut = [1, kid.len(), kid.len() + 1, token.len() / 2, token.len() - 1];
        for end in cut {
            refused(&caller, list, &filters, &json!(token[..end])).await;
        }
        for text in [
            String::new(),
            " ".to_owned(),
            ".".to_owned(),
            "..".to_owned(),
            format!("{token}="),
            format!(" {token}"),
            format!("{token}.{text}"),
            format!(".{text}"),
            format!("{kid}..{text}"),
            format!("{text}.{kid}"),
            "A".repeat(4096),
            format!("{token}{}", "A".repeat(4096)),
            "A".repeat(8193),
            format!("{kid}.{}", "A".repeat(4096)),
        ] {
            refused(&caller, list, &filters, &json!(text)).await;
        }
        for value in [json!(1), json!(true), json!([token]), json!({ "token": token })] {
            refused(&caller, list, &filters, &value).await;
        }
        // And it was the token that was refused.
        page(&caller, list, &filters, Some(1), &json!(token)).await;
    }
}

#[tokio::test]
async fn a_page_token_is_accepted_by_its_own_list_only() {
    let (app, pages) = world(&ALL).await;
    let same = |a: List, b: List| {
        // How users are shown is no filter.
        let shown =
            |list| if list == List::UsersByDocument { List::UsersOfDocuments } else { list };
        shown(a) == shown(b)
    };
    for (list, _, token) in &pages {
        for (other, filters, _) in &pages {
            if same(*list, *other) {
                page(&app.caller(), *other, filters, Some(1), &json!(token)).await;
            } else {
                refused(&app.caller(), *other, filters, &json!(token)).await;
            }
        }
    }
    // A list of some is another list.
    let of = |wanted: List| pages.iter().find(|(list, _, _)| *list == wanted).unwrap();
    for (list, member) in
        [(List::Organizations, "organizationIds"), (List::Documents, "documentIds")]
    {
        let (_, filters, token) = of(list);
        let mut filters = filters.clone();
        filters[member] = json!(["i00", "i01"]);
        refused(&app.caller(), list, &filters, &json!(token)).await;
    }
    // Another organization of the same tenant.
    for (list, filters, token) in &pages {
        if filters.get("organizationId").is_some() {
            let mut filters = filters.clone();
            filters["organizationId"] = json!("p");
            refused(&app.caller(), *list, &filters, &json!(token)).await;
        }
    }
}

#[tokio::test]
async fn a_token_of_another_tenant_is_refused_though_all_ids_are_equal() {
    let (app, pages) = world(&ALL).await;
    let (foreign_workspace, foreign_key) = app.new_workspace().await;
    let second = app.second_key().await;
    for caller in
        [app.caller().key(&second), app.caller().key(&foreign_key).workspace(&foreign_workspace)]
    {
        // The keys belong to the workspace, not to a tenant.
        let (of_tenant, of_workspace) = ALL.split_at(ALL.len() - 2);
        assert_eq!(of_workspace, [List::Keys, List::KeysPicked]);
        let theirs = second_pages(&app, &caller, of_tenant).await;
        for ((list, filters, token), (_, their_filters, their_token)) in pages.iter().zip(&theirs) {
            assert_eq!(filters, their_filters);
            refused(&caller, *list, filters, &json!(token)).await;
            refused(&app.caller(), *list, filters, &json!(their_token)).await;
        }
    }
    let stranger = app.caller().workspace(&foreign_workspace);
    for (list, filters, token) in &pages[ALL.len() - 2..] {
        refused(&stranger, *list, filters, &json!(token)).await;
    }
}

#[tokio::test]
async fn a_page_token_sealed_with_a_retired_key_or_for_another_purpose_is_refused() {
    let (app, pages) = world(&ALL).await;
    let current = Keyring::parse(KEYRING).unwrap();
    let retired = [
        "test=00000000000000000000000000000000",
        "old=00000000000000000000000000000000",
        "old=0123456789abcdef0123456789abcdef",
    ];
    let retired = retired.map(|text| Keyring::parse(text).unwrap());
    let mut checked = 0;
    for (list, filters, token) in &pages {
        let binding = match list {
            List::Organizations => format!("key#{}\norganizations.get\n[]", app.key.api_key),
            List::Keys => {
                format!("workspace#{}\nworkspace.api_keys_get\n[]", app.workspace.id)
            }
            _ => String::new(),
        };
        let payload = current.decrypt(Purpose::PageToken, binding.as_bytes(), token);
        assert_eq!(payload.is_some(), !binding.is_empty(), "{list:?}");
        let is_known = payload.is_some();
        let payload = payload.unwrap_or_else(|| b"[]".to_vec());
        let encrypt = |keyring: &Keyring, purpose| {
            json!(keyring.encrypt(purpose, binding.as_bytes(), &payload).unwrap())
        };
        if is_known {
            // Tokens made here differ from those of the deployment in the key alone.
            assert_eq!(&encrypt(&current, Purpose::PageToken), &json!(token), "{list:?}");
            for purpose in [Purpose::AuthToken, Purpose::UserToken, Purpose::Seal] {
                refused(&app.caller(), *list, filters, &encrypt(&current, purpose)).await;
            }
            checked += 1;
        }
        for keyring in &retired {
            let foreign = encrypt(keyring, Purpose::PageToken);
            refused(&app.caller(), *list, filters, &foreign).await;
        }
    }
    assert_eq!(checked, 2);
}

#[tokio::test]
async fn a_token_can_be_used_again_and_with_another_page_size() {
    let (app, pages) = world(&ALL).await;
    for (list, filters, token) in pages {
        let (caller, token) = (app.caller(), json!(token));
        let first = page(&caller, list, &filters, Some(1), &token).await;
        assert_eq!(first.0.len(), 1, "{list:?}");
        assert_eq!(page(&caller, list, &filters, Some(1), &token).await, first, "{list:?}");
        let (two, _) = page(&caller, list, &filters, Some(2), &token).await;
        assert_eq!((two.len(), &two[0]), (2, &first.0[0]), "{list:?}");
        for size in [None, Some(list.max_size())] {
            let (rest, next) = page(&caller, list, &filters, size, &token).await;
            assert_eq!((&rest[..2], next), (&two[..], json!(null)), "{list:?}");
        }
        assert_eq!(page(&caller, list, &filters, Some(1), &token).await, first, "{list:?}");
    }
}

#[tokio::test]
async fn a_page_size_is_an_integer_in_its_range() {
    let (app, pages) = world(&ALL).await;
    for (list, filters, _) in pages {
        let max = list.max_size();
        let call = |size: Value| {
            let mut sent = filters.clone();
            sent["pageSize"] = size;
            let caller = app.caller();
            async move { caller.call(list.operation(), sent).await }
        };
        for (size, most) in
            [(json!(1), 1), (json!(1.0), 1), (json!(2), 2), (json!(max), max), (json!(null), max)]
        {
            let found = list.read(&call(size.clone()).await.data()).len();
            assert!(found == most || (most == max && found > 2), "{list:?} {size}: {found}");
        }
        for size in [
            json!(0),
            json!(max + 1),
            json!(1.5),
            json!("1"),
            json!(-1),
            json!(true),
            json!([1]),
            json!(1e300),
        ] {
            let error = call(size.clone()).await.error("INVALID_ARGUMENT");
            let path = &error["details"]["issues"][0]["path"];
            assert_eq!(path, &json!(["data", "pageSize"]), "{list:?} {size}");
        }
    }
}

#[tokio::test]
async fn without_a_size_a_page_holds_1000_and_of_keys_100() {
    let app = App::start().await;
    let caller = app.caller();
    let ids = |from: usize, to: usize| -> Vec<Value> {
        (from..to).map(|n| json!({ "organizationId": format!("{n:04}") })).collect()
    };
    for (from, to) in [(0, 500), (500, 1000), (1000, 1001)] {
        caller.call("organizations.add", json!({ "organizations": ids(from, to) })).await.ok();
    }
    let new: Vec<usize> = (0..100).collect();
    let most = json!({ "id": app.workspace.id, "maxTestingKeys": 1000 });
    caller.call("operator.workspace_update", most).await.ok();
    List::Keys.insert(&caller, &new).await;
    for (list, size) in [(List::Organizations, 1000), (List::Keys, 100)] {
        let (first, token) = page(&caller, list, &json!({}), None, &json!(null)).await;
        let (rest, last) = page(&caller, list, &json!({}), None, &token).await;
        assert_eq!((first.len(), rest.len(), last), (size, 1, json!(null)), "{list:?}");
    }
}
