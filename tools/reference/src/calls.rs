//! Effects of each call, and its possible answers.

use std::collections::BTreeSet;

use crate::{
    Actor, Asked, Call, Folder, Holder, Level, Mutant, Refusal, Role, User,
    containers::{add_folder, change, delete_organization, issue, place_document, remove_user},
    contents::{add_thread, by_user, comment, react},
    facts::{Document, Given, Implied, Outcomes, Token, World, one},
    fading::by_server,
    notices::named_in,
    people::erase,
};
use Refusal::{Conflict, Denied, Failed, Invalid, NotFound};

/// Validity of a token, in milliseconds.
pub(crate) const TOKEN: u64 = 48 * 3_600_000;
/// How long a process keeps the record of a key.
pub(crate) const CACHED: u64 = 10_000;
const PRESENCE: u64 = 24 * 3_600_000;

/// The possible answers to a call, each with the world that follows from it.
pub(crate) fn outcomes(world: &World, asked: &Asked) -> Outcomes {
    let mut world = world.clone();
    world.tick += 1;
    let mut outcomes = match asked.by {
        Actor::Server => by_server(&world, &asked.call),
        Actor::Holder(tok) => {
            let Some(token) = world.token(tok).cloned() else { return vec![(world, Ok(()))] };
            let mut outcomes = Vec::new();
            for admitted in admitted(&world, &token) {
                outcomes.extend(match admitted {
                    true => by_user(&world, asked, &token),
                    false => vec![(world.clone(), Err(Denied))],
                });
            }
            outcomes
        }
    };
    outcomes.iter_mut().for_each(|(world, _)| world.look());
    outcomes
}

impl World {
    /// A call was begun, and changed nothing. It may have recorded its organization.
    pub(crate) fn begun(&self, call: &Call) -> Self {
        let mut world = self.clone();
        if let Some(organization) = call.org().map(|org| world.org_mut(org))
            && organization.implied == Implied::No
        {
            organization.implied = Implied::Maybe;
        }
        world
    }
}

/// Whether a token is taken; both while a process may have kept the record of the key.
pub(crate) fn admitted(world: &World, token: &Token) -> Vec<bool> {
    if world.now >= token.at + TOKEN {
        return vec![false];
    }
    match world.reset {
        Some((tick, at)) if token.issued <= tick && world.now <= at + CACHED => vec![false, true],
        Some((tick, _)) if token.issued <= tick => vec![false],
        _ => vec![true],
    }
}

/// The clean-up may have been there, which changes nothing but the answer.
fn either(world: World) -> Outcomes {
    vec![(world.clone(), Ok(())), (world, Err(Failed))]
}

