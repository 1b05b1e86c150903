//! Placing documents in folders. Every write is conditional on the folder, so no document appears
//! in a deleted one.

use aws::{Condition, Item, Update, Value, Write};
use error::{Error, Result};
use model::{DocumentId, FolderId, document::Document, folder::Folder};
use tenancy::{
    layout::{Entity, INDEX_PK, VERSION, WRITTEN, in_folder, item},
    prelude::*,
    reading::{missing, new_version},
    writing::{Unit, present, settle},
};

use crate::{features::Documents, prelude::*};

impl Documents<'_> {
    /// Adds documents with distinct ids; returns a result for each, in order. A missing folder is
    /// NOT_FOUND, an existing document ALREADY_EXISTS.
    pub async fn add(self, added: &[Document]) -> Vec<Result<()>> {
        let (documents, folders) = (self.all(), self.0.folders().all());
        let unit = |document: &Document| {
            let mut unit = documents.rows().inserted(document, None)?;
            if let Some(folder) = &document.folder_id {
                // First in the unit, so that a missing folder is the result for every document.
                unit.writes_mut().insert(0, folders.rows().exists(folder));
            }
            Ok(unit)
        };
        let refused = |document: &Document, position| match &document.folder_id {
            Some(folder) if position == 0 => missing::<Folder>(folder),
            _ => Error::exists(format!("There is a document {} already.", document.document_id)),
        };
        documents.rows().commit_each(added, unit, refused).await
    }

    /// Moves documents, whose ids are distinct, into a folder or out of any: all of them or none.
    ///
    /// # Errors
    /// NOT_FOUND when a document or the folder does not exist.
    pub async fn move_to(self, ids: &[DocumentId], into: Option<&FolderId>) -> Result<()> {
        let check = into.map(|folder| self.0.folders().all().rows().exists(folder));
        let checks = usize::from(check.is_some());
        let mut unit = Unit::new(check.into_iter().collect());
        for id in ids {
            unit.writes_mut().push(self.moved(id, into)?);
        }
        let refused = |position: usize| match (position.checked_sub(checks), into) {
            (None, Some(folder)) => missing::<Folder>(folder),
            (n, _) => match n.and_then(|n| ids.get(n)) {
                Some(id) => missing::<Document>(id),
                None => Error::internal("a refusal of a write that was not made"),
            },
        };
        settle(self.0.tenant().db().commit(unit).await, refused)
    }

    /// Changes only the members with the folder of a document, without reading it.
    fn moved(self, id: &DocumentId, into: Option<&FolderId>) -> Result<Write> {
        let now = Value::N(self.0.tenant().db().clock().now().to_string());
        let group = self.0.partition().join(&in_folder(into.unwrap_or(&FolderId::root())));
        let values = [
            (":version", Value::S(new_version()?)),
            (":now", now),
            (":group", Value::S(group.into())),
        ];
        let mut values: Item =
            values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let head = "SET #version = :version, #written = :now, lastUpdated = :now, #group = :group";
        let expression = match into {
            None => format!("{head} REMOVE folderId"),
            Some(folder) => {
                values.insert(":folder".to_owned(), Value::S(folder.as_str().to_owned()));
                format!("{head}, folderId = :folder")
            }
        };
        let Condition { expression: condition, mut names, .. } = present();
        let own = [("#version", VERSION), ("#written", WRITTEN), ("#group", INDEX_PK)];
        names.extend(own.map(|(name, attribute)| (name.to_owned(), attribute.to_owned())));
        Ok(Write::Update {
            table: Document::TABLE.name(),
            key: item::key(self.0.partition(), &Document::place(id).into_key()),
            update: Update { expression, condition: Some(condition), names, values },
        })
    }
}
