//! Preferences of people, and effects of an erasure on the data of a person, and the data in an export.

use std::collections::BTreeSet;

use crate::{
    Doc, Mark, Mutant, Org, User, Visibility, Want,
    facts::{Between, Document, Implied, Outcomes, Preference, Rights, Thread, Tick, World},
    notices::named_in,
};

/// Erases a user; a deleted organization may have been recorded again or not.
pub(crate) fn erase(world: World, user: User) -> Outcomes {
    let mut worlds = vec![world];
    for org in [Org(0), Org(1)] {
        let is_open =
            |world: &&World| !world.org(org).there && world.org(org).implied == Implied::Maybe;
        let unrecorded: Vec<World> = worlds.iter().filter(is_open).cloned().collect();
        worlds.extend(unrecorded.into_iter().map(|mut world| {
            world.org_mut(org).implied = Implied::No;
            world
        }));
    }
    worlds.iter_mut().for_each(|world| world.erase(user));
    worlds.into_iter().map(|world| (world, Ok(()))).collect()
}

impl World {
    /// A user leaves an organization: every right in it ends.
    pub(crate) fn depart(&mut self, org: Org, user: User) {
        let (tick, inside) = (self.tick, self.is(Mutant::InsideOutlivesDeparture));
        let organization = self.org_mut(org);
        for (n, rights) in organization.all_rights().into_iter().enumerate() {
            if n == 0 || !inside {
                let is_member = rights.users.get(&user).is_some_and(|said| said.member.is_some());
                if n > 0 && is_member {
                    rights.leaving.insert(user);
                }
                end(rights, user, tick);
            }
        }
        organization.left.insert(user, tick);
        if let Some(group) = &mut organization.group
            && group.remove(&user)
        {
            organization.leaving.insert(user);
        }
        organization.preferences.remove(&user);
        for slot in &mut organization.documents {
            for old in slot.faded.iter_mut().chain(&mut slot.lost) {
                old.preferences.remove(&user);
            }
            slot.preferences.remove(&user);
            if let Some(end) = slot.present.remove(&user) {
                slot.leaving.insert(user, end);
            }
            slot.threads.values_mut().for_each(|thread| {
                thread.seen.remove(&user);
            });
        }
        self.misremember(org, user, false);
    }

    /// Erases a user in the organizations that are there, or that a write recorded.
    fn erase(&mut self, user: User) {
        let keep = self.is(Mutant::ActivitiesAreNotForgotten);
        for org in [Org(0), Org(1)] {
            if !self.org(org).there && self.org(org).implied == Implied::No {
                continue;
            }
            self.depart(org, user);
            let organization = self.org_mut(org);
            if !keep {
                organization.named.remove(&user);
                let recorded = std::mem::take(&mut organization.recorded).into_iter();
                let recorded = recorded.filter(|(actor, _)| *actor != user);
                organization.recorded = recorded
                    .map(|(actor, named)| (actor, named.filter(|named| *named != user)))
                    .collect();
            }
            organization.leaving.remove(&user);
            for rights in organization.all_rights() {
                rights.leaving.remove(&user);
            }
            for slot in &mut organization.documents {
                forget(slot, user);
                let old = slot.faded.iter_mut().chain(&mut slot.lost);
                old.for_each(|old| forget(old, user));
            }
        }
        self.erased.insert(user);
        let now = self.now;
        for event in &mut self.events {
            for channel in crate::notices::CHANNELS {
                event.must[channel].remove(&user);
                // Notifications that were delivered to the user go as well, except for a mail that
                // was sent.
                if channel == crate::notices::INBOX || event.due > now {
                    event.could[channel].remove(&user);
                }
            }
        }
    }

    /// The texts that an export has to have, and may have.
    pub(crate) fn export(&self, org: Org, user: User) -> Between {
        let mut texts = Between::default();
        let organization = self.org(org);
        for slot in &organization.documents {
            for thread in slot.threads.values() {
                let own = |mark: &Mark| author_of(thread, *mark) == Some(user);
                let shown: Vec<Mark> = if self.is(Mutant::ExportWithoutArchive) {
                    shown(thread)
                } else {
                    thread.comments.iter().map(|comment| comment.mark).collect()
                };
                texts.must.extend(shown.iter().copied().filter(own));
                if named_in(thread).contains(&user) {
                    texts.may.extend(shown);
                }
            }
        }
        let gone = organization.gone().flat_map(|before| before.documents.iter());
        let slots = organization.documents.iter();
        let faded =
            slots.flat_map(|slot| slot.faded.as_deref().into_iter().chain(slot.lost.as_deref()));
        for thread in gone.chain(faded).flat_map(|slot| slot.threads.values()) {
            texts.may.extend(thread.comments.iter().map(|comment| comment.mark));
        }
        texts
    }
}

/// Ends all rights that are stored for a user at one level.
pub(crate) fn end(rights: &mut Rights, user: User, tick: u64) {
    let said = rights.users.entry(user).or_default();
    said.grant = None;
    said.member = None;
    said.ended = tick;
}

fn forget(slot: &mut Document, user: User) {
    slot.recordings.retain(|_, from| *from != user);
    slot.leaving.remove(&user);
    for thread in slot.threads.values_mut() {
        let before = thread.comments.len();
        thread.comments.retain(|comment| comment.author != user);
        thread.erased |= before != thread.comments.len();
        thread.mentioned.remove(&user);
        thread.vouched.remove(&user);
        thread.acted.remove(&user);
        thread.assignee = thread.assignee.filter(|assignee| *assignee != user);
        thread.updated_by = thread.updated_by.filter(|by| *by != user);
        thread.author = thread.author.filter(|author| *author != user);
        thread.visibility = thread.visibility.filter(|named| *named != Visibility::Only(user));
    }
    // A thread that was the user's alone.
    slot.threads.retain(|_, thread| !thread.erased || !thread.comments.is_empty());
}

fn author_of(thread: &Thread, mark: Mark) -> Option<User> {
    thread.comments.iter().find(|comment| comment.mark == mark).map(|comment| comment.author)
}

/// The comments that a list shows of a thread with an archive, for a model that is wrong.
fn shown(thread: &Thread) -> Vec<Mark> {
    let marks: Vec<Mark> = thread.comments.iter().map(|comment| comment.mark).collect();
    match marks.as_slice() {
        [first, .., last] if thread.comments.iter().any(|comment| comment.long) => {
            BTreeSet::from([*first, *last]).into_iter().collect()
        }
        _ => marks,
    }
}

impl World {
    /// A user says what is wanted; None leaves a channel as it is.
    pub(crate) fn prefer(
        &mut self,
        org: Org,
        doc: Option<Doc>,
        user: User,
        sent: [Option<Want>; 2],
    ) {
        let tick = self.tick;
        self.org_mut(org).preferences_mut(doc).entry(user).or_default().say(sent, tick);
    }
}

impl Preference {
    /// Says what is wanted at a moment; None leaves a channel as it is.
    pub(crate) fn say(&mut self, sent: [Option<Want>; 2], tick: Tick) {
        if self.said == 0 || self.is_replaced(sent) {
            self.said = tick;
        }
        for (stored, sent) in self.channels.iter_mut().zip(sent) {
            *stored = sent.or(*stored);
        }
    }

    /// Whether this leaves nothing of it, and changes something.
    pub(crate) fn is_replaced(&self, sent: [Option<Want>; 2]) -> bool {
        let mut channels = self.channels.iter().zip(&sent);
        channels.all(|(stored, sent)| stored.is_none() || sent.is_some()) && self.channels != sent
    }
}
