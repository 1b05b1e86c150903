//! What each call does, and what it may answer.

use std::collections::BTreeSet;

use crate::{
    Actor, Asked, At, By, Call, Doc, Folder, Holder, Level, Mutant, Org, Refusal, Role, ThreadNo,
    User, Visibility,
    decide::Decision,
    people::end,
    world::{
        Comment, Document, DocumentRow, FolderRow, Given, Implied, Organization, Thread, Token,
        World,
    },
};
use Refusal::{Conflict, Denied, Failed, Invalid, NotFound};

/// Validity of a token, in milliseconds.
pub(crate) const TOKEN: u64 = 48 * 3_600_000;
/// How long a process keeps the record of a key.
pub(crate) const CACHED: u64 = 10_000;
const PRESENCE: u64 = 24 * 3_600_000;

/// What a call that changes something answers.
pub(crate) type Verdict = Result<(), Refusal>;
type Outcomes = Vec<(World, Verdict)>;

/// What the call may answer, and the world that follows from each answer.
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

/// What the tenant's server sees may have been cleaned up, or not yet.
fn by_server(world: &World, call: &Call) -> Outcomes {
    let (org, place) = place(call);
    let has_before = org.is_some_and(|org| world.org(org).before.is_some());
    if has_before && changes_old(call) {
        let mut outcomes = strict(world, call);
        outcomes.push((world.clone(), Ok(())));
        outcomes.push((world.clone(), Err(Failed)));
        return outcomes;
    }
    let (Some(org), Some(level)) = (org, place) else { return strict(world, call) };
    let mut seen = world.clone();
    let Some(old) = seen.take_faded(org, level) else { return strict(world, call) };
    // Whoever is told NOT_FOUND learns nothing of the clean-up: a list may hide what is there.
    let mut outcomes = strict(world, call);
    let new = seen.put_faded(org, level, old);
    for (mut after, verdict) in strict(&seen, call) {
        match call {
            Call::MoveDocument(..) | Call::MoveFolder(..) if verdict.is_ok() => {
                after.rescue(org, level, new.clone());
            }
            Call::DeleteDocument(..) | Call::DeleteFolder(..) if verdict.is_ok() => {}
            _ => after.hide_again(org, level, new.clone()),
        }
        outcomes.push((after, verdict));
    }
    outcomes
}

/// Either kind of a container that fades.
#[derive(Clone)]
enum Slot {
    Folder(crate::world::FolderSlot),
    Document(Document),
}

impl World {
    fn take_faded(&mut self, org: Org, level: Level) -> Option<Slot> {
        let organization = self.org_mut(org);
        match level {
            Level::Organization => None,
            Level::Folder(f) => organization.folder_mut(f).faded.take().map(|s| Slot::Folder(*s)),
            Level::Document(d) => organization.doc_mut(d).faded.take().map(|s| Slot::Document(*s)),
        }
    }

    /// Shows what fades as if nothing had happened, and gives what came after it.
    fn put_faded(&mut self, org: Org, level: Level, old: Slot) -> Slot {
        let organization = self.org_mut(org);
        match (level, old) {
            (Level::Folder(f), Slot::Folder(old)) => {
                Slot::Folder(std::mem::replace(organization.folder_mut(f), old))
            }
            (Level::Document(d), Slot::Document(old)) => {
                Slot::Document(std::mem::replace(organization.doc_mut(d), old))
            }
            (_, old) => old,
        }
    }

    fn hide_again(&mut self, org: Org, level: Level, new: Slot) {
        let organization = self.org_mut(org);
        match (level, new) {
            (Level::Folder(f), Slot::Folder(new)) => {
                let old = std::mem::replace(organization.folder_mut(f), new);
                organization.folder_mut(f).faded = Some(Box::new(old));
            }
            (Level::Document(d), Slot::Document(new)) => {
                let old = std::mem::replace(organization.doc_mut(d), new);
                organization.doc_mut(d).faded = Some(Box::new(old));
            }
            _ => {}
        }
    }

