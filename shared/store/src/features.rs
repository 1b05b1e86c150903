//! Features, each entered from its scope by a handle: `tenant.webhooks()`,
//! `organization.comments()`. A handle borrows the scope and costs nothing; the functions of a
//! feature are those of its handle. The traits below have one method for each; import them with
//! [`crate::prelude`].

use model::{
    DocumentId,
    access::Grant,
    activity::Activity,
    comment::Annotation,
    document::Document,
    folder::Folder,
    group::{Group, GroupMember},
    organization::Organization,
    recording::Recording,
    user::User,
};

use crate::{editors::EditorStore, waiting::SystemStore};
use tenancy::{
    prelude::*,
    reading::Collection,
    scopes::{AdminStore, OrganizationStore, Store, TenantStore, WorkspaceStore},
};

/// Agents, and the versions of custom ones.
#[derive(Clone, Copy)]
pub struct Agents<'a>(pub(crate) &'a TenantStore);

/// Configurations of the API key, one of each kind.
#[derive(Clone, Copy)]
pub struct Configurations<'a>(pub(crate) &'a TenantStore);

/// Organizations of the tenant.
#[derive(Clone, Copy)]
pub struct Organizations<'a>(pub(crate) &'a TenantStore);

/// Rights of users in several organizations.
#[derive(Clone, Copy)]
pub struct TenantAccess<'a>(pub(crate) &'a TenantStore);

/// The record of the API key, read again.
#[derive(Clone, Copy)]
pub struct OwnKey<'a>(pub(crate) &'a TenantStore);

/// End users: what they may reach, and their tokens.
#[derive(Clone, Copy)]
pub struct EndUsers<'a>(pub(crate) &'a TenantStore);

/// Pending work.
#[derive(Clone, Copy)]
pub struct Pending<'a>(pub(crate) &'a TenantStore);

/// Webhook endpoints, and the ledger of deliveries.
#[derive(Clone, Copy)]
pub struct Webhooks<'a>(pub(crate) &'a TenantStore);

/// Stored events of the journal.
#[derive(Clone, Copy)]
pub struct Events<'a>(pub(crate) &'a TenantStore);

/// The notification policies of the tenant.
#[derive(Clone, Copy)]
pub struct TenantNotifications<'a>(pub(crate) &'a TenantStore);

/// Live connections of the tenant.
#[derive(Clone, Copy)]
pub struct Connections<'a>(pub(crate) &'a TenantStore);

/// Deletion of the data of the tenant, and erasure of users.
#[derive(Clone, Copy)]
pub struct TenantRemoval<'a>(pub(crate) &'a TenantStore);

/// Editors of all documents.
#[derive(Clone, Copy)]
pub struct AllEditors<'a>(pub(crate) &'a OrganizationStore);

/// Notifications: recipients, the inbox, preferences and traces.
#[derive(Clone, Copy)]
pub struct Notifications<'a>(pub(crate) &'a OrganizationStore);

/// Counters of the events of documents.
#[derive(Clone, Copy)]
pub struct Counters<'a>(pub(crate) &'a OrganizationStore);

/// What the live channel shows of the organization.
#[derive(Clone, Copy)]
pub struct Live<'a>(pub(crate) &'a OrganizationStore);

/// Deletion of data, and erasure of users.
#[derive(Clone, Copy)]
pub struct Removal<'a>(pub(crate) &'a OrganizationStore);

/// Activities.
pub struct Activities<'a>(pub(crate) &'a OrganizationStore, pub(crate) Collection<Activity>);

/// Documents.
#[derive(Clone, Copy)]
pub struct Documents<'a>(pub(crate) &'a OrganizationStore);

/// Folders.
#[derive(Clone, Copy)]
pub struct Folders<'a>(pub(crate) &'a OrganizationStore);

/// User groups and their members.
#[derive(Clone, Copy)]
pub struct Groups<'a>(pub(crate) &'a OrganizationStore);

/// The record of the organization.
#[derive(Clone, Copy)]
pub struct OwnRecord<'a>(pub(crate) &'a OrganizationStore);

/// Live state of documents.
#[derive(Clone, Copy)]
pub struct LiveStates<'a>(pub(crate) &'a OrganizationStore);

/// Rights of users.
#[derive(Clone, Copy)]
pub struct Access<'a>(pub(crate) &'a OrganizationStore);

