//! Users who are told of a comment: the rules N1 to N4, N7, N13 and N17.
//!
//! Nothing says when a worker comes by. So a user has to be told if every rule allowed it at every
//! moment since the event, and may be told if at some moment all did.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Actor, At, By, Holder, Mark, Mutant, Org, ThreadNo, User, Visibility, Want,
    decide::Decision,
    facts::{Event, Organization, Preferences, Thread, Token, World},
};

/// Inbox and mail.
pub(crate) const CHANNELS: [usize; 2] = [INBOX, 1];
pub(crate) const INBOX: usize = 0;

impl World {
    /// A comment was written, with `triggerNotification`.
    pub(crate) fn happened(&mut self, at: At, no: ThreadNo, by: &By, from: User, actor: Actor) {
        let organization = self.org(at.0);
        let thread = &self.doc(at).threads[&no];
        let in_group = organization.group.clone().unwrap_or_default();
        let by_group =
            if by.mention == Some(Holder::Group) { in_group.clone() } else { BTreeSet::new() };
        let mentioned: BTreeSet<User> = match by.mention {
            Some(Holder::User(user)) => BTreeSet::from([user]),
            Some(Holder::Group) => in_group,
            None => BTreeSet::new(),
        };
        let named = if actor == Actor::Server { mentioned.clone() } else { BTreeSet::new() };
        let involved: BTreeSet<User> = mentioned.union(&involved(thread)).copied().collect();
        let mut event = Event {
            at,
            thread: no,
            serial: thread.serial,
            mark: by.mark,
            actor: from,
            tick: self.tick,
            due: self.now + self.kind.delay(),
            named,
            by_group,
            involved,
            part: involved_unasked(thread),
            wanted: Default::default(),
            could: Default::default(),
            must: Default::default(),
        };
        for (channel, user) in pairs() {
            if user != from && self.wants(&event, user, channel) {
                event.wanted[channel].insert(user);
            }
        }
        for (channel, user) in pairs() {
            let is_owed = self.eligible(&event, user, channel);
            let is_somebody = !self.erased.contains(&user);
            if is_owed && is_somebody && (channel == 0 || self.has_address(at.0, user)) {
                event.must[channel].insert(user);
            }
        }
        self.events.push(event);
    }

    /// The mail address of a user is that of the membership of the organization.
    fn has_address(&self, org: Org, user: User) -> bool {
        self.org(org).rights.users.get(&user).is_some_and(|said| said.member.is_some())
    }

    /// Looks again at every event: something has changed.
    pub(crate) fn look(&mut self) {
        let mut events = std::mem::take(&mut self.events);
        for event in &mut events {
            for (channel, user) in pairs() {
                if self.eligible(event, user, channel) {
                    if self.now >= event.due {
                        event.could[channel].insert(user);
                    }
                } else {
                    event.must[channel].remove(&user);
                }
                let group = self.org(event.at.0).group.as_ref();
                // The members of a group are read when the event is told.
                let has_left = event.by_group.contains(&user)
                    && !group.is_some_and(|group| group.contains(&user));
                if has_left
                    || self.is_late(event, user)
                    || channel == 1 && !self.has_address(event.at.0, user)
                {
                    event.must[channel].remove(&user);
                }
            }
        }
        self.events = events;
    }

    /// Events take what a user wants now for what was wanted at their time: after a departure, and in a
    /// model that is wrong, before each change, as if that was `owed`.
    pub(crate) fn misremember(&mut self, org: Org, user: User, owed: bool) {
        let mut events = std::mem::take(&mut self.events);
        for event in events.iter_mut().filter(|event| event.at.0 == org) {
            for channel in CHANNELS {
                if user != event.actor && self.wants(event, user, channel) {
                    event.wanted[channel].insert(user);
                    if owed && self.eligible(event, user, channel) {
                        event.must[channel].insert(user);
                    }
                }
            }
        }
        self.events = events;
    }

    /// Whether a user has the event in the inbox now, if it was delivered. The thread may have been
    /// deleted and added again since, as an undo does.
    pub(crate) fn is_shown(&self, event: &Event, user: User, token: Option<&Token>) -> bool {
        let At(org, doc) = event.at;
        let slot = self.doc(event.at);
        event.tick > self.org(org).since(crate::Level::Document(doc))
            && slot.row.is_some()
            && slot.threads.get(&event.thread).is_some_and(|it| self.sees(it, user, token))
            && self.readable(event.at, user, token)
    }

    pub(crate) fn readable(&self, At(org, doc): At, user: User, token: Option<&Token>) -> bool {
        let decision = self.decide(org, crate::Level::Document(doc), user, token);
        matches!(decision, Decision::Open(_))
    }