    /// It was moved out in time: it has what it had, and what was said since.
    fn rescue(&mut self, org: Org, level: Level, new: Slot) {
        let organization = self.org_mut(org);
        organization.rights_mut(level).add(match &new {
            Slot::Folder(new) => &new.rights,
            Slot::Document(new) => &new.rights,
        });
        match (level, new) {
            (Level::Document(d), Slot::Document(new)) => {
                let slot = organization.doc_mut(d);
                slot.present.extend(new.present);
                for (old, new) in [(&mut slot.live, new.live), (&mut slot.editor, new.editor)] {
                    if !new.may.is_empty() {
                        old.must = new.must;
                        old.may.extend(new.may);
                    }
                }
            }
            (Level::Folder(folder), _) => {
                // What is in it is whole again, too.
                for doc in [Doc(0), Doc(1), Doc(2)] {
                    let row = self.org(org).doc(doc).faded.as_ref().and_then(|faded| faded.row);
                    if row.is_none_or(|row| row.folder != Some(folder)) {
                        continue;
                    }
                    let level = Level::Document(doc);
                    if let Some(old) = self.take_faded(org, level) {
                        let new = self.put_faded(org, level, old);
                        self.rescue(org, level, new);
                    }
                }
            }
            _ => {}
        }
    }
}

impl crate::world::Rights {
    /// What was said later.
    fn add(&mut self, later: &Self) {
        for (user, later) in &later.users {
            let said = self.users.entry(*user).or_default();
            if later.ended > 0 {
                said.grant = None;
                said.ended = said.ended.max(later.ended);
            }
            said.grant = later.grant.or(said.grant);
            said.granted = said.granted.max(later.granted);
            said.member = later.member.or(said.member);
        }
        self.group = later.group.or(self.group);
    }
}

/// The organization of a call, and what it needs there.
fn place(call: &Call) -> (Option<Org>, Option<Level>) {
    let document = |at: &At| (Some(at.0), Some(Level::Document(at.1)));
    match call {
        Call::AddFolder(org, folder, ..)
        | Call::DeleteFolder(org, folder)
        | Call::MoveFolder(org, folder, _)
        | Call::FolderAccess(org, folder, _) => (Some(*org), Some(Level::Folder(*folder))),
        Call::AddDocument(at, _)
        | Call::DeleteDocument(at)
        | Call::DisableDocument(at, _)
        | Call::MoveDocument(at, _)
        | Call::DocumentAccess(at, _)
        | Call::RenameDocument(at)
        | Call::Thread(at, ..)
        | Call::Comment(at, ..)
        | Call::React(at, ..)
        | Call::Assign(at, ..)
        | Call::DeleteThread(at, _)
        | Call::Recording(at, ..) => document(at),
        Call::AddUser(org, level, ..)
        | Call::UpdateUser(org, level, _)
        | Call::RemoveUser(org, level, _) => (Some(*org), Some(*level)),
        Call::DisableOrganization(org, _)
        | Call::DeleteGroup(org)
        | Call::JoinGroup(org, _)
        | Call::LeaveGroup(org, _)
        | Call::Preference(org, ..) => (Some(*org), None),
        _ => (None, None),
    }
}

/// Whether the call may still reach what was in a deleted organization. What places something in
/// one does not.
fn changes_old(call: &Call) -> bool {
    let places = matches!(call, Call::AddFolder(..) | Call::AddDocument(..))
        || matches!(call, Call::AddUser(_, Level::Organization, ..))
        || matches!(call, Call::RemoveUser(_, Level::Organization, _));
    !places
}

fn one(world: World, verdict: Verdict) -> Outcomes {
    vec![(world, verdict)]
}

