//! Live state: JSON with concurrent writers.

use error::{Error, Result, Status};
use model::{DocumentId, LiveStateDataId, Metadata, Millis, live_state::LiveState};
use tenancy::{
    layout::live_in,
    prelude::*,
    reading::{Page, Paged},
    scopes::OrganizationStore,
    writing::Edit,
};

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// Live state of documents.
    live_state: LiveStates,
}

/// Rounds of optimistic writes, each of several attempts: all active users write the same item.
const ROUNDS: usize = 4;

impl LiveStates<'_> {
    /// Replaces live state, or merges into it.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when it would be too large; ABORTED under contention.
    pub async fn write(
        self,
        document: &DocumentId,
        id: &LiveStateDataId,
        data: &Metadata,
        merge: bool,
        now: Millis,
    ) -> Result<LiveState> {
        let place = (document.clone(), id.clone());
        let edit = |stored: Option<LiveState>| {
            let is_new = stored.is_none();
            let mut state = stored.unwrap_or_else(|| LiveState::new(document.clone(), id.clone()));
            state.write(data.clone(), merge, now);
            // A merged entry goes with the one that it was merged into.
            let edit = if merge { Edit::put(state) } else { Edit::anew(state) };
            Ok(match is_new {
                true => edit.listing(document, now),
                false => edit,
            })
        };
        for _ in 0..ROUNDS {
            match self.0.collection::<LiveState>().edit(&place, edit).await {
                Err(error) if error.status == Status::Aborted => {}
                done => return done,
            }
        }
        Err(Error::aborted())
    }

    /// One page of the live state of a document, in the order of the ids; only the named id, if
    /// any.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list(
        self,
        document: &DocumentId,
        id: Option<&LiveStateDataId>,
        page: &Page,
    ) -> Result<Paged<LiveState>> {
        let states = self.0.collection::<LiveState>();
        match id {
            Some(id) => states.list_of([(document.clone(), id.clone())], page).await,
            None => states.rows().page(states.rows().under(live_in(document).prefix()), page).await,
        }
    }
}
