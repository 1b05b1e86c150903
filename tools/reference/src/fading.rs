//! Data of a deleted folder or organization that the tenant's server may still reach.

use crate::{
    Call, Doc, Holder, Level, Org, Refusal, User,
    calls::strict,
    facts::{Between, Document, FolderSlot, Outcomes, Rights, World},
    people::end,
};

/// The answers to the tenant's server, which may see data before or after its clean-up.
pub(crate) fn by_server(world: &World, call: &Call) -> Outcomes {
    let mut outcomes = shown(world, call);
    outcomes.extend(world.preferring_faded(call));
    outcomes.extend(world.adding_faded(call));
    outcomes.extend(world.deleting_hidden(call).map(|after| (after, Ok(()))));
    outcomes
}

fn shown(world: &World, call: &Call) -> Outcomes {
    let (org, place) = place(call);
    let has_before = org.is_some_and(|org| world.org(org).before.is_some());
    if has_before && changes_old(call) {
        let mut outcomes = strict(world, call);
        let mut after = world.begun(call);
        let begun = match call {
            Call::DeleteDocument(at) => Some((at.0, Level::Document(at.1))),
            Call::DeleteFolder(org, folder) => Some((*org, Level::Folder(*folder))),
            _ => None,
        };
        if let (Call::Thread(..) | Call::Comment(..) | Call::Assign(..), Some(org)) = (call, org) {
            // An activity needs nothing, and stays with the users whom it names.
            after.org_mut(org).named.extend(User::ALL);
        }
        if let Some((org, level)) = begun {
            after.org_mut(org).begin(level, world.tick);
        }
        // A token names the level, whatever became of it.
        if let Call::RemoveUser(org, level, user) = call {
            end(after.org_mut(*org).rights_mut(*level), *user, world.tick);
        }
        // Nothing is placed in an organization that is gone.
        if !matches!(call, Call::AddFolder(..) | Call::AddDocument(..)) {
            outcomes.push((after, Ok(())));
        }
        outcomes.push((world.begun(call), Err(Refusal::Failed)));
        return outcomes;
    }
    let (Some(org), Some(level)) = (org, place) else { return strict(world, call) };
    if !matches!(call, Call::AddFolder(..) | Call::AddDocument(..))
        && let Some(found) = world.finding_lost(org, level)
    {
        let mut outcomes = shown(&found, call);
        outcomes.iter_mut().for_each(|(after, _)| after.lose(org, level));
        return outcomes;
    }
    let mut seen = world.clone();
    let Some(old) = seen.take_faded(org, level) else { return strict(world, call) };
    // The answer NOT_FOUND tells nothing of the clean-up: a list may hide what is there.
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
        if let Call::RemoveUser(_, _, user) = call
            && verdict.is_ok()
        {
            let tick = after.tick;
            end(after.org_mut(org).rights_mut(level), *user, tick);
        }
        outcomes.push((after, verdict));
    }
    outcomes
}

/// Either kind of a container that fades.
#[derive(Clone)]
enum Slot {
    Folder(FolderSlot),
    Document(Box<Document>),
}

impl World {
    /// The world after the deletion of something that only an earlier life of the organization has: it
    /// does what the clean-up would.
    fn deleting_hidden(&self, call: &Call) -> Option<Self> {
        let (org, level) = match call {
            Call::DeleteDocument(at) => (at.0, Some(Level::Document(at.1))),
            Call::DeleteFolder(org, folder) => (*org, Some(Level::Folder(*folder))),
            Call::DeleteGroup(org) => (*org, None),
            _ => return None,
        };
        let organization = self.org(org);
        let is_there = match level {
            Some(level) => organization.is_there(level),
            None => organization.group.is_some(),
        };
        if is_there || organization.hidden.is_none() {
            return None;
        }
        let mut after = self.begun(call);
        if let Some(level) = level {
            after.org_mut(org).begin(level, self.tick);
        }
        Some(after)
    }

    /// The outcomes of a preference for a document that the tenant's server may still find in a
    /// deleted folder: what adds to the one there, or says the same, goes with it.
    fn preferring_faded(&self, call: &Call) -> Outcomes {
        let Call::Preference(org, Some(doc), user, inbox, mail) = call else { return vec![] };
        let (slot, sent) = (self.org(*org).doc(*doc), [*inbox, *mail]);
        let stays = |old: &Document| {
            old.preferences.get(user).is_some_and(|preference| !preference.is_replaced(sent))
        };
        let mut old = [&slot.faded, &slot.lost].into_iter().flatten();
        if slot.preferences.contains_key(user) || !old.any(|old| stays(old)) {
            return vec![];
        }
        let (tick, mut outcomes) = (self.tick, strict(self, call));
        for (after, _) in &mut outcomes {
            let slot = after.org_mut(*org).doc_mut(*doc);
            if slot.preferences.remove(user).is_none() {
                continue;
            }
            for old in [&mut slot.faded, &mut slot.lost].into_iter().flatten() {
                old.preferences.entry(*user).and_modify(|preference| preference.say(sent, tick));
            }
        }
        outcomes
    }

