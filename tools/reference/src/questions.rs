//! Shown data, and the users who see them.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Actor, Answer, Asked, At, Call, Doc, Entry, Folder, Level, Listed, Mark, Org, Refusal, Role,
    ThreadNo, User, What,
    answers::{self, rights},
    calls::admitted,
    decide::Decision,
    facts::{Between, Document, Implied, Organization, Thread, Token, World},
    notices::times,
};

/// Whether an answer to a question is right in this world.
pub(crate) fn fits(world: &World, asked: &Asked, answer: &Answer) -> bool {
    if *answer == Answer::Lost {
        return true;
    }
    let Actor::Holder(tok) = asked.by else { return server_sees(world, &asked.call, answer) };
    let Some(token) = world.token(tok) else { return true };
    let is_refused = *answer == Answer::Refused(Refusal::Denied);
    admitted(world, token).into_iter().any(|admitted| match admitted {
        true => user_sees(world, &asked.call, answer, token),
        false => is_refused,
    })
}

/// Whether the clean-up may have removed the folder of what lies below one that was added again: then
/// nothing leads to that one any more.
fn is_cut_off(organization: &Organization, folder: Option<Folder>) -> bool {
    folder.is_some_and(|folder| organization.folder(folder).row.is_none())
}

/// Whether the tenant's server may be shown this answer: data that is there, and perhaps data that
/// fades.
fn server_sees(world: &World, call: &Call, answer: &Answer) -> bool {
    match (call, answer) {
        (Call::Read(at, what), _) => shows(world, *at, *what, answer, |_| true, true),
        (Call::Rights(org), Answer::Rights(entries)) => {
            let right = rights(world, *org);
            let is_right = |(right, shown): (&Entry, &Entry)| {
                // A locked organization hides what is in it; of what is absent, only that counts.
                let is_locked = world.org(*org).disabled;
                (right.user, right.level) == (shown.user, shown.level)
                    && match is_locked {
                        true => shown.role.is_none(),
                        false if right.absent => shown.absent,
                        false => right == shown,
                    }
            };
            right.len() == entries.len() && right.iter().zip(entries).all(is_right)
        }
        (Call::Organizations, Answer::Organizations(shown)) => {
            [Org(0), Org(1)].into_iter().all(|org| {
                let found = shown.iter().find(|(id, _)| *id == org).map(|(_, disabled)| *disabled);
                let stored = world.org(org);
                match (stored.there, stored.implied) {
                    (true, _) => found == Some(stored.disabled),
                    (false, Implied::Yes) => found == Some(stored.disabled),
                    (false, Implied::Maybe) => found.is_none_or(|shown| shown == stored.disabled),
                    (false, Implied::No) => found.is_none(),
                }
            })
        }
        (Call::Documents(org), Answer::Documents(shown)) => {
            let organization = world.org(*org);
            [Doc(0), Doc(1), Doc(2)].into_iter().all(|doc| {
                let found = shown.iter().find(|(id, ..)| *id == doc);
                let slot = organization.doc(doc);
                let old = organization.gone().any(|before| has(before.doc(doc)));
                match (slot.row, found) {
                    (Some(row), Some((_, folder, access))) => {
                        let effective = world.access(organization, row.access, row.folder);
                        row.folder == *folder && access.is_none_or(|shown| shown == effective)
                    }
                    (Some(_), None) => false,
                    (None, Some(_)) => {
                        let folder = slot.lost.as_ref().and_then(|lost| lost.row?.folder);
                        slot.faded.is_some() || old || is_cut_off(organization, folder)
                    }
                    (None, None) => true,
                }
            })
        }
        (Call::Folders(org), Answer::Folders(shown)) => {
            let organization = world.org(*org);
            [Folder(0), Folder(1)].into_iter().all(|folder| {
                let found = shown.iter().find(|(id, ..)| *id == folder);
                let slot = organization.folder(folder);
                match (slot.row, found) {
                    (Some(row), Some((_, parent, access))) => {
                        let effective = world.access(organization, row.access, row.parent);
                        row.parent == *parent && access.is_none_or(|shown| shown == effective)
                    }
                    (Some(_), None) => false,
                    (None, Some(_)) => {
                        let parent = slot.lost.as_ref().and_then(|lost| lost.row?.parent);
                        let old = organization.before.is_some();
                        slot.faded.is_some() || old || is_cut_off(organization, parent)
                    }
                    (None, None) => true,
                }
            })
        }
        (Call::Users(org, level), Answer::Users(shown)) => {
            let organization = world.org(*org);
            let fades = match level {
                Level::Organization => false,
                Level::Folder(folder) => {
                    let slot = organization.folder(*folder);
                    slot.faded.is_some() || slot.lost.is_some()
                }
                Level::Document(doc) => {
                    let slot = organization.doc(*doc);
                    slot.faded.is_some() || slot.lost.is_some()
                }
            };
            let users = &organization.rights(*level).users;
            let is_member = |user: &User| users.get(user).is_some_and(|s| s.member.is_some());
            let right: BTreeSet<User> = User::ALL.into_iter().filter(is_member).collect();
            let leaving = &organization.rights(*level).leaving;
            right.is_subset(shown)
                && (fades
                    || organization.before.is_some()
                    || shown.iter().all(|user| right.contains(user) || leaving.contains(user)))
        }
        (Call::Group(org), Answer::Group(shown)) => {
            let organization = world.org(*org);
            let is_right = match (&organization.group, shown) {
                (Some(right), Some(shown)) => {
                    let leaving = &organization.leaving;
                    right.is_subset(shown) && shown.difference(right).all(|it| leaving.contains(it))
                }
                (right, shown) => right == shown,
            };
            is_right || organization.before.is_some()
        }
        (Call::Recordings(at), Answer::Marks(shown)) => {
            let right = recordings(world, *at);
            right.fits(shown)
        }
        (Call::Activities(org), Answer::Activities(shown, named)) => {
            let organization = world.org(*org);
            let mut recorded = organization.recorded.iter();
            organization.before.is_some()
                || organization.activities.is_subset(shown)
                    && shown.is_subset(&organization.activities)
                    && recorded.all(|(actor, other)| {
                        named.contains(actor) && other.is_none_or(|other| named.contains(&other))
                    })
                    && named.is_subset(&organization.named)
        }
        (Call::Export(org, user), Answer::Marks(shown)) => world.export(*org, *user).fits(shown),
        (Call::Inbox(org, user, settled), Answer::Told(told)) => {
            is_told(world, Some(*org), 0, *user, None, told, *settled)
        }
        (Call::Outbox(user, settled), Answer::Told(told)) => {
            is_told(world, None, 1, *user, None, told, *settled)
        }
        (Call::Preferences(org, Some(doc), user), Answer::Wanted(shown)) => {
            let (organization, slot) = (world.org(*org), world.org(*org).doc(*doc));
            let old = [&slot.faded, &slot.lost].into_iter().flatten();
            let mut slots = old.map(|old| &**old).chain([slot]);
            let is_shown = |slot: &Document| {
                *shown == Some(organization.wanted(Some(&slot.preferences), *user))
            };
            if organization.there { slots.any(is_shown) } else { shown.is_none() }
        }
        (Call::Preferences(..), _) => *answer == answers::to(world, call, None),
        _ => false,
    }
}

