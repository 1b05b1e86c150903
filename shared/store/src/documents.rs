//! Placing documents in folders. An addition is conditional on the folder in the life that was read
//! with the folders above it, a move also on these, so no document appears in a deleted one.

use std::collections::BTreeSet;

use aws::{Condition, Item, Update, Value, Write};
use error::{Error, Result};
use model::{
    DocumentId, FolderId,
    document::Document,
    event::Event,
    folder::Folder,
    life::{Life, Stand},
};
use tenancy::{
    layout::{Entity, IN, INDEX_PK, SINCE, VERSION, WRITTEN, in_folder, item, lives},
    prelude::*,
    reading::{Collection, missing, new_version},
    scopes::{Currency, Found, OrganizationStore},
    writing::{Unit, Within, present, settle},
};

use crate::{folders::is_taken, prelude::*};

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// Documents.
    documents: Documents,
}

impl Documents<'_> {
    /// All documents.
    pub fn all(self) -> Collection<Document> {
        self.0.collection()
    }
}

impl Documents<'_> {
    /// Adds documents with distinct ids in the organization's life, all of them in one folder or in
    /// none; returns a result for each. An existing document is ALREADY_EXISTS.
    ///
    /// # Errors
    /// NOT_FOUND when the folder, or one above it, does not exist.
    pub async fn add(self, added: &[Document], organization: Life) -> Result<Vec<Result<()>>> {
        let (documents, folders) = (self.all(), self.0.folders());
        let folder = added.first().and_then(|document| document.folder_id.as_ref());
        let placed = match folder {
            Some(folder) => folders.placing(folder, organization).await?,
            None => Life::FIRST,
        };
        let place = |document: &Document| Document { placed, ..document.clone() };
        let added: Vec<Document> = added.iter().map(place).collect();
        let checks = |document: &Document| {
            let folder = document.folder_id.as_ref();
            folder.map(|folder| folders.all().rows().lives(folder, placed)).into_iter().collect()
        };
        let refused = |document: &Document, position| match &document.folder_id {
            Some(folder) if position == 0 => missing::<Folder>(folder),
            _ => Error::exists(format!("There is a document {} already.", document.document_id)),
        };
        let within = Within { organization: self.0.id(), life: organization };
        let known = self.left_of(&added, organization).await?;
        let mut results = documents.begin_all(&added, within, &known, checks, refused).await;
        let taken = added.iter().zip(&results).filter(|(_, result)| is_taken(result));
        let taken = taken.map(|(document, _)| document.document_id.clone()).collect();
        let lies_in = |document: &Document| Some((document.folder_id.clone()?, document.placed));
        let left = folders.left(&documents, taken, organization, lies_in).await?;
        for (document, result) in added.iter().zip(&mut results) {
            let Some(life) = left.lives.get(&document.document_id).copied() else { continue };
            let ids = std::slice::from_ref(&document.document_id);
            self.0.editors().close_until(ids, life).await?;
            let (document, within) = (std::slice::from_ref(document), Within { life, ..within });
            let begun = documents.begin_all(document, within, &left.found, checks, refused).await;
            *result = begun.into_iter().collect();
        }
        Ok(results)
    }

    /// The items that an earlier life of the organization left in the places of documents, whose
    /// editors it closes: an append reads its editor alone.
    async fn left_of(self, added: &[Document], organization: Life) -> Result<Found> {
        if organization.is_first() {
            return Ok(Found::new());
        }
        let documents = self.all();
        let places = added.iter().map(|added| documents.rows().place_of(&added.document_id));
        let found = self
            .0
            .tenant()
            .db()
            .get_across_standing(Document::TABLE, places.collect(), Currency::Now)
            .await?;
        let is_left = |item: &&Item| item::is_there(item) && lives::life(item) < organization;
        let left = found.values().filter(is_left);
        let left: Vec<DocumentId> = left
            .map(|item| Ok(documents.rows().decode(item.clone())?.document_id))
            .collect::<Result<_>>()?;
        self.0.editors().close_until(&left, organization).await?;
        Ok(found)
    }

    /// Deletes documents with distinct ids; returns a result for each.
    pub async fn delete(self, ids: &[DocumentId]) -> Vec<Result<()>> {
        let event = |id: &DocumentId| {
            let (organization_id, document_id) = (self.0.id().clone(), id.clone());
            Some(Event::DocumentDeleted { organization_id, document_id, since: None })
        };
        self.all().end_all(ids, event).await
    }

    /// Moves documents, whose ids are distinct, into a folder or out of any: all of them or none.
    ///
    /// # Errors
    /// NOT_FOUND when a document, the folder or one above it does not exist.
    pub async fn move_to(self, ids: &[DocumentId], into: Option<&FolderId>) -> Result<()> {
        let folders = self.0.folders();
        let chain = folders.chain(into.cloned().into_iter().collect::<BTreeSet<_>>(), None).await?;
        let placed = into.map_or(Ok(Life::FIRST), |folder| chain.tree.placing(folder))?;
        // A folder above may be deleted meanwhile, and another call may move a document out of it.
        let way = into.into_iter().flat_map(|folder| chain.tree.way(folder));
        let checks: Vec<Write> =
            way.map(|(folder, life)| folders.all().rows().lives(folder, life)).collect();
        let (checks, mut unit) = (checks.len(), Unit::new(checks));
        for id in ids {
            unit.writes_mut().push(self.moved(id, into, placed, &chain.organization)?);
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

    /// Changes only the members with the folder of a document, without reading it. One of an earlier
    /// life of the organization does not exist.
    fn moved(
        self,
        id: &DocumentId,
        into: Option<&FolderId>,
        placed: Life,
        organization: &Stand<()>,
    ) -> Result<Write> {
        let number = |n: u64| Value::N(n.to_string());
        let now = number(self.0.tenant().db().clock().now());
        let group = self.0.partition().join(&in_folder(into.unwrap_or(&FolderId::root())));
        let values = [
            (":version", Value::S(new_version()?)),
            (":now", now),
            (":group", Value::S(group.into())),
        ];
        let mut values: Item =
            values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let mut set = "SET #version = :version, #written = :now, lastUpdated = :now, \
                       #group = :group"
            .to_owned();
        let mut removed = Vec::new();
        match into {
            None => removed.push("folderId"),
            Some(folder) => {
                values.insert(":folder".to_owned(), Value::S(folder.as_str().to_owned()));
                set.push_str(", folderId = :folder");
            }
        }
        if placed.is_first() {
            removed.push("#in");
        } else {
            values.insert(":in".to_owned(), number(placed.since()));
            set.push_str(", #in = :in");
        }
        let removed = match removed.as_slice() {
            [] => String::new(),
            names => format!(" REMOVE {}", names.join(", ")),
        };
        let Condition { expression: mut condition, mut names, .. } = present();
        let own = [("#version", VERSION), ("#written", WRITTEN), ("#group", INDEX_PK), ("#in", IN)];
        names.extend(own.map(|(name, attribute)| (name.to_owned(), attribute.to_owned())));
        if let Stand::There((), life) = organization
            && !life.is_first()
        {
            names.insert("#since".to_owned(), SINCE.to_owned());
            values.insert(":life".to_owned(), number(life.since()));
            condition.push_str(" AND #since >= :life");
        }
        let expression = format!("{set}{removed}");
        Ok(Write::Update {
            table: Document::TABLE.name(),
            key: item::key(self.0.partition(), &Document::place(id).into_key()),
            update: Update { expression, condition: Some(condition), names, values },
        })
    }
}