    /// The outcomes of a call that adds to live state or to an editor which the tenant's server still
    /// finds in a deleted folder: what is added goes with it.
    fn adding_faded(&self, call: &Call) -> Outcomes {
        let (at, mark, of): (_, _, fn(&mut Document) -> &mut Between) = match call {
            Call::Append(at, mark) => (*at, *mark, |slot| &mut slot.editor),
            Call::Live(at, mark, true) => (*at, *mark, |slot| &mut slot.live),
            _ => return vec![],
        };
        let mut slot = self.doc(at).clone();
        let mut old = [slot.faded.take(), slot.lost.take()].into_iter().flatten();
        let is_empty = |slot: &mut Document| of(slot).may.is_empty();
        if !is_empty(&mut slot) || old.all(|mut old| is_empty(&mut old)) {
            return vec![];
        }
        let mut outcomes = strict(self, call);
        for (after, _) in &mut outcomes {
            let slot = after.doc_mut(at);
            *of(slot) = Between::default();
            for old in [&mut slot.faded, &mut slot.lost].into_iter().flatten() {
                of(old).add(mark);
            }
        }
        outcomes
    }

    /// The world in which a call reaches what was in a folder that was added again since.
    fn finding_lost(&self, org: Org, level: Level) -> Option<Self> {
        let mut world = self.clone();
        let organization = world.org_mut(org);
        let is_found = match level {
            Level::Organization => false,
            Level::Folder(f) => {
                let slot = organization.folder_mut(f);
                let is_lost = slot.faded.is_none() && slot.lost.is_some();
                if is_lost {
                    slot.faded = slot.lost.take();
                }
                is_lost
            }
            Level::Document(d) => {
                let slot = organization.doc_mut(d);
                let is_lost = slot.faded.is_none() && slot.lost.is_some();
                if is_lost {
                    slot.faded = slot.lost.take();
                }
                is_lost
            }
        };
        is_found.then_some(world)
    }

    /// Nobody finds it again.
    fn lose(&mut self, org: Org, level: Level) {
        let organization = self.org_mut(org);
        match level {
            Level::Organization => {}
            Level::Folder(f) => {
                let slot = organization.folder_mut(f);
                slot.lost = slot.faded.take();
            }
            Level::Document(d) => {
                let slot = organization.doc_mut(d);
                slot.lost = slot.faded.take();
            }
        }
    }

    fn take_faded(&mut self, org: Org, level: Level) -> Option<Slot> {
        let organization = self.org_mut(org);
        match level {
            Level::Organization => None,
            Level::Folder(f) => organization.folder_mut(f).faded.take().map(|s| Slot::Folder(*s)),
            Level::Document(d) => organization.doc_mut(d).faded.take().map(Slot::Document),
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
                Slot::Document(Box::new(std::mem::replace(organization.doc_mut(d), *old)))
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
                let old = std::mem::replace(organization.doc_mut(d), *new);
                organization.doc_mut(d).faded = Some(Box::new(old));
            }
            _ => {}
        }
    }

    /// The object was moved out in time: it has its former content and rights, and those given
    /// since.
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
                slot.preferences.extend(new.preferences);
                for (old, new) in [(&mut slot.live, new.live), (&mut slot.editor, new.editor)] {
                    if !new.may.is_empty() {
                        old.must = new.must;
                        old.may.extend(new.may);
                    }
                }
            }
            (Level::Folder(folder), _) => {
                // The content of the folder is whole again, too.
                for doc in [Doc(0), Doc(1), Doc(2)] {
                    let slot = self.org_mut(org).doc_mut(doc);
                    let lies_in = |old: &Option<Box<Document>>| {
                        old.as_ref().and_then(|old| old.row?.folder) == Some(folder)
                    };
                    if slot.faded.is_none() && lies_in(&slot.lost) {
                        slot.faded = slot.lost.take();
                    }
                    if !lies_in(&slot.faded) {
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

impl Rights {
    /// Adds the rights and ends that came later.
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
pub(crate) fn place(call: &Call) -> (Option<Org>, Option<Level>) {
    let document = |at: &crate::At| (Some(at.0), Some(Level::Document(at.1)));
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
        | Call::RemoveUser(org, level, _)
        | Call::Grant(org, level, Holder::Group, ..) => (Some(*org), Some(*level)),
        Call::DisableOrganization(org, _)
        | Call::DeleteGroup(org)
        | Call::JoinGroup(org, _)
        | Call::LeaveGroup(org, _)
        | Call::Preference(org, ..) => (Some(*org), None),
        _ => (None, None),
    }
}

impl Call {
    /// The organization that a change is made in.
    pub(crate) fn org(&self) -> Option<Org> {
        match self {
            Self::Presence(at, _) | Self::Live(at, ..) | Self::Append(at, _) => Some(at.0),
            Self::Activity(at, ..) | Self::Seen(at, ..) => Some(at.0),
            Self::Grant(org, ..) | Self::Revoke(org, ..) => Some(*org),
            call => place(call).0,
        }
    }
}

/// Whether the call may still reach what was in a deleted organization.
fn changes_old(call: &Call) -> bool {
    !matches!(
        call,
        Call::AddUser(_, Level::Organization, ..) | Call::RemoveUser(_, Level::Organization, _)
    )
}