fn has(slot: &Document) -> bool {
    slot.row.is_some() || slot.faded.is_some()
}

fn user_sees(world: &World, call: &Call, answer: &Answer, token: &Token) -> bool {
    let user = token.user;
    match call {
        Call::Read(at, what) => {
            if let Err(refusal) = world.allows(*at, user, Some(token), Role::Viewer) {
                return *answer == Answer::Refused(refusal);
            }
            let sees = |thread: &Thread| world.sees(thread, user, Some(token));
            shows(world, *at, *what, answer, sees, false)
        }
        Call::Preferences(..) => *answer == answers::to(world, call, Some(token)),
        Call::Inbox(org, ..) => match answer {
            Answer::Told(told) => is_told(world, Some(*org), 0, user, Some(token), told, false),
            Answer::Refused(refusal) => {
                let decision = world.decide(*org, Level::Organization, user, Some(token));
                let is_open = matches!(decision, Decision::Open(_));
                !is_open && matches!(refusal, Refusal::Denied | Refusal::NotFound)
            }
            _ => false,
        },
        _ => true,
    }
}

/// Whether a document shows what it has; to the tenant's server, also what fades.
fn shows(
    world: &World,
    at: At,
    what: What,
    answer: &Answer,
    sees: impl Fn(&Thread) -> bool,
    is_server: bool,
) -> bool {
    let slot = world.doc(at);
    let before = world.org(at.0).gone().map(|before| before.doc(at.1));
    let old: Vec<&Document> = [slot.faded.as_deref(), slot.lost.as_deref()]
        .into_iter()
        .flatten()
        .chain(before)
        .flat_map(|old| [Some(old), old.faded.as_deref()])
        .flatten()
        .filter(|_| is_server)
        .collect();
    let with = |mut now: Between, of: fn(&Document) -> &Between| {
        let older = old.iter().flat_map(|slot| of(slot).may.iter().copied());
        now.may.extend(older);
        // Earlier marks may have been replaced.
        now
    };
    match (what, answer) {
        (What::Threads, Answer::Threads(shown)) => {
            let visible: BTreeMap<ThreadNo, &Thread> =
                slot.threads.iter().filter(|(_, t)| sees(t)).map(|(no, t)| (*no, t)).collect();
            let is_old =
                |listed: &Listed| old.iter().any(|slot| slot.threads.contains_key(&listed.thread));
            visible.keys().all(|no| shown.iter().any(|listed| listed.thread == *no))
                && shown.iter().all(|listed| match visible.get(&listed.thread) {
                    Some(thread) => is_of(thread, listed),
                    None => is_old(listed),
                })
        }
        (What::Live, Answer::Marks(shown)) => {
            with(slot.live.clone(), |slot| &slot.live).fits(shown)
        }
        (What::Editor, Answer::Marks(shown)) => {
            with(slot.editor.clone(), |slot| &slot.editor).fits(shown)
        }
        (What::Presence, Answer::Users(shown)) => {
            let is_now = |user: &User| slot.present.get(user).is_some_and(|end| world.now < *end);
            let may_be = |user: &User| slot.leaving.get(user).is_some_and(|end| world.now < *end);
            let is_right = |user: User| match shown.contains(&user) {
                true => is_now(&user) || may_be(&user) || !old.is_empty(),
                false => !is_now(&user),
            };
            User::ALL.into_iter().all(is_right)
        }
        _ => false,
    }
}