/// Users who are present in documents.
#[derive(Clone, Copy)]
pub struct Presences<'a>(pub(crate) &'a OrganizationStore);

/// Recordings.
pub struct Recordings(pub(crate) Collection<Recording>);

/// Users, at every level.
#[derive(Clone, Copy)]
pub struct Users<'a>(pub(crate) &'a OrganizationStore);

/// Threads of comments.
pub struct Comments<'a>(pub(crate) &'a OrganizationStore, pub(crate) Collection<Annotation>);

/// Live connections, by their ids.
#[derive(Clone, Copy)]
pub struct AllConnections<'a>(pub(crate) &'a Store);

/// Workspaces, and their keys.
#[derive(Clone, Copy)]
pub struct Workspaces<'a>(pub(crate) &'a AdminStore);

/// Stored secrets.
#[derive(Clone, Copy)]
pub struct Secrets<'a>(pub(crate) &'a AdminStore);

/// API keys of the workspace.
#[derive(Clone, Copy)]
pub struct ApiKeys<'a>(pub(crate) &'a WorkspaceStore);

/// Features of the entry point.
pub trait StoreFeatures {
    /// Live connections, by their ids.
    fn connections(&self) -> AllConnections<'_>;
    /// The scope of the service itself; callable from `service` only.
    fn system(&self) -> SystemStore;
}

impl StoreFeatures for Store {
    fn connections(&self) -> AllConnections<'_> {
        AllConnections(self)
    }
    fn system(&self) -> SystemStore {
        SystemStore::new(self)
    }
}

/// Features of the scope of the operator.
pub trait AdminFeatures {
    /// Workspaces, and their keys.
    fn workspaces(&self) -> Workspaces<'_>;
    /// Stored secrets.
    fn secrets(&self) -> Secrets<'_>;
}

impl AdminFeatures for AdminStore {
    fn workspaces(&self) -> Workspaces<'_> {
        Workspaces(self)
    }
    fn secrets(&self) -> Secrets<'_> {
        Secrets(self)
    }
}

/// Features of the scope of a workspace.
pub trait WorkspaceFeatures {
    /// API keys of the workspace.
    fn api_keys(&self) -> ApiKeys<'_>;
}

impl WorkspaceFeatures for WorkspaceStore {
    fn api_keys(&self) -> ApiKeys<'_> {
        ApiKeys(self)
    }
}

/// Features of the scope of a tenant.
pub trait TenantFeatures {
    /// Agents, and the versions of custom ones.
    fn agents(&self) -> Agents<'_>;
    /// Configurations of the API key, one of each kind.
    fn configurations(&self) -> Configurations<'_>;
    /// Organizations of the tenant.
    fn organizations(&self) -> Organizations<'_>;
    /// Rights of users in several organizations.
    fn access(&self) -> TenantAccess<'_>;
    /// The record of the API key, read again.
    fn own_key(&self) -> OwnKey<'_>;
    /// End users: what they may reach, and their tokens.
    fn end_users(&self) -> EndUsers<'_>;
    /// Pending work.
    fn pending(&self) -> Pending<'_>;
    /// Webhook endpoints, and the ledger of deliveries.
    fn webhooks(&self) -> Webhooks<'_>;
    /// Stored events of the journal.
    fn events(&self) -> Events<'_>;
    /// The notification policies of the tenant.
    fn notifications(&self) -> TenantNotifications<'_>;
    /// Live connections of the tenant.
    fn connections(&self) -> Connections<'_>;
    /// Deletion of the data of the tenant, and erasure of users.
    fn removal(&self) -> TenantRemoval<'_>;
}

impl TenantFeatures for TenantStore {
    fn agents(&self) -> Agents<'_> {
        Agents(self)
    }
    fn configurations(&self) -> Configurations<'_> {
        Configurations(self)
    }
    fn organizations(&self) -> Organizations<'_> {
        Organizations(self)
    }
    fn access(&self) -> TenantAccess<'_> {
        TenantAccess(self)
    }
    fn own_key(&self) -> OwnKey<'_> {
        OwnKey(self)
    }
    fn end_users(&self) -> EndUsers<'_> {
        EndUsers(self)
    }
    fn pending(&self) -> Pending<'_> {
        Pending(self)
    }
    fn webhooks(&self) -> Webhooks<'_> {
        Webhooks(self)
    }
    fn events(&self) -> Events<'_> {
        Events(self)
    }
    fn notifications(&self) -> TenantNotifications<'_> {
        TenantNotifications(self)
    }
    fn connections(&self) -> Connections<'_> {
        Connections(self)
    }
    fn removal(&self) -> TenantRemoval<'_> {
        TenantRemoval(self)
    }
}

