//! The entities that others are in.

use model::{
    OrganizationId, document::Document, event::Event, folder::Folder, life::Life,
    organization::Organization, user_group::Group,
};

use crate::layout::Entity;

/// An entity that others are in, and that may be added again after a deletion.
pub trait Container: Entity {
    /// Life of the container.
    fn life(&self) -> Life;

    /// Begins in a life.
    fn begin(&mut self, life: Life);

    /// The event of its deletion at the end of a life, for the worker that removes its rows.
    fn deletion(&self, organization: &OrganizationId, since: Life) -> Event;
}

macro_rules! containers {
    ($($entity:ident: |$own:ident, $organization_id:ident, $since:ident| $deletion:expr;)+) => {$(
        impl Container for $entity {
            fn life(&self) -> Life {
                self.since
            }
            fn begin(&mut self, life: Life) {
                self.since = life;
            }
            fn deletion(&self, organization: &OrganizationId, since: Life) -> Event {
                let ($own, $organization_id, $since) =
                    (self, organization.clone(), Some(since.since()));
                $deletion
            }
        }
    )+};
}

impl Container for Organization {
    fn life(&self) -> Life {
        self.since
    }
    fn begin(&mut self, life: Life) {
        self.since = life;
        // A clean-up that has not ended may have taken the rows that lead to what is left.
        self.finds_people = life.is_first();
    }
    fn deletion(&self, organization: &OrganizationId, _since: Life) -> Event {
        Event::OrganizationDeleted { organization_id: organization.clone() }
    }
}

containers! {
    Document: |own, organization_id, since| {
        let document_id = own.document_id.clone();
        Event::DocumentDeleted { organization_id, document_id, since }
    };
    Folder: |own, organization_id, since| {
        let folder_id = own.folder_id.clone();
        Event::FolderDeleted { organization_id, folder_id, since }
    };
    Group: |own, organization_id, _since| {
        let group_id = own.group_id.clone();
        Event::GroupDeleted { organization_id, group_id }
    };
}
