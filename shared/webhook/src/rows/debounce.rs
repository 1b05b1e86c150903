//! Debounce of editor changes into one message.

use error::Result;
use model::Millis;
use serde::{Deserialize, Serialize};
use store::{journal::StoredEvent, prelude::*, schedule::Wake};
use tenancy::{
    layout::{Entity, Key, Place, Table},
    prelude::*,
    writing::unchanged,
};

use super::Webhooks;
use crate::types::{EditorRef, Versioned};

/// The last change of an editor within the debounce time.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Debounce {
    /// The editor.
    pub(crate) editor: EditorRef,
    /// The last change.
    pub(crate) event: StoredEvent,
    /// Time of the first change that is in no message yet.
    pub(crate) since: Millis,
    /// End of the debounce time, unless another change comes.
    pub(crate) until: Millis,
}

// The event of a debounce is passed on within seconds, and is erased as a message then.
model::names_nobody!(Debounce);

impl Entity for Debounce {
    const KIND: &'static str = "webhook-debounce";
    const NOUN: &'static str = "changed editor";
    const TABLE: Table = Table::Schedule;
    const JSON: &'static [&'static str] = &["event"];
    type Id = EditorRef;
    fn id(&self) -> EditorRef {
        self.editor.clone()
    }
    fn shown(id: &EditorRef) -> &str {
        id.editor_id.as_str()
    }
    fn place(id: &EditorRef) -> Place {
        let organization = Key::pair(Self::KIND, id.organization_id.as_str());
        let document = organization.and("document", id.document_id.as_str());
        Place::new(document.and("editor", id.editor_id.as_str()))
    }
}

impl Webhooks<'_> {
    /// The last change of an editor that is in no message yet.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn debounced(self, editor: &EditorRef) -> Result<Option<Versioned<Debounce>>> {
        self.seen(&self.0.collection(), editor).await
    }

    /// Writes the last change of an editor; false after a concurrent change.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; it may have been written.
    pub(crate) async fn write_debounce(
        self,
        seen: Option<&Versioned<Debounce>>,
        debounce: &Debounce,
        wake: Wake,
    ) -> Result<bool> {
        let of = self.0.collection();
        let unit = match seen {
            Some(seen) => of.rows().changed(debounce, &seen.version, None)?,
            None => of.rows().inserted(debounce, None)?,
        };
        let unit = self.0.schedule().armed(unit, Some(debounce.until), || Ok(wake))?;
        self.is_won(unit).await
    }

    /// Removes the last change of an editor, unless another came, which has its own debounce time.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn remove_debounce(self, seen: &Versioned<Debounce>) -> Result<()> {
        let unchanged = unchanged(&seen.version);
        let unit =
            self.0.collection::<Debounce>().rows().deleted(&seen.entity.id(), None, unchanged)?;
        self.is_won(unit).await.map(|_| ())
    }
}