fn is_of(thread: &Thread, listed: &Listed) -> bool {
    let all: Vec<Mark> = thread.comments.iter().map(|comment| comment.mark).collect();
    let is_part = listed.marks.iter().all(|mark| all.contains(mark));
    is_part && (!listed.whole || listed.marks.len() == all.len())
}

fn recordings(world: &World, at: At) -> Between {
    let slot = world.doc(at);
    let mut texts = Between::default();
    slot.recordings.keys().for_each(|mark| texts.add(*mark));
    let before = world.org(at.0).gone().map(|before| before.doc(at.1));
    for old in [slot.faded.as_deref(), slot.lost.as_deref()].into_iter().flatten().chain(before) {
        texts.may.extend(old.recordings.keys());
        texts.may.extend(old.faded.iter().flat_map(|faded| faded.recordings.keys()));
    }
    texts
}

/// Whether a user is told what is owed, once each, and nothing else.
fn is_told(
    world: &World,
    org: Option<Org>,
    channel: usize,
    user: User,
    token: Option<&Token>,
    told: &[Mark],
    settled: bool,
) -> bool {
    let is_here = |at: At| org.is_none_or(|org| org == at.0);
    let events: Vec<_> = world.events.iter().filter(|event| is_here(event.at)).collect();
    let times = times(told);
    let may = |mark: &Mark| {
        events.iter().any(|event| {
            let is_shown = channel == 1 || world.is_shown(event, user, token);
            event.mark == *mark && event.could[channel].contains(&user) && is_shown
        })
    };
    let owed = events.iter().filter(|event| settled && event.must[channel].contains(&user));
    times.values().all(|times| *times == 1)
        && times.keys().all(may)
        && owed.into_iter().all(|event| times.contains_key(&event.mark))
}
