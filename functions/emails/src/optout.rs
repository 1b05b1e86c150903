//! Unsubscribed addresses: the choice is for the address in the organization, so it becomes the
//! preference of every user who has it.

use std::collections::BTreeSet;

use model::{
    Email,
    notice::Contents,
    preference::{Channels, Wanted},
};
use notification::{Change, RowBody, RowKey, StoredRow, Unsubscribed};
use service::{OrganizationStore, TenantStore, prelude::*, sha256_hex};

/// Attempts of a change under contention.
const ATTEMPTS: usize = 8;

/// The digest of an address, or of a user, as in rows and links.
pub(crate) fn digest(text: &str) -> String {
    sha256_hex(text)[..32].to_owned()
}

/// The digest of an address.
pub(crate) fn of_address(address: &Email) -> String {
    digest(&address.as_str().to_lowercase())
}

/// The row of an address, for a document or the organization.
pub(crate) fn key(
    organization_id: &OrganizationId,
    address: &str,
    document_id: Option<DocumentId>,
) -> RowKey {
    let (organization_id, address) = (organization_id.clone(), address.to_owned());
    RowKey::Unsubscribed { organization_id, address, document_id }
}

/// Sets the mail preference of a user to none.
pub(crate) async fn stop(
    organization: &OrganizationStore,
    user: &UserId,
    document: Option<&DocumentId>,
) -> Result<()> {
    let off = Channels { email: Some(Wanted::None), ..Channels::default() };
    let documents = match document {
        Some(id) => vec![Some(id.clone())],
        // Earlier preferences for a document would override the one for the organization.
        None => {
            let own = organization.notifications().documents_preferred_by(user).await?;
            own.into_iter().map(Some).chain([None]).collect()
        }
    };
    let written = organization
        .notifications()
        .set_preferences(std::slice::from_ref(user), &documents, off)
        .await?;
    written.into_iter().collect()
}

/// Makes the choices for the recipient's address their preference, each once; returns whether there
/// was one.
pub(crate) async fn apply(
    tenant: &TenantStore,
    organization: &OrganizationStore,
    contents: &Contents,
    to: &Email,
) -> Result<bool> {
    let (user, address) = (&contents.recipient.user_id, of_address(to));
    let documents: BTreeSet<&DocumentId> =
        contents.entries.iter().map(|entry| &entry.document_id).collect();
    let scopes = documents.into_iter().map(Some).chain([None]);
    let (scopes, keys): (Vec<_>, Vec<RowKey>) = scopes
        .map(|document| (document, key(organization.id(), &address, document.cloned())))
        .unzip();
    let mut has_changed = false;
    let found = tenant.schedule().load(&keys).await?;
    for ((document, key), found) in scopes.into_iter().zip(&keys).zip(found) {
        let Some(Choice { row, .. }) = found.map(Choice::of).transpose()? else { continue };
        if !row.users.contains(&digest(user.as_str())) {
            stop(organization, user, document).await?;
            add(tenant, key, user).await?;
            has_changed = true;
        }
    }
    Ok(has_changed)
}

/// Records the choice of a user, whose preference is set. Choices before it do not count any more.
pub(crate) async fn choose(tenant: &TenantStore, key: &RowKey, user: &UserId) -> Result<()> {
    change(tenant, key, user, |_| BTreeSet::new()).await
}

/// Records that the preference of a user follows the choice.
async fn add(tenant: &TenantStore, key: &RowKey, user: &UserId) -> Result<()> {
    change(tenant, key, user, |known| known.users).await
}

async fn change(
    tenant: &TenantStore,
    key: &RowKey,
    user: &UserId,
    kept: impl Fn(Unsubscribed) -> BTreeSet<String>,
) -> Result<()> {
    let never_due = |_: &_, _: &_| Err(Error::internal("the row of an address is never due"));
    for _ in 0..ATTEMPTS {
        let known = load(tenant, key).await?.map(|choice| (choice.row, choice.version));
        let (known, seen) = known.unzip();
        let users = known.map(&kept).unwrap_or_default();
        let row = Unsubscribed::new(users, &digest(user.as_str()));
        let change = Change::Put { key: key.clone(), row: row.to_row()?, seen };
        if tenant.schedule().commit(vec![change], never_due).await?.is_written() {
            return Ok(());
        }
    }
    Err(Error::aborted())
}

/// The choice for an address, with the version of its row.
struct Choice {
    row: Unsubscribed,
    version: String,
}

impl Choice {
    fn of(stored: StoredRow) -> Result<Self> {
        Ok(Self { row: Unsubscribed::from_row(stored.row)?, version: stored.version })
    }
}

async fn load(tenant: &TenantStore, key: &RowKey) -> Result<Option<Choice>> {
    let found = tenant.schedule().load(std::slice::from_ref(key)).await?.pop().flatten();
    found.map(Choice::of).transpose()
}
