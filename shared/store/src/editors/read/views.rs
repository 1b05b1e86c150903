//! Views of editors that several calls share: when many people open a document, it is read once.

use std::sync::Arc;

use error::Result;
use model::{DocumentId, EditorId};
use serde_json::value::RawValue;
use tenancy::{
    Together,
    prelude::*,
    scopes::{SizedCache, place_of},
};

use super::{
    super::{EditorStore, bounds::too_long, head::Head, log::Rows},
    StoredEditor,
};

/// Maximum size of the kept views of a process, in bytes.
const MAX_KEPT: usize = 16 * 1024 * 1024;
/// Maximum number of rows of a log with a kept view: longer ones are merged soon.
const MAX_ROWS: usize = 1024;

/// The partition of the organization, and the editor.
type Place = (String, DocumentId, EditorId);

/// The part of an editor that is asked for; none: everything.
type Question = (Place, Option<Vec<u8>>);

/// A view, as it is written into a reply.
type View = Arc<RawValue>;

/// Views by place, and by what is asked for.
struct Views {
    reads: Together<Question, (), Option<View>>,
    /// Views of everything.
    kept: SizedCache<Place, KeptView>,
}

/// A view of an editor with exactly these rows, which never change.
#[derive(Clone)]
struct KeptView {
    rows: Arc<Stored>,
    view: View,
}

/// The content of an editor by the names of its rows.
#[derive(PartialEq)]
struct Stored {
    epoch: String,
    snapshot: Option<String>,
    log: Vec<String>,
}

impl Default for Views {
    fn default() -> Self {
        Self { reads: Together::default(), kept: SizedCache::new(MAX_KEPT) }
    }
}

impl Stored {
    fn new(head: &Head, log: &Rows) -> Self {
        Self {
            epoch: head.epoch.clone(),
            snapshot: head.snapshot.as_ref().map(|snapshot| snapshot.version.clone()),
            log: log.items.iter().map(|row| place_of(row).1).collect(),
        }
    }
}

impl EditorStore {
    /// A view of the content of an editor, if there is one. Calls that ask for the same at one time share
    /// a read, which begins after each of them has asked. `asked` tells views of a part apart; the view of
    /// everything is kept as long as the editor does not change.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when too much of it waits to be merged; the errors of the view.
    pub async fn view(
        &self,
        id: &EditorId,
        asked: Option<&[u8]>,
        view: impl Fn(&StoredEditor) -> Result<View>,
    ) -> Result<Option<View>> {
        let views = self.db().cache::<Views>();
        let partition = self.organization.partition().as_str().to_owned();
        let place: Place = (partition, self.document.clone(), id.clone());
        let kept = asked.is_none().then_some(&views.kept);
        let read = async || self.read_view(&place, kept, &view).await;
        views.reads.read((place.clone(), asked.map(<[u8]>::to_vec)), read).await
    }

    async fn read_view(
        &self,
        place: &Place,
        kept: Option<&SizedCache<Place, KeptView>>,
        view: impl Fn(&StoredEditor) -> Result<View>,
    ) -> Result<Option<View>> {
        let (mut known, mut rows) = (None, None);
        let is_unknown = |head: &Head, log: &Rows| {
            if let Some(kept) = kept.filter(|_| !log.more && log.items.len() <= MAX_ROWS) {
                let stored = Stored::new(head, log);
                known = kept.get(place).filter(|kept| *kept.rows == stored);
                rows = Some(stored);
            }
            Ok(known.is_none())
        };
        let found = self.find_if(&place.2, is_unknown).await?;
        if let Some(KeptView { view, .. }) = known {
            return Ok(Some(view));
        }
        let Some(stored) = found else { return Ok(None) };
        if stored.is_part() {
            return Err(too_long());
        }
        let view = view(&stored)?;
        if let Some((kept, rows)) = kept.zip(rows) {
            let (rows, view) = (Arc::new(rows), Arc::clone(&view));
            let size = view.get().len() + rows.log.iter().map(String::len).sum::<usize>();
            kept.put(place.clone(), KeptView { rows, view }, size);
        }
        Ok(Some(view))
    }
}