/// Features of the scope of an organization.
pub trait OrganizationFeatures {
    /// Editors of all documents.
    fn all_editors(&self) -> AllEditors<'_>;
    /// Notifications: recipients, the inbox, preferences and traces.
    fn notifications(&self) -> Notifications<'_>;
    /// Counters of the events of documents.
    fn counters(&self) -> Counters<'_>;
    /// What the live channel shows of the organization.
    fn live(&self) -> Live<'_>;
    /// Deletion of data, and erasure of users.
    fn removal(&self) -> Removal<'_>;
    /// Activities.
    fn activities(&self) -> Activities<'_>;
    /// Documents.
    fn documents(&self) -> Documents<'_>;
    /// Folders.
    fn folders(&self) -> Folders<'_>;
    /// User groups and their members.
    fn groups(&self) -> Groups<'_>;
    /// The record of the organization.
    fn own_record(&self) -> OwnRecord<'_>;
    /// Live state of documents.
    fn live_states(&self) -> LiveStates<'_>;
    /// Rights of users.
    fn access(&self) -> Access<'_>;
    /// Users who are present in documents.
    fn presences(&self) -> Presences<'_>;
    /// Recordings.
    fn recordings(&self) -> Recordings;
    /// Users, at every level.
    fn users(&self) -> Users<'_>;
    /// Threads of comments.
    fn comments(&self) -> Comments<'_>;
    /// Editors of a document.
    fn editors(&self, document: &DocumentId) -> EditorStore;
}

impl OrganizationFeatures for OrganizationStore {
    fn all_editors(&self) -> AllEditors<'_> {
        AllEditors(self)
    }
    fn notifications(&self) -> Notifications<'_> {
        Notifications(self)
    }
    fn counters(&self) -> Counters<'_> {
        Counters(self)
    }
    fn live(&self) -> Live<'_> {
        Live(self)
    }
    fn removal(&self) -> Removal<'_> {
        Removal(self)
    }
    fn activities(&self) -> Activities<'_> {
        Activities(self, self.of())
    }
    fn documents(&self) -> Documents<'_> {
        Documents(self)
    }
    fn folders(&self) -> Folders<'_> {
        Folders(self)
    }
    fn groups(&self) -> Groups<'_> {
        Groups(self)
    }
    fn own_record(&self) -> OwnRecord<'_> {
        OwnRecord(self)
    }
    fn live_states(&self) -> LiveStates<'_> {
        LiveStates(self)
    }
    fn access(&self) -> Access<'_> {
        Access(self)
    }
    fn presences(&self) -> Presences<'_> {
        Presences(self)
    }
    fn recordings(&self) -> Recordings {
        Recordings(self.of())
    }
    fn users(&self) -> Users<'_> {
        Users(self)
    }
    fn comments(&self) -> Comments<'_> {
        Comments(self, self.of())
    }
    fn editors(&self, document: &DocumentId) -> EditorStore {
        EditorStore::new(self, document)
    }
}

impl Organizations<'_> {
    /// All of them.
    pub fn all(self) -> Collection<Organization> {
        self.0.of()
    }
}

impl Folders<'_> {
    /// All of them.
    pub fn all(self) -> Collection<Folder> {
        self.0.of()
    }
}

impl Groups<'_> {
    /// All of them.
    pub fn all(self) -> Collection<Group> {
        self.0.of()
    }
    /// Their members.
    pub fn members(self) -> Collection<GroupMember> {
        self.0.of()
    }
}

impl Access<'_> {
    /// Rights of users, at every level.
    pub fn grants(self) -> Collection<Grant> {
        self.0.of()
    }
}

impl Users<'_> {
    /// All of them.
    pub fn all(self) -> Collection<User> {
        self.0.of()
    }
}

impl Documents<'_> {
    /// All of them.
    pub fn all(self) -> Collection<Document> {
        self.0.of()
    }
}
