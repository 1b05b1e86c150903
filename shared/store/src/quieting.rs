//! Changes of editors that are told when no other comes for a while.

use error::Result;
use model::ledger::{EditorRef, Quieting};

use crate::{
    commit::unchanged,
    entity::{Entity, Place, Table},
    key::Key,
    ledger::Seen,
    schedule::Wake,
    scope::TenantStore,
};

impl Entity for Quieting {
    const KIND: &'static str = "webhook-quieting";
    const NOUN: &'static str = "changed editor";
    const TABLE: Table = Table::Schedule;
    type Id = EditorRef;
    fn id(&self) -> EditorRef {
        self.editor.clone()
    }
    fn shown(id: &EditorRef) -> &str {
        id.editor_id.as_str()
    }
    fn place(id: &EditorRef) -> Place {
        let organization = Key::of(Self::KIND, id.organization_id.as_str());
        let document = organization.and("document", id.document_id.as_str());
        Place(document.and("editor", id.editor_id.as_str()))
    }
}

impl TenantStore {
    /// The last change of an editor that is not told yet.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn quieting(&self, editor: &EditorRef) -> Result<Option<Seen<Quieting>>> {
        self.seen(&self.of(), editor).await
    }

    /// Writes the last change of an editor; false when somebody was faster.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; it may have been written.
    pub async fn keep_quieting(
        &self,
        seen: Option<&Seen<Quieting>>,
        quieting: &Quieting,
        wake: Wake,
    ) -> Result<bool> {
        let of = self.of();
        let unit = match seen {
            Some(seen) => of.changed(quieting, &seen.version, None)?,
            None => of.inserted(quieting, None)?,
        };
        let unit = self.armed(unit, Some(quieting.until), || Ok(wake))?;
        self.is_done(unit).await
    }

    /// Forgets a change of an editor, unless another came; that one is told later.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn forget_quieting(&self, seen: &Seen<Quieting>) -> Result<()> {
        let unchanged = unchanged(&seen.version);
        let unit = self.of::<Quieting>().deleted(&seen.entity.id(), None, unchanged)?;
        self.is_done(unit).await.map(|_| ())
    }
}