/// What the tenant's server is answered where nothing fades.
fn strict(world: &World, call: &Call) -> Outcomes {
    let mut after = world.clone();
    let tick = after.tick;
    let verdict = match call {
        Call::AddOrganization(org) => match after.org(*org).there {
            true => Err(Conflict),
            false => {
                let organization = after.org_mut(*org);
                organization.there = true;
                organization.before = None;
                Ok(())
            }
        },
        Call::DeleteOrganization(org) => return delete_organization(after, *org),
        Call::DisableOrganization(org, disabled) => match after.org(*org).there {
            true => {
                after.org_mut(*org).disabled = *disabled;
                Ok(())
            }
            false => Err(NotFound),
        },
        Call::AddFolder(org, folder, parent, access) => {
            add_folder(after.org_mut(*org), *folder, *parent, *access)
        }
        Call::DeleteFolder(org, folder) => match after.org(*org).is_there(Level::Folder(*folder)) {
            true => {
                after.org_mut(*org).fade(*folder, tick);
                Ok(())
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
                *after.doc_mut(*at) = Document { since: tick, ..Document::default() };
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
                    Ok(())
                }
                _ => Err(Failed),
            }
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
                organization.before = None;
            }
            match organization.there && organization.is_there(*level) {
                true => {
                    let said = organization.rights_mut(*level).users.entry(*user).or_default();
                    said.member = role.or(said.member).or(Some(Role::Editor));
                    Ok(())
                }
                false => Err(Failed),
            }
        }
        Call::UpdateUser(org, level, user) => {
            match after.org(*org).rights(*level).users.get(user) {
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
                    after.imply(*org);
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
            if after.org(*org).implied == Implied::No {
                after.org_mut(*org).implied = Implied::Maybe;
            }
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
            thread.assignee = Some(*to);
            thread.seen.insert(*from, tick);
            let people: BTreeSet<User> =
                crate::notices::involved(thread).into_iter().chain(people).collect();
            after.org_mut(at.0).named.extend(people);
            Ok(())
        }
        Call::DeleteThread(at, no) => match after.doc_mut(*at).threads.remove(no) {
            Some(_) => Ok(()),
            None => return vec![(after.clone(), Ok(())), (after, Err(Failed))],
        },
        Call::Presence(at, user) => {
            after.imply(at.0);
            let until = after.now + PRESENCE;
            after.doc_mut(*at).present.insert(*user, until);
            Ok(())
        }
        Call::Live(at, mark, merge) => {
            after.imply(at.0);
            let live = &mut after.doc_mut(*at).live;
            if !merge {
                *live = Default::default();
            }
            live.add(*mark);
            Ok(())
        }
        Call::Append(at, mark) => {
            after.imply(at.0);
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
            after.imply(at.0);
            let organization = after.org_mut(at.0);
            organization.activities.insert(*mark);
            organization.named.extend([*from, *named]);
            Ok(())
        }
        Call::Preference(org, doc, user, inbox, mail) => {
            let (is_there, implied) = (after.org(*org).there, after.org(*org).implied);
            if !is_there && implied == Implied::No {
                return one(after, Err(Failed));
            }
            let unsaid = one(world.clone(), Err(Failed));
            if after.is(Mutant::OneMemoryForChannels) {
                after.misremember(*org, *user);
            }
            let stored = after.org_mut(*org).preferences.entry((*user, *doc)).or_default();
            for (stored, sent) in stored.iter_mut().zip([inbox, mail]) {
                *stored = sent.or(*stored);
            }
            let mut outcomes = one(after, Ok(()));
            if !is_there {
                outcomes.extend(unsaid);
            }
            return outcomes;
        }
        Call::Seen(at, no, user) => {
            if let Some(thread) = after.doc_mut(*at).threads.get_mut(no) {
                thread.seen.insert(*user, tick);
            }
            Ok(())
        }
        Call::Erase(user) => {
            after.erase(*user);
            Ok(())
        }
        _ => Ok(()),
    };
    one(after, verdict)
}

fn delete_organization(mut world: World, org: Org) -> Outcomes {
    let old = world.org(org).clone();
    let unchanged = world.clone();
    let tick = world.tick;
    let before = Organization { before: None, ..old.clone() };
    *world.org_mut(org) =
        Organization { since: tick, before: Some(Box::new(before)), ..Organization::default() };
    world.events.retain(|event| event.at.0 != org);
    match (old.there, old.implied) {
        (true, _) => one(world, Ok(())),
        (false, Implied::No) => one(unchanged, Err(NotFound)),
        (false, _) => vec![(world, Ok(())), (unchanged, Err(NotFound))],
    }
}

fn add_folder(
    organization: &mut Organization,
    folder: Folder,
    parent: Option<Folder>,
    access: Option<crate::Access>,
) -> Verdict {
    let is_whole = |parent: Folder| organization.is_there(Level::Folder(parent));
    if !organization.there {
        return Err(NotFound);
    }
    if organization.is_there(Level::Folder(folder)) {
        return Err(Conflict);
    }
    if !parent.is_none_or(is_whole) {
        return Err(NotFound);
    }
    organization.forget_below(folder);
    organization.folder_mut(folder).row = Some(FolderRow { parent, access });
    Ok(())
}

