use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{from_value, json};

use super::{
    super::{Thread, thread::tests::person},
    Archive, Comment,
};
use crate::{
    AnnotationId, Text,
    comment::{AgentType, thread::tests::thread},
    people::{Forgotten, Names, UserReplacement},
};

/// A stored thread with its archived comments by position.
struct Paged {
    thread: Thread,
    archived: BTreeMap<u64, Comment>,
}

impl Paged {
    /// Changes the thread with the comment of this number recalled.
    fn change<T>(&mut self, id: u64, change: impl FnOnce(&mut Thread) -> T) -> T {
        let is_it = |comment: &&Comment| comment.comment_id == id;
        let recalled: Vec<Comment> = self.archived.values().filter(is_it).cloned().collect();
        self.thread.recall(recalled.clone());
        let changed = change(&mut self.thread);
        let back = self.thread.put_back(&recalled);
        for comment in back.changed {
            self.archived.insert(comment.position, comment);
        }
        for comment in back.removed {
            self.archived.remove(&comment.position);
        }
        changed
    }

    fn move_out(&mut self, bytes: usize, limit: usize) {
        let written = self.thread.surplus(bytes, limit).to_vec();
        let moves = self.thread.move_out(&written);
        assert_eq!(moves, !written.is_empty());
        self.archived.extend(written.into_iter().map(|comment| (comment.position, comment)));
    }

    /// The thread with all its comments in it.
    fn whole(&self) -> Thread {
        let mut thread = self.thread.clone();
        thread.recall(self.archived.values().cloned().collect());
        assert_eq!(thread.archive.count, 0);
        thread.archive = Archive::default();
        thread.recalled.clear();
        thread
    }
}

#[derive(Clone, Debug)]
enum Step {
    Add { by: u8, mentions: Vec<u8> },
    Edit { at: usize, mentions: Vec<u8> },
    Delete { at: usize },
    React { at: usize, by: u8, back: bool },
    MoveOut { bytes: usize, limit: usize },
}

fn step() -> impl Strategy<Value = Step> {
    let mentions = || prop::collection::vec(0_u8..5, 0..3);
    prop_oneof![
        4 => (0_u8..5, mentions()).prop_map(|(by, mentions)| Step::Add { by, mentions }),
        2 => (0..30_usize, mentions()).prop_map(|(at, mentions)| Step::Edit { at, mentions }),
        1 => (0..30_usize).prop_map(|at| Step::Delete { at }),
        2 => (0..30_usize, 0_u8..5, any::<bool>())
            .prop_map(|(at, by, back)| Step::React { at, by, back }),
        2 => (1..1_000_usize, 1..4_usize)
            .prop_map(|(bytes, limit)| Step::MoveOut { bytes, limit }),
    ]
}

fn name(user: u8) -> String {
    format!("user-{user}")
}

fn tagged(mentions: &[u8]) -> serde_json::Value {
    mentions.iter().map(|user| json!({ "userId": name(*user) })).collect()
}

fn apply(thread: &mut Thread, step: &Step, id: u64, now: u64) -> String {
    match step {
        Step::Add { by, mentions } => {
            let new = json!({
                "commentId": id, "from": { "userId": name(*by) }, "commentText": "Some words.",
                "taggedUserContacts": tagged(mentions),
            });
            let new = from_value(new).unwrap();
            format!("{:?}", thread.add_comment(new, AgentType::Custom, now, 7))
        }
        Step::Edit { mentions, .. } => {
            let patch = json!({ "commentText": "Others.", "taggedUserContacts": tagged(mentions) });
            format!("{:?}", thread.change_comment(id, from_value(patch).unwrap(), now, 7))
        }
        Step::Delete { .. } => format!("{:?}", thread.remove_comment(id, now)),
        Step::React { by, back: false, .. } => {
            let new: AnnotationId = format!("r{now}").try_into().unwrap();
            format!("{:?}", thread.react(id, icon(), person(&name(*by)), Some(new), now))
        }
        Step::React { by, .. } => {
            format!("{:?}", thread.remove_reaction(id, &icon(), &person(&name(*by)), now))
        }
        Step::MoveOut { .. } => String::new(),
    }
}

fn icon() -> Text {
    "HEART".to_owned().try_into().unwrap()
}

proptest! {
    #[test]
    fn a_paged_thread_is_as_a_plain_one(steps in prop::collection::vec(step(), 1..60)) {
        let mut plain = thread(json!([{ "commentId": 0, "from": { "userId": "ada" } }]));
        let mut paged = Paged { thread: plain.clone(), archived: BTreeMap::new() };
        for (n, step) in (1_u64..).zip(steps) {
            let (id, now) = (n, 100 + n);
            let id = match step {
                Step::MoveOut { bytes, limit } => {
                    paged.move_out(bytes, limit);
                    id
                }
                Step::Add { .. } => id,
                Step::Edit { at, .. } | Step::Delete { at } | Step::React { at, .. } => {
                    let ids: Vec<u64> = plain.comments.iter().map(|one| one.comment_id).collect();
                    ids.get(at % ids.len().max(1)).copied().unwrap_or(id)
                }
            };
            let expected = apply(&mut plain, &step, id, now);
            let answered = paged.change(id, |thread| apply(thread, &step, id, now));
            prop_assert_eq!(answered, expected);
            prop_assert_eq!(paged.thread.involved(), plain.involved());
            prop_assert_eq!(paged.thread.mentioned(), plain.mentioned());
            prop_assert_eq!(paged.thread.reactors(), plain.reactors());
            prop_assert_eq!(paged.thread.comments_count(), plain.comments_count());
            prop_assert_eq!(paged.thread.found().beside(), plain.found().beside());
            prop_assert_eq!(&paged.thread.subscribed, &plain.subscribed);
            for user in (0..5).map(name) {
                let user = person(&user).user_id;
                // A deletion in the archive may leave the time of the last action.
                if plain.has_acted_since(&user, now - 10) {
                    prop_assert!(paged.thread.has_acted_since(&user, now - 10));
                }
            }
            let whole = paged.whole();
            prop_assert_eq!(whole.comments, plain.comments.clone());
            prop_assert_eq!(paged.thread.last_updated, plain.last_updated);
        }
    }
}

