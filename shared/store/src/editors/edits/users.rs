//! The users whom the history of an editor names, by number.
//!
//! Numbers are given once and stay: entries and authors have them in their bytes. The erasure of a
//! user leaves the number without a user.

use std::collections::BTreeSet;

use aws::{Item, Value};
use model::UserId;

pub(in crate::editors) const USERS: &str = "users";

/// Users by number, from 1. Number 0 is nobody, as are users who were erased.
#[derive(Clone, Debug, Default)]
pub struct HistoryUsers(Vec<Option<UserId>>);

impl HistoryUsers {
    pub(in crate::editors) fn read(row: &Item) -> Self {
        let users = match row.get(USERS) {
            Some(Value::L(users)) => users.as_slice(),
            _ => &[],
        };
        let user = |user: &Value| user.as_s().ok().cloned()?.try_into().ok();
        Self(users.iter().map(user).collect())
    }

    /// The user with a number.
    pub fn get(&self, number: u64) -> Option<&UserId> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        self.0.get(at)?.as_ref()
    }

    /// The number of a user; 0 without one.
    pub fn number(&self, user: Option<&UserId>) -> u64 {
        let Some(user) = user else { return 0 };
        let at = self.0.iter().position(|known| known.as_ref() == Some(user));
        at.map_or(0, |at| at as u64 + 1)
    }

    /// As a row has them.
    pub(in crate::editors) fn written(&self) -> Value {
        let named = |user: &Option<UserId>| {
            Value::S(user.as_ref().map_or_else(String::new, |user| user.as_str().to_owned()))
        };
        Value::L(self.0.iter().map(named).collect())
    }

    /// Gives numbers to users who have none, as far as there is room; returns whether some got one.
    pub(in crate::editors) fn give<'a>(
        &mut self,
        users: impl IntoIterator<Item = &'a UserId>,
        most: usize,
    ) -> bool {
        let before = self.0.len();
        let new: BTreeSet<&UserId> =
            users.into_iter().filter(|user| self.number(Some(user)) == 0).collect();
        self.0.extend(new.into_iter().take(most.saturating_sub(before)).cloned().map(Some));
        self.0.len() > before
    }
}

#[cfg(test)]
mod tests {
    use model::UserId;

    use super::HistoryUsers;

    fn user(id: &str) -> UserId {
        id.to_owned().try_into().unwrap()
    }

    #[test]
    fn numbers_stay_and_end_with_the_room() {
        let (ada, bob, eve) = (user("ada"), user("bob"), user("eve"));
        let mut users = HistoryUsers::default();
        assert!(users.give([&bob], 2) && users.give([&ada, &bob, &eve], 2));
        assert!(!users.give([&ada, &bob, &eve], 2), "there is no room");
        let of = |users: &HistoryUsers| [&ada, &bob, &eve].map(|user| users.number(Some(user)));
        assert_eq!((of(&users), users.number(None)), ([2, 1, 0], 0));
        assert_eq!(
            (users.get(1), users.get(2), users.get(0), users.get(3)),
            (Some(&bob), Some(&ada), None, None)
        );
        users.0[0] = None;
        assert_eq!((of(&users), users.get(1)), ([2, 0, 0], None), "an erased one");
        assert!(
            users.give([&bob], 3) && users.number(Some(&bob)) == 3,
            "who writes again is another"
        );
    }
}
