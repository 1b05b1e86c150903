//! Preferences of users.

use crate::{
    Doc, Org, User, Want,
    facts::{Preference, Tick, World},
};

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
