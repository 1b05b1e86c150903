//! The visitor that erases a user.

use super::visit::{Fate, Part, People};
use crate::UserId;

/// Erases one user.
pub(super) struct Forget<'a> {
    user: &'a UserId,
    mention: String,
    has_changed: bool,
}

impl<'a> Forget<'a> {
    pub(super) fn new(user: &'a UserId) -> Self {
        Self { user, mention: format!("{{{{{user}}}}}"), has_changed: false }
    }
}

impl People for Forget<'_> {
    fn named(&mut self, _: Part, user: &str) -> Fate<'_> {
        if user != self.user.as_str() {
            return Fate::Stays;
        }
        self.has_changed = true;
        Fate::Leaves
    }

    fn text(&mut self, text: &mut String) {
        if text.contains(&self.mention) {
            *text = text.replace(&self.mention, &format!("{{{{{}}}}}", UserId::deleted()));
            self.has_changed = true;
        }
    }

    fn has_changed(&self) -> bool {
        self.has_changed
    }
}