fn long() -> Paged {
    let comments: Vec<_> = (0..10)
        .map(|n| {
            json!({
                "commentId": n, "from": { "userId": name(n % 3) }, "commentText": "x".repeat(100),
                "taggedUserContacts": tagged(&[(n + 1) % 3]),
            })
        })
        .collect();
    Paged { thread: thread(json!(comments)), archived: BTreeMap::new() }
}

#[test]
fn the_first_and_the_newest_comment_stay() {
    let mut paged = long();
    paged.move_out(usize::MAX, usize::MAX);
    let left: Vec<u64> = paged.thread.comments.iter().map(|one| one.comment_id).collect();
    assert_eq!(left, [0, 9]);
    assert_eq!((paged.thread.archive.end, paged.thread.archive.count), (9, 8));
    assert!(paged.thread.surplus(usize::MAX, usize::MAX).is_empty());
    let latest = paged.thread.latest.clone().unwrap();
    paged.change(9, |thread| thread.remove_comment(9, 5).unwrap());
    assert!(paged.thread.latest.clone().unwrap().at < latest.at, "{latest:?}");
    assert_eq!(paged.thread.latest.as_ref().unwrap().by.as_str(), "user-2");
}

#[test]
fn a_large_first_comment_is_moved_out() {
    let mut thread = thread(json!([
        { "commentId": 1, "from": { "userId": "ada" }, "commentText": "x".repeat(2_000) },
        { "commentId": 2, "from": { "userId": "bob" } },
    ]));
    let surplus = thread.surplus(1, 9).to_vec();
    assert_eq!(surplus.iter().map(|one| one.comment_id).collect::<Vec<_>>(), [1]);
    assert!(thread.move_out(&surplus));
    assert_eq!(thread.agent, None);
}

#[test]
fn what_changed_since_it_was_written_is_not_moved_out() {
    let mut paged = long();
    let written = paged.thread.surplus(1, 3).to_vec();
    assert_eq!(written.len(), 1);
    let patch = from_value(json!({ "commentText": "new" })).unwrap();
    paged.thread.change_comment(1, patch, 50, 0);
    let before = paged.thread.clone();
    assert!(!paged.thread.move_out(&written));
    assert_eq!(paged.thread, before);
    assert!(!paged.thread.move_out(&[]));
}

#[test]
fn what_is_recalled_and_put_back_unchanged_leaves_no_trace() {
    let mut paged = long();
    paged.move_out(usize::MAX, usize::MAX);
    let before = paged.thread.clone();
    paged.change(4, |_| ());
    assert_eq!(paged.thread, before);
    paged.change(4, |thread| thread.remove_comment(4, 50).unwrap());
    assert_eq!(paged.thread.archive.edits, 1);
    assert_eq!(paged.thread.comments_count(), 9);
}

#[test]
fn a_user_is_forgotten_in_the_archive_first_and_then_in_the_thread() {
    let mut paged = long();
    paged.move_out(usize::MAX, usize::MAX);
    let user = person("user-1").user_id;
    let archived = std::mem::take(&mut paged.archived).into_values();
    let mut left = vec![];
    for comment in archived {
        let mut one = super::ArchivedComment::new(&paged.thread, comment);
        match one.forget(&user) {
            Forgotten::Gone => {}
            _ => left.push(one.comment),
        }
    }
    assert_eq!(paged.thread.forget(&user), Forgotten::Changed);
    assert_eq!(paged.thread.archive.count, left.len() as u64);
    assert!(!paged.thread.involved().contains(&user));
    assert!(paged.thread.mentioned().contains(&person("deleted-user").user_id));
    assert!(!format!("{:?} {left:?}", paged.thread).contains("user-1"));
    for user in ["user-0", "user-2", "deleted-user"] {
        paged.thread.forget(&person(user).user_id);
    }
    assert_eq!(paged.thread.comments_count(), 0);
}

#[test]
fn a_user_takes_the_place_of_another_in_two_steps() {
    let mut paged = long();
    paged.move_out(usize::MAX, usize::MAX);
    let (old, new) = (person("user-1"), person("eve"));
    let replaced = [UserReplacement { old_user: old.clone(), new_user: new.clone() }];
    paged.thread.replace_users(&replaced);
    assert!(paged.thread.involved().contains(&old.user_id), "the archive still names them");
    assert!(paged.thread.involved().contains(&new.user_id));
    let mut rewritten = paged.thread.archive.rewritten();
    for comment in paged.archived.values_mut() {
        comment.replace_users(&replaced);
        rewritten.take_in(comment);
    }
    assert_eq!(rewritten.count, paged.thread.archive.count);
    paged.thread.archive = rewritten;
    assert!(!paged.thread.involved().contains(&old.user_id));
    paged.whole();
}

#[test]
fn numbers_in_a_long_thread_have_fifteen_digits() {
    let mut paged = long();
    paged.move_out(usize::MAX, usize::MAX);
    let new = from_value(json!({ "from": { "userId": "ada" } })).unwrap();
    let id = paged.thread.add_comment(new, AgentType::Custom, 9, 3).unwrap();
    assert!((100_000_000_000_000..1_000_000_000_000_000).contains(&id), "{id}");
    assert_eq!(paged.thread.comments.last().unwrap().position, 10);
}
