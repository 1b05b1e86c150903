//! The entities that others are in.

use model::{
    OrganizationId,
    document::Document,
    event::Event,
    folder::Folder,
    life::{Ends, Life},
    organization::Organization,
    user_group::Group,
};

use crate::layout::Entity;

/// An entity that others are in, and that may be added again after a deletion.
pub trait Container: Entity {
    /// Whether containers lie in it, whose contents do not: they end with the life in which they were
    /// placed, so that the ends of all lives are kept of which some may be left.
    const KEEPS_ENDS: bool = false;

    /// Life of the container.
    fn life(&self) -> Life;

    /// Begins in a life, behind others.
    fn begin(&mut self, life: Life, earlier: Ends);

    /// The event of its deletion at the end of a life, for the worker that removes its rows.
    fn deletion(&self, organization: &OrganizationId, since: Life) -> Event;
}

macro_rules! containers {
    ($($entity:ident: |$own:ident, $organization_id:ident, $since:ident| $deletion:expr;)+) => {$(
        impl Container for $entity {
            fn life(&self) -> Life {
                self.since
            }
            fn begin(&mut self, life: Life, _earlier: Ends) {
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
    fn begin(&mut self, life: Life, _earlier: Ends) {
        self.since = life;
        // A clean-up that has not ended may have taken the rows that lead to what is left.
        self.finds_people = life.is_first();
    }
    fn deletion(&self, organization: &OrganizationId, _since: Life) -> Event {
        Event::OrganizationDeleted { organization_id: organization.clone() }
    }
}

impl Container for Folder {
    const KEEPS_ENDS: bool = true;
    fn life(&self) -> Life {
        self.since
    }
    fn begin(&mut self, life: Life, earlier: Ends) {
        (self.since, self.ends) = (life, earlier);
    }
    fn deletion(&self, organization: &OrganizationId, since: Life) -> Event {
        let (organization_id, folder_id) = (organization.clone(), self.folder_id.clone());
        Event::FolderDeleted { organization_id, folder_id, since: Some(since.since()) }
    }
}

containers! {
    Document: |own, organization_id, since| {
        let document_id = own.document_id.clone();
        Event::DocumentDeleted { organization_id, document_id, since }
    };
    Group: |own, organization_id, _since| {
        let group_id = own.group_id.clone();
        Event::GroupDeleted { organization_id, group_id }
    };
}
