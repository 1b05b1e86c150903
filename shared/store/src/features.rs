//! Features, each entered from its scope by a handle: `tenant.agents()`,
//! `organization.comments()`. A handle borrows the scope; the functions of a feature are those of
//! its handle. The traits below have one method for each; import them with [`crate::prelude`].

use model::{
    DocumentId,
    activity::Activity,
    comment::Annotation,
    document::Document,
    folder::Folder,
    organization::Organization,
    permissions::Grant,
    user::User,
    user_group::{Group, GroupMember},
};
use tenancy::{
    features,
    prelude::*,
    reading::Collection,
    scopes::{AdminStore, OrganizationStore, Store, TenantStore, WorkspaceStore},
};

use crate::{editors::EditorStore, waiting::SystemStore};

features! {
    /// Features of the scope of the operator.
    AdminFeatures for AdminStore:
    /// Workspaces, and their keys.
    workspaces: Workspaces,
    /// Stored secrets.
    secrets: Secrets,
    /// Rows that deletions of earlier versions left.
    survivors: Survivors,
}

features! {
    /// Features of the scope of a workspace.
    WorkspaceFeatures for WorkspaceStore:
    /// API keys of the workspace.
    api_keys: ApiKeys,
}

features! {
    /// Features of the scope of a tenant.
    TenantFeatures for TenantStore:
    /// Agents, and the versions of custom ones.
    agents: Agents,
    /// Configurations of the API key, one of each kind.
    configurations: Configurations,
    /// Organizations of the tenant.
    organizations: Organizations,
    /// Rights of users in several organizations.
    access: TenantAccess,
    /// The record of the API key, read again.
    own_key: OwnKey,
    /// End users: what they may reach, and their tokens.
    end_users: EndUsers,
    /// Pending work.
    pending: Pending,
    /// Stored events of the journal.
    events: Events,
    /// The notification policies of the tenant.
    notifications: TenantNotifications,
    /// Deletion of the data of the tenant, and erasure of users.
    removal: TenantRemoval,
}

features! {
    /// Features of the scope of an organization.
    OrganizationFeatures for OrganizationStore:
    /// Editors of documents.
    editors: Editors,
    /// Notifications: recipients, the inbox, preferences and traces.
    notifications: Notifications,
    /// Counters of the events of documents.
    counters: Counters,
    /// Deletion of data, and erasure of users.
    removal: Removal,
    /// Activities.
    activities: Activities(Activity),
    /// Documents.
    documents: Documents,
    /// Folders.
    folders: Folders,
    /// User groups and their members.
    groups: Groups,
    /// The record of the organization.
    own_record: OwnRecord,
    /// Live state of documents.
    live_states: LiveStates,
    /// Rights of users.
    access: Access,
    /// Users who are present in documents.
    presences: Presences,
    /// Recordings.
    recordings: Recordings,
    /// Users, at every level.
    users: Users,
    /// Threads of comments.
    comments: Comments(Annotation),
}

/// The entry to the scope of the service itself.
pub trait SystemEntry {
    /// The scope of the service; callable from `service` only.
    fn system(&self) -> SystemStore;
}

impl SystemEntry for Store {
    fn system(&self) -> SystemStore {
        SystemStore::new(self)
    }
}

impl Editors<'_> {
    /// Editors of a document.
    pub fn of(self, document: &DocumentId) -> EditorStore {
        EditorStore::new(self.0, document)
    }
}

impl Organizations<'_> {
    /// All organizations.
    pub fn all(self) -> Collection<Organization> {
        self.0.collection()
    }
}

impl Folders<'_> {
    /// All folders.
    pub fn all(self) -> Collection<Folder> {
        self.0.collection()
    }
}

impl Groups<'_> {
    /// All groups.
    pub fn all(self) -> Collection<Group> {
        self.0.collection()
    }
    /// Members of the groups.
    pub fn members(self) -> Collection<GroupMember> {
        self.0.collection()
    }
}

impl Access<'_> {
    /// Rights of users, at every level.
    pub fn grants(self) -> Collection<Grant> {
        self.0.collection()
    }
}

impl Users<'_> {
    /// All users, at every level.
    pub fn all(self) -> Collection<User> {
        self.0.collection()
    }
}

impl Documents<'_> {
    /// All documents.
    pub fn all(self) -> Collection<Document> {
        self.0.collection()
    }
}
