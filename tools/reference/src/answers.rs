//! The right answers, of which the clean-up has left nothing to see.

use crate::{
    Actor, Answer, Asked, Call, Doc, Entry, Folder, Level, Listed, Org, Refusal, Role, User, What,
    calls::admitted,
    decide::Decision,
    facts::{Implied, Rights, Token, World},
};

/// A right answer to a question.
pub(crate) fn answer(world: &World, asked: &Asked) -> Answer {
    let Actor::Holder(tok) = asked.by else { return to(world, &asked.call, None) };
    match world.token(tok) {
        Some(token) if admitted(world, token).contains(&true) => {
            to(world, &asked.call, Some(token))
        }
        _ => Answer::Refused(Refusal::Denied),
    }
}

/// The answer to the server, or to the holder of a token.
pub(crate) fn to(world: &World, call: &Call, token: Option<&Token>) -> Answer {
    match call {
        Call::Read(at, what) => {
            let allowed =
                token.map(|token| world.allows(*at, token.user, Some(token), Role::Viewer));
            if let Some(Err(refusal)) = allowed {
                return Answer::Refused(refusal);
            }
            let slot = world.doc(*at);
            match what {
                What::Threads => {
                    let sees = |thread| {
                        token.is_none_or(|token| world.sees(thread, token.user, Some(token)))
                    };
                    let threads = slot.threads.iter().filter(|(_, thread)| sees(thread));
                    let listed = threads.map(|(thread, it)| Listed {
                        thread: *thread,
                        marks: it.comments.iter().map(|comment| comment.mark).collect(),
                        whole: true,
                    });
                    Answer::Threads(listed.collect())
                }
                What::Live => Answer::Marks(slot.live.must.clone()),
                What::Editor => Answer::Marks(slot.editor.must.clone()),
                What::Presence => {
                    let present = slot.present.iter().filter(|(_, end)| world.now < **end);
                    Answer::Users(present.map(|(user, _)| *user).collect())
                }
            }
        }
        Call::Rights(org) => Answer::Rights(rights(world, *org)),
        Call::Organizations => {
            let listed = [Org(0), Org(1)]
                .into_iter()
                .filter(|org| world.org(*org).there || world.org(*org).implied == Implied::Yes);
            Answer::Organizations(listed.map(|org| (org, world.org(org).disabled)).collect())
        }
        Call::Documents(org) => {
            let listed = [Doc(0), Doc(1), Doc(2)].into_iter().filter_map(|doc| {
                let row = world.org(*org).doc(doc).row?;
                Some((doc, row.folder, None))
            });
            Answer::Documents(listed.collect())
        }
        Call::Folders(org) => {
            let listed = [Folder(0), Folder(1)].into_iter().filter_map(|folder| {
                let row = world.org(*org).folder(folder).row?;
                Some((folder, row.parent, None))
            });
            Answer::Folders(listed.collect())
        }
        Call::Users(org, level) => Answer::Users(members(world.org(*org).rights(*level))),
        Call::Group(org) => Answer::Group(world.org(*org).group.clone()),
        Call::Recordings(at) => Answer::Marks(world.doc(*at).recordings.keys().copied().collect()),
        Call::Activities(org) => {
            let organization = world.org(*org);
            Answer::Activities(organization.activities.clone(), organization.named.clone())
        }
        Call::Export(org, user) => Answer::Marks(world.export(*org, *user).may),
        Call::Inbox(org, user, _) => {
            let user = token.map_or(*user, |token| token.user);
            let events = world.events.iter().filter(|event| {
                event.at.0 == *org
                    && event.could[0].contains(&user)
                    && world.is_shown(event, user, token)
            });
            Answer::Told(events.map(|event| event.mark).collect())
        }
        Call::Preferences(org, doc, user) => {
            if let Some(Err(refusal)) = token.map(|it| world.shows_preferences(*org, *doc, it)) {
                return Answer::Refused(refusal);
            }
            let user = token.map_or(*user, |token| token.user);
            let organization = world.org(*org);
            let own = doc.map(|doc| &organization.doc(doc).preferences);
            Answer::Wanted(organization.there.then(|| organization.wanted(own, user)))
        }
        Call::Outbox(user, _) => {
            let events = world.events.iter().filter(|event| event.could[1].contains(user));
            Answer::Told(events.map(|event| event.mark).collect())
        }
        _ => Answer::Lost,
    }
}

/// The members of a level.
fn members(rights: &Rights) -> std::collections::BTreeSet<User> {
    let members = rights.users.iter().filter(|(_, said)| said.member.is_some());
    members.map(|(user, _)| *user).collect()
}

/// The rights of everybody, as `permissions.get` shows them.
pub(crate) fn rights(world: &World, org: Org) -> Vec<Entry> {
    let mut entries = Vec::new();
    for user in User::ALL {
        for level in Level::all() {
            let decision = world.decide(org, level, user, None);
            let organization = world.org(org);
            let effective = match level {
                Level::Organization => None,
                Level::Folder(folder) => organization
                    .folder(folder)
                    .row
                    .map(|row| world.access(organization, row.access, row.parent)),
                Level::Document(doc) => organization
                    .doc(doc)
                    .row
                    .map(|row| world.access(organization, row.access, row.folder)),
            };
            let role = match decision {
                Decision::Open(open) => Some(open.role),
                _ => None,
            };
            let absent = level != Level::Organization && effective.is_none();
            entries.push(Entry { user, level, role, access: effective, absent });
        }
    }
    entries
}