/// The answer to the tenant's server where nothing fades.
pub(crate) fn strict(world: &World, call: &Call) -> Outcomes {
    let mut after = world.clone();
    let tick = after.tick;
    let verdict = match call {
        Call::AddOrganization(org) => match after.org(*org).there {
            true => Err(Conflict),
            false => {
                let organization = after.org_mut(*org);
                // An organization that is only implied may be disabled, and stays so.
                organization.there = true;
                organization.hide_gone();
                Ok(())
            }
        },
        Call::DeleteOrganization(org) => return delete_organization(after, *org),
        Call::DisableOrganization(org, disabled) => {
            let organization = after.org_mut(*org);
            let is_known = organization.there || organization.implied == Implied::Yes;
            match (is_known, organization.implied) {
                (true, _) => {
                    organization.disabled = *disabled;
                    Ok(())
                }
                (false, Implied::Maybe) => {
                    organization.disabled = *disabled;
                    return vec![(after, Ok(())), (world.clone(), Err(NotFound))];
                }
                (false, _) => Err(NotFound),
            }
        }
        Call::AddFolder(org, folder, parent, access) => {
            add_folder(after.org_mut(*org), *folder, *parent, *access)
        }
        Call::DeleteFolder(org, folder) => match after.org(*org).is_there(Level::Folder(*folder)) {
            true => {
                let ghosts = after.org(*org).ghosts_in(*folder);
                after.org_mut(*org).fade(*folder, tick);
                after.org_mut(*org).find_lost(&ghosts);
                let mut outcomes = one(after.clone(), Ok(()));
                if !ghosts.is_empty() {
                    let organization = after.org_mut(*org);
                    ghosts.into_iter().for_each(|level| organization.begin_again(level, tick));
                    outcomes.push((after, Ok(())));
                }
                return outcomes;
            }
            false => Err(NotFound),
        },
        Call::MoveFolder(org, folder, parent) => {
            let asks_nearest = after.is(Mutant::PlacingAsksNearest);
            let organization = after.org_mut(*org);
            let is_whole = |f: Folder| {
                let slot = organization.folder(f);
                slot.row.is_some() || asks_nearest && slot.faded.is_some()
            };
            if !is_whole(*folder) || !parent.is_none_or(is_whole) {
                Err(NotFound)
            } else if organization.chain(*parent).contains(folder) {
                Err(Invalid)
            } else {
                let row = organization.folder_mut(*folder).row.get_or_insert_default();
                row.parent = *parent;
                Ok(())
            }
        }
        Call::FolderAccess(org, folder, access) => {
            match &mut after.org_mut(*org).folder_mut(*folder).row {
                Some(row) => {
                    row.access = *access;
                    Ok(())
                }
                None => Err(NotFound),
            }
        }
        Call::AddDocument(at, folder) => place_document(&mut after, *at, *folder, true),
        Call::MoveDocument(at, folder) => place_document(&mut after, *at, *folder, false),
        Call::DeleteDocument(at) => match after.doc(*at).row {
            Some(_) => {
                let keep = after.is(Mutant::PreferenceOutlivesDocument);
                let old = std::mem::take(after.doc_mut(*at));
                let preferences = if keep { old.preferences } else { Default::default() };
                let rights = old.rights.after();
                *after.doc_mut(*at) =
                    Document { since: tick, rights, preferences, ..Document::default() };
                Ok(())
            }
            None => Err(NotFound),
        },
        Call::DisableDocument(at, disabled) => {
            change(&mut after, *at, |row| row.disabled = *disabled)
        }
        Call::DocumentAccess(at, access) => {
            change(&mut after, *at, |row| row.access = Some(*access))
        }
        Call::RenameDocument(at) => change(&mut after, *at, |_| ()),
        Call::AddGroup(org) => {
            let keep = after.is(Mutant::GroupKeepsMembers);
            let organization = after.org_mut(*org);
            match organization.there {
                true => {
                    let ghosts = std::mem::take(&mut organization.ghosts);
                    let first = if keep { ghosts } else { BTreeSet::new() };
                    organization.group.get_or_insert(first);
                    Ok(())
                }
                false => Err(Failed),
            }
        }
        Call::DeleteGroup(org) => {
            let keep = after.is(Mutant::GroupRightOutlivesGroup);
            let organization = after.org_mut(*org);
            match organization.group.take() {
                Some(members) => {
                    organization.ghosts = members;
                    organization.leaving.clear();
                    if !keep {
                        organization.all_rights().into_iter().for_each(|r| r.group = None);
                    }
                    Ok(())
                }
                None => Err(Failed),
            }
        }
        Call::JoinGroup(org, user) => {
            let organization = after.org_mut(*org);
            let said = organization.rights.users.get(user);
            let is_member = said.is_some_and(|said| said.member.is_some());
            match &mut organization.group {
                Some(group) if is_member => {
                    group.insert(*user);
                    organization.leaving.remove(user);
                    Ok(())
                }
                _ => Err(Failed),
            }
        }
        Call::LeaveGroup(org, user) if after.org(*org).leaving.contains(user) => {
            return either(after);
        }
        Call::LeaveGroup(org, user) => match &mut after.org_mut(*org).group {
            Some(group) => match group.remove(user) {
                true => Ok(()),
                false => Err(Failed),
            },
            None => Err(Failed),
        },
        Call::AddUser(org, level, user, role) => {
            let organization = after.org_mut(*org);
            if *level == Level::Organization {
                organization.there = true;
                organization.hide_gone();
            }
            match organization.there && organization.is_there(*level) {
                true => {
                    let said = organization.rights_mut(*level).users.entry(*user).or_default();
                    said.member = role.or(said.member).or(Some(Role::Editor));
                    said.joined = tick;
                    organization.rights_mut(*level).leaving.remove(user);
                    Ok(())
                }
                false => Err(Failed),
            }
        }
        Call::UpdateUser(org, level, user) => {
            let rights = after.org(*org).rights(*level);
            if rights.leaving.contains(user) || rights.outlived.contains(user) {
                return either(after);
            }
            match rights.users.get(user) {
                Some(said) if said.member.is_some() => Ok(()),
                _ => Err(Failed),
            }
        }
        Call::RemoveUser(org, level, user) => return remove_user(after, *org, *level, *user),
        Call::Grant(org, level, holder, role, until) => {
            let until = until.map(|seconds| after.now / 1_000 + seconds);
            let given = Given { role: *role, until };
            let forget = after.is(Mutant::GrantForgetsDeparture) && *level == Level::Organization;
            match holder {
                Holder::User(user) => {
                    after.record_if_missing(*org);
                    let organization = after.org_mut(*org);
                    if forget {
                        organization.left.remove(user);
                        for rights in organization.all_rights() {
                            let said = rights.users.entry(*user).or_default();
                            said.ended = 0;
                        }
                    }
                    let said = organization.rights_mut(*level).users.entry(*user).or_default();
                    said.grant = Some(given);
                    said.granted = tick;
                    Ok(())
                }
                Holder::Group => {
                    let organization = after.org_mut(*org);
                    let is_there = organization.there && organization.is_there(*level);
                    if organization.group.is_some() && is_there {
                        organization.rights_mut(*level).group = Some(given);
                        Ok(())
                    } else {
                        Err(Failed)
                    }
                }
            }
        }
        Call::Revoke(org, level, Holder::User(user)) => {
            after.record_if_missing(*org);
            let said = after.org_mut(*org).rights_mut(*level).users.entry(*user).or_default();
            said.grant = None;
            said.ended = tick;
            Ok(())
        }
        Call::Revoke(org, level, Holder::Group) => {
            after.org_mut(*org).rights_mut(*level).group = None;
            return vec![(after.clone(), Ok(())), (after, Err(Failed))];
        }
        Call::Issue(tok, user, resources) => return issue(after, *tok, *user, resources),
        Call::ResetTokens => {
            after.reset = Some((tick, after.now));
            Ok(())
        }
        Call::Thread(at, no, visibility, by) => {
            add_thread(&mut after, *at, *no, *visibility, by, by.from, Actor::Server)
        }
        Call::Comment(at, no, by) => comment(&mut after, *at, *no, by, by.from, Actor::Server),
        Call::React(at, no, from) => return react(after, *at, *no, *from),
        Call::Assign(at, no, to, from) => {
            let Some(thread) = after.doc_mut(*at).threads.get_mut(no) else {
                return one(after, Err(Failed));
            };
            let people: Vec<User> = thread.assignee.into_iter().chain([*to, *from]).collect();
            (thread.assignee, thread.updated_by) = (Some(*to), Some(*from));
            let people: BTreeSet<User> = named_in(thread).into_iter().chain(people).collect();
            after.org_mut(at.0).named.extend(people);
            Ok(())
        }
        Call::DeleteThread(at, no) => match after.doc_mut(*at).threads.remove(no) {
            Some(_) => Ok(()),
            None => return vec![(after.clone(), Ok(())), (after, Err(Failed))],
        },
        Call::Presence(at, user) => {
            after.record_if_missing(at.0);
            let until = after.now + PRESENCE;
            after.doc_mut(*at).present.insert(*user, until);
            Ok(())
        }
        Call::Live(at, mark, merge) => {
            after.record_if_missing(at.0);
            let live = &mut after.doc_mut(*at).live;
            if !merge {
                *live = Default::default();
            }
            live.add(*mark);
            Ok(())
        }
        Call::Append(at, mark) => {
            after.record_if_missing(at.0);
            after.doc_mut(*at).editor.add(*mark);
            Ok(())
        }
        Call::Recording(at, user, mark) => match after.doc(*at).row {
            Some(_) => {
                after.doc_mut(*at).recordings.insert(*mark, *user);
                Ok(())
            }
            None => Err(Failed),
        },
        Call::Activity(at, from, named, mark) => {
            after.record_if_missing(at.0);
            let organization = after.org_mut(at.0);
            organization.activities.insert(*mark);
            organization.named.extend([*from, *named]);
            organization.recorded.insert((*from, Some(*named)));
            Ok(())
        }
        Call::Preference(org, doc, user, inbox, mail) => {
            let (is_there, implied) = (after.org(*org).there, after.org(*org).implied);
            if !is_there && implied == Implied::No {
                return one(after, Err(Failed));
            }
            let unsaid = one(world.clone(), Err(Failed));
            if after.is(Mutant::OneMemoryForChannels) {
                after.misremember(*org, *user, true);
            }
            after.prefer(*org, *doc, *user, [*inbox, *mail]);
            let mut outcomes = one(after, Ok(()));
            if !is_there {
                outcomes.extend(unsaid);
            }
            return outcomes;
        }
        Call::Seen(at, no, user) => {
            after.record_if_missing(at.0);
            if let Some(thread) = after.doc_mut(*at).threads.get_mut(no) {
                thread.seen.insert(*user, tick);
            }
            Ok(())
        }
        Call::Erase(user) => return erase(after, *user),
        _ => Ok(()),
    };
    one(after, verdict)
}
