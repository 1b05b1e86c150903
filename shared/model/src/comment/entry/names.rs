//! People named by a comment.

use std::collections::BTreeSet;

use super::{Attachment, Comment, Contact, Reaction, Reactor};
use crate::{
    UserId,
    people::{self, Fate, Names, Part, People, Rest},
    user::Person,
};

impl Names for Comment {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self {
            comment_id: _,
            position: _,
            from,
            created_at: _,
            added_at: _,
            last_updated: _,
            comment_text,
            comment_html,
            context,
            tagged_user_contacts,
            attachments,
            reactions,
            is_comment_resolver_used: _,
            is_comment_text_available: _,
            agent,
            edited_at: _,
        } = self;
        if walk.named(Part::Commenter, from.user_id.as_str()) == Fate::Leaves {
            return Rest::Gone;
        }
        people::person(walk, Part::Commenter, from);
        comment_text.iter_mut().chain(comment_html).for_each(|text| walk.text(text));
        people::inside(walk, context);
        people::inside(walk, agent);
        contacts(walk, tagged_user_contacts);
        attachments.iter_mut().for_each(|attachment| people::inside(walk, attachment));
        reactions.retain_mut(|reaction| reaction.people(walk) == Rest::Stays);
        Rest::Stays
    }
}

/// A mention becomes one of a deleted user, and one of the user who takes the place.
fn contacts(walk: &mut dyn People, contacts: &mut Vec<Contact>) {
    let mut has_changed = false;
    for contact in &mut *contacts {
        let to = match walk.named(Part::Mentioned, contact.user_id.as_str()) {
            Fate::Stays => None,
            Fate::Leaves => Some(Person::deleted()),
            Fate::Becomes(person) => Some(person.clone()),
        };
        match to {
            None => people::optional(walk, Part::Beside, &mut contact.contact),
            Some(to) => {
                *contact = Contact { user_id: to.user_id.clone(), contact: Some(to) };
                has_changed = true;
            }
        }
    }
    if has_changed {
        let mut seen: BTreeSet<UserId> = BTreeSet::new();
        contacts.retain(|contact| seen.insert(contact.user_id.clone()));
    }
}

impl Names for Attachment {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self {
            attachment_id: _,
            name: _,
            bucket_path: _,
            size: _,
            kind: _,
            url: _,
            thumbnail: _,
            mime_type: _,
            metadata,
        } = self;
        metadata.iter_mut().for_each(|custom| people::members(walk, custom));
        Rest::Stays
    }
}

impl Names for Reaction {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self { annotation_id: _, icon: _, from_users } = self;
        from_users.retain_mut(|Reactor { from, last_updated: _ }| {
            let leaves = walk.named(Part::Reactor, from.user_id.as_str()) == Fate::Leaves;
            if !leaves {
                people::person(walk, Part::Reactor, from);
            }
            !leaves
        });
        let mut seen: BTreeSet<UserId> = BTreeSet::new();
        from_users.retain(|by| seen.insert(by.from.user_id.clone()));
        if from_users.is_empty() { Rest::Gone } else { Rest::Stays }
    }
}