    fn thread_of(&self, event: &Event) -> Option<&Thread> {
        let slot = self.doc(event.at);
        slot.row?;
        slot.threads.get(&event.thread).filter(|thread| thread.serial == event.serial)
    }

    /// N1, N4, N7 and N17, at this moment.
    fn eligible(&self, event: &Event, user: User, channel: usize) -> bool {
        let Some(thread) = self.thread_of(event) else { return false };
        let is_there = thread.comments.iter().any(|comment| comment.mark == event.mark);
        let is_seen =
            self.kind.delay() > 0 && thread.seen.get(&user).is_some_and(|seen| *seen > event.tick);
        is_there
            && !is_seen
            && event.wanted[channel].contains(&user)
            && self.wants(event, user, channel)
            && self.sees(thread, user, None)
            && self.reached(event, thread, user)
    }

    /// Whether the access of a user is of the kind that events reach.
    fn reached(&self, event: &Event, thread: &Thread, user: User) -> bool {
        if self.has_right(event.at, user) {
            return true;
        }
        match self.decide(event.at.0, crate::Level::Document(event.at.1), user, None) {
            Decision::Open(_) => {
                let is_named = event.named.contains(&user) || thread.vouched.contains(&user);
                let wrote = involved_unasked(thread).contains(&user);
                match self.ended(event.at, user) {
                    Some(_) if self.is(Mutant::InvolvementReachesDeparted) => is_named || wrote,
                    Some(is_after) => {
                        let (tick, time) = (event.tick, event.due - self.kind.delay());
                        let acted = thread.acted.get(&user);
                        event.named.contains(&user) && is_after(tick, time)
                            || acted.is_some_and(|(tick, time)| is_after(*tick, *time))
                    }
                    None => is_named || wrote,
                }
            }
            _ => false,
        }
    }

    /// Whether more opens the document to a user than that it is public.
    fn has_right(&self, At(org, doc): At, user: User) -> bool {
        let level = crate::Level::Document(doc);
        let said = self.org(org).rights(level).users.get(&user);
        self.is(Mutant::ExpiredGrantsAreTold) && said.is_some_and(|said| said.granted > 0)
            || matches!(self.decide(org, level, user, None), Decision::Open(open) if !open.by_public)
    }

    /// Whether the event reaches a user only for what the user has done in the thread since: a worker
    /// that comes now finds no recipient of the event in that.
    fn is_late(&self, event: &Event, user: User) -> bool {
        !self.has_right(event.at, user)
            && !event.named.contains(&user)
            && !event.part.contains(&user)
    }

    /// The effective preference now.
    fn wants(&self, event: &Event, user: User, channel: usize) -> bool {
        match self.org(event.at.0).wanted(Some(&self.doc(event.at).preferences), user)[channel] {
            Want::All => true,
            Want::Mine => event.involved.contains(&user),
            Want::None => false,
        }
    }
}

impl Organization {
    /// The wishes of a user for each channel, with these preferences for the document, if any.
    pub(crate) fn wanted(&self, own: Option<&Preferences>, user: User) -> [Want; 2] {
        let of = |said: Option<&Preferences>| said.and_then(|said| said.get(&user)).copied();
        let own = of(own).unwrap_or_default().channels;
        let general = of(Some(&self.preferences)).unwrap_or_default().channels;
        let default = [Want::All, Want::Mine];
        CHANNELS.map(|channel| own[channel].or(general[channel]).unwrap_or(default[channel]))
    }
}

fn pairs() -> impl Iterator<Item = (usize, User)> {
    CHANNELS.into_iter().flat_map(|channel| User::ALL.map(|user| (channel, user)))
}

/// N3: author, authors of comments, mentioned users, and the assignee.
pub(crate) fn involved(thread: &Thread) -> BTreeSet<User> {
    let mut users = involved_unasked(thread);
    users.extend(&thread.mentioned);
    users
}

/// Everybody whom a snapshot of a thread names.
pub(crate) fn named_in(thread: &Thread) -> BTreeSet<User> {
    let mut users = involved(thread);
    users.extend(thread.acted.keys());
    users.extend(thread.updated_by);
    if let Some(Visibility::Only(user)) = thread.visibility {
        users.insert(user);
    }
    users
}

/// Users who are part of the thread without a mention by an end user.
fn involved_unasked(thread: &Thread) -> BTreeSet<User> {
    let mut users: BTreeSet<User> = thread.comments.iter().map(|comment| comment.author).collect();
    users.extend(thread.author);
    users.extend(thread.assignee);
    users.extend(&thread.vouched);
    users
}

/// Counts what is told twice.
pub(crate) fn times(told: &[Mark]) -> BTreeMap<Mark, usize> {
    let mut times = BTreeMap::new();
    for mark in told {
        *times.entry(*mark).or_default() += 1;
    }
    times
}