/// Adds or moves a document.
fn place_document(world: &mut World, at: At, folder: Option<Folder>, add: bool) -> Verdict {
    let asks_nearest = world.is(Mutant::PlacingAsksNearest);
    let organization = world.org_mut(at.0);
    let is_whole = |folder: Folder| {
        let slot = organization.folder(folder);
        slot.row.is_some() || asks_nearest && slot.faded.is_some()
    };
    let can_place = folder.is_none_or(is_whole);
    if add && !organization.there {
        return Err(NotFound);
    }
    let slot = organization.doc_mut(at.1);
    match &mut slot.row {
        Some(_) if add => return Err(Conflict),
        None if !add => return Err(NotFound),
        _ if !can_place => return Err(NotFound),
        Some(row) => row.folder = folder,
        None => {
            slot.row = Some(DocumentRow { folder, ..DocumentRow::default() });
            slot.faded = None;
        }
    }
    Ok(())
}

fn change(world: &mut World, at: At, change: impl FnOnce(&mut DocumentRow)) -> Verdict {
    match &mut world.doc_mut(at).row {
        Some(row) => {
            change(row);
            Ok(())
        }
        None => Err(NotFound),
    }
}

fn remove_user(mut world: World, org: Org, level: Level, user: User) -> Outcomes {
    let said = world.org(org).rights(level).users.get(&user);
    let is_member = said.is_some_and(|said| said.member.is_some());
    let verdict = if is_member { Ok(()) } else { Err(Failed) };
    let unchanged = world.clone();
    let known = world.org(org).there || world.org(org).implied != Implied::No;
    if level == Level::Organization {
        if !is_member && world.is(Mutant::OnlyMembersDepart) {
            return one(unchanged, verdict);
        }
        world.depart(org, user);
        let mut outcomes = one(world, verdict);
        if !known {
            outcomes.push((unchanged, verdict));
        }
        return outcomes;
    }
    let tick = world.tick;
    end(world.org_mut(org).rights_mut(level), user, tick);
    let mut outcomes = one(world, verdict);
    if !is_member {
        // The contract says nothing of a user who is not at the level.
        outcomes.push((unchanged, verdict));
    }
    outcomes
}

fn issue(
    mut world: World,
    tok: crate::Tok,
    user: User,
    resources: &[(Org, Level, Role)],
) -> Outcomes {
    let is_disabled = |(org, level, _): &(Org, Level, Role)| {
        let organization = world.org(*org);
        let row = match level {
            Level::Document(doc) => organization.doc(*doc).row.unwrap_or_default(),
            _ => DocumentRow::default(),
        };
        organization.disabled || row.disabled
    };
    let may_be = |(org, level, _): &(Org, Level, Role)| {
        let organization = world.org(*org);
        let faded = match level {
            Level::Document(doc) => organization.doc(*doc).faded.as_ref(),
            _ => None,
        };
        organization.before.is_some()
            || faded.is_some_and(|faded| faded.row.is_some_and(|row| row.disabled))
    };
    let is_refused = resources.iter().any(is_disabled);
    let maybe_refused = resources.iter().any(may_be);
    let unchanged = world.clone();
    let rights = resources.iter().map(|(org, level, role)| ((*org, *level), *role)).collect();
    let token = Token { user, issued: world.tick, at: world.now, rights };
    world.tokens[usize::from(tok.0 % 3)] = Some(token);
    match (is_refused, maybe_refused) {
        (true, _) => one(unchanged, Err(Denied)),
        (false, false) => one(world, Ok(())),
        (false, true) => vec![(world, Ok(())), (unchanged, Err(Denied))],
    }
}

fn add_thread(
    world: &mut World,
    at: At,
    no: ThreadNo,
    visibility: Visibility,
    by: &By,
    from: User,
    actor: Actor,
) -> Verdict {
    let serial = world.tick;
    let slot = world.doc_mut(at);
    if slot.row.is_none() {
        return Err(Failed);
    }
    if slot.threads.contains_key(&no) {
        return Err(Failed);
    }
    let thread = Thread {
        serial,
        author: Some(from),
        visibility: Some(visibility),
        comments: Vec::new(),
        assignee: None,
        vouched: BTreeSet::new(),
        mentioned: BTreeSet::new(),
        acted: Default::default(),
        seen: Default::default(),
        erased: false,
    };
    slot.threads.insert(no, thread);
    comment(world, at, no, by, from, actor)
}

