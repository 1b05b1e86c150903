//! The reactions to the comments of a thread.

use super::{Icon, Reaction, Reactor, Refusal, Thread};
use crate::{AnnotationId, Millis, user::Person};

/// The reaction that a user chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reacted {
    /// Id of the reaction.
    pub id: AnnotationId,
    /// Whether the user had not chosen it before.
    pub is_new: bool,
}

impl Thread {
    /// Adds a reaction of a user to a comment; the first reaction with its icon gets `new_id`.
    ///
    /// # Errors
    /// When the comment does not exist, or an id is missing.
    pub fn react(
        &mut self,
        comment_id: u64,
        icon: Icon,
        from: Person,
        new_id: Option<AnnotationId>,
        now: Millis,
    ) -> Result<Reacted, Refusal> {
        let comment = self.comments.iter_mut().find(|comment| comment.comment_id == comment_id);
        let comment = comment.ok_or("There is no such comment.")?;
        let reactor = Reactor { from, last_updated: now };
        let id = match comment.reactions.iter_mut().find(|reaction| reaction.icon == icon) {
            Some(there) => {
                let is_same = |other: &Reactor| other.from.user_id == reactor.from.user_id;
                if there.from_users.iter().any(is_same) {
                    return Ok(Reacted { id: there.annotation_id.clone(), is_new: false });
                }
                there.from_users.push(reactor);
                there.annotation_id.clone()
            }
            None => {
                let fallback = || AnnotationId::try_from(format!("{comment_id}-{icon}")).ok();
                let id = new_id.or_else(fallback).ok_or("The reaction has no id.")?;
                let from_users = vec![reactor];
                comment.reactions.push(Reaction { annotation_id: id.clone(), icon, from_users });
                id
            }
        };
        self.last_updated = now;
        Ok(Reacted { id, is_new: true })
    }

    /// Removes a reaction of a user; returns its id, if it existed.
    pub fn remove_reaction(
        &mut self,
        comment_id: u64,
        icon: &Icon,
        from: &Person,
        now: Millis,
    ) -> Option<AnnotationId> {
        let comment = self.comments.iter_mut().find(|comment| comment.comment_id == comment_id)?;
        let at = comment.reactions.iter().position(|reaction| reaction.icon == *icon)?;
        let reaction = &mut comment.reactions[at];
        let of = reaction.from_users.iter().position(|by| by.from.user_id == from.user_id)?;
        reaction.from_users.remove(of);
        let id = reaction.annotation_id.clone();
        if reaction.from_users.is_empty() {
            comment.reactions.remove(at);
        }
        self.last_updated = now;
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::thread::tests::{person, thread};

    #[test]
    fn one_reaction_for_each_icon_and_comment() {
        let mut thread = thread(json!([{ "commentId": 1, "from": { "userId": "ada" } }]));
        let icon = |name: &str| crate::Text::try_from(name.to_owned()).unwrap();
        let id = |name: &str| Some(name.to_owned().try_into().unwrap());
        let mut react = |name: &str, user: &str, new: &str| {
            let reacted = thread.react(1, icon(name), person(user), id(new), 5).unwrap();
            (reacted.id.to_string(), reacted.is_new)
        };
        assert_eq!(react("HEART", "ada", "r1"), ("r1".to_owned(), true));
        assert_eq!(react("HEART", "bob", "r2"), ("r1".to_owned(), true));
        assert_eq!(react("HEART", "bob", "r3"), ("r1".to_owned(), false));
        assert_eq!(react("SMILE", "bob", "r4"), ("r4".to_owned(), true));
        assert!(thread.react(2, icon("HEART"), person("ada"), id("r5"), 5).is_err());

        let mut take = |name: &str, user: &str| {
            thread.remove_reaction(1, &icon(name), &person(user), 6).map(|id| id.to_string())
        };
        assert_eq!(take("HEART", "ada").as_deref(), Some("r1"));
        assert_eq!(take("HEART", "ada"), None);
        assert_eq!(take("HEART", "bob").as_deref(), Some("r1"));
        assert_eq!(take("NONE", "bob"), None);
        assert_eq!(thread.comments[0].reactions.len(), 1);
    }
}