fn comment(world: &mut World, at: At, no: ThreadNo, by: &By, from: User, actor: Actor) -> Verdict {
    let tick = world.tick;
    let group = world.org(at.0).group.clone().unwrap_or_default();
    let Some(thread) = world.doc_mut(at).threads.get_mut(&no) else { return Err(NotFound) };
    thread.comments.push(Comment { mark: by.mark, author: from, long: by.long });
    thread.acted.insert(from, tick);
    thread.seen.insert(from, tick);
    let mentioned: Vec<User> = match by.mention {
        Some(Holder::User(user)) => vec![user],
        Some(Holder::Group) => group.into_iter().collect(),
        None => vec![],
    };
    thread.mentioned.extend(&mentioned);
    if actor == Actor::Server {
        thread.vouched.extend(&mentioned);
    }
    if by.activity {
        let people: Vec<User> =
            crate::notices::involved(thread).into_iter().chain([from]).collect();
        world.org_mut(at.0).named.extend(people);
    }
    if by.notify {
        world.happened(at, no, by, from, actor);
    }
    Ok(())
}

fn react(mut world: World, at: At, no: ThreadNo, from: User) -> Outcomes {
    let tick = world.tick;
    let unchanged = world.clone();
    let Some(thread) = world.doc_mut(at).threads.get_mut(&no) else {
        return one(world, Err(NotFound));
    };
    let (is_empty, is_erased) = (thread.comments.is_empty(), thread.erased);
    thread.acted.insert(from, tick);
    thread.seen.insert(from, tick);
    match (is_empty, is_erased) {
        (true, _) => one(unchanged, Err(NotFound)),
        (false, false) => one(world, Ok(())),
        (false, true) => vec![(world, Ok(())), (unchanged, Err(NotFound))],
    }
}

/// What an end user is answered: the same of each world, whatever clean-up has done.
fn by_user(world: &World, asked: &Asked, token: &Token) -> Outcomes {
    let mut world = world.clone();
    let user = token.user;
    let need = match &asked.call {
        Call::Presence(..) | Call::Seen(..) => Role::Viewer,
        Call::Thread(..) | Call::Comment(..) | Call::React(..) => Role::Commenter,
        _ => Role::Editor,
    };
    let at = match &asked.call {
        Call::Thread(at, ..)
        | Call::Comment(at, ..)
        | Call::React(at, ..)
        | Call::Presence(at, _)
        | Call::Live(at, ..)
        | Call::Append(at, _)
        | Call::Seen(at, ..) => *at,
        Call::Preference(org, doc, _, inbox, mail) => {
            let level = doc.map_or(Level::Organization, Level::Document);
            let set = strict(&world, &Call::Preference(*org, *doc, user, *inbox, *mail));
            return match world.decide(*org, level, user, Some(token)) {
                Decision::Open(_) => set,
                _ => vec![(world.clone(), Err(NotFound)), (world, Err(Denied))],
            };
        }
        _ => return one(world, Ok(())),
    };
    if let Err(refusal) = world.allows(at, user, Some(token), need) {
        return one(world, Err(refusal));
    }
    let visible = |world: &World, no: &ThreadNo| {
        let thread = world.doc(at).threads.get(no);
        thread.is_some_and(|thread| world.sees(thread, user, Some(token)))
    };
    let verdict = match &asked.call {
        Call::Thread(_, no, visibility, by) => {
            add_thread(&mut world, at, *no, *visibility, by, user, asked.by)
        }
        Call::Comment(_, no, _) | Call::React(_, no, _) | Call::Seen(_, no, _)
            if !visible(&world, no) =>
        {
            Err(NotFound)
        }
        Call::Comment(_, no, by) => comment(&mut world, at, *no, by, user, asked.by),
        Call::React(_, no, _) => return react(world, at, *no, user),
        Call::Seen(_, no, _) => return strict(&world, &Call::Seen(at, *no, user)),
        Call::Presence(..) => return strict(&world, &Call::Presence(at, user)),
        other => return strict(&world, other),
    };
    one(world, verdict)
}

impl World {
    /// Whether the decision allows a call that needs a role.
    pub(crate) fn allows(&self, at: At, user: User, token: Option<&Token>, need: Role) -> Verdict {
        match self.decide(at.0, Level::Document(at.1), user, token) {
            Decision::Absent | Decision::Closed(_) | Decision::LockedOut(false) => Err(NotFound),
            Decision::LockedOut(true) => Err(Denied),
            Decision::Open(open) if open.role < need => Err(Denied),
            Decision::Open(_) => Ok(()),
        }
    }
}
