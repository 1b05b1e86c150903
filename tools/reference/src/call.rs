//! Calls, and their possible answers.

use std::collections::BTreeSet;

use crate::{
    Access, Actor, At, Doc, Folder, Holder, Level, Mark, Org, Role, ThreadNo, Tok, User, Visibility,
};

/// A call and its caller.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Asked {
    pub by: Actor,
    pub call: Call,
}

/// How a comment is written. An end user is its author, whoever `from` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct By {
    pub from: User,
    /// The text of the comment.
    pub mark: Mark,
    pub mention: Option<Holder>,
    /// `triggerNotification`.
    pub notify: bool,
    /// `triggerActivities`.
    pub activity: bool,
    /// A text of 3 KB, which moves the comments before it to the archive.
    pub long: bool,
}

/// A preference for a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Want {
    All,
    Mine,
    None,
}

/// The data that a reader asks for in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// `comments.annotations_get` of the document: `Answer::Threads`.
    Threads,
    /// `live-state.get`, of the one entry `e`: `Answer::Marks`.
    Live,
    /// `editors.get`, of the one editor `e`: `Answer::Marks`.
    Editor,
    /// `presence.get`: `Answer::Users`.
    Presence,
}

/// A call of the service. Durations are seconds from the time of the call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Call {
    AddOrganization(Org),
    DeleteOrganization(Org),
    DisableOrganization(Org, bool),

    /// In a parent (`None`: at the top), with an access type of its own (`None`: inherited).
    AddFolder(Org, Folder, Option<Folder>, Option<Access>),
    DeleteFolder(Org, Folder),
    MoveFolder(Org, Folder, Option<Folder>),
    /// `None` makes it inherit.
    FolderAccess(Org, Folder, Option<Access>),

    AddDocument(At, Option<Folder>),
    DeleteDocument(At),
    DisableDocument(At, bool),
    MoveDocument(At, Option<Folder>),
    DocumentAccess(At, Access),
    /// `documents.update` with another name: changes nothing that a question shows.
    RenameDocument(At),

    AddGroup(Org),
    DeleteGroup(Org),
    JoinGroup(Org, User),
    LeaveGroup(Org, User),

    /// `users.add`, with name and e-mail address. `None` sends no role.
    AddUser(Org, Level, User, Option<Role>),
    /// `users.update` with another name.
    UpdateUser(Org, Level, User),
    RemoveUser(Org, Level, User),
    /// `permissions.add`; `expiresAt` is the present second plus the number.
    Grant(Org, Level, Holder, Role, Option<u64>),
    Revoke(Org, Level, Holder),

    /// `users.generate_token`, for 48 hours, kept in the slot.
    Issue(Tok, User, Vec<(Org, Level, Role)>),
    /// `workspace.auth_token_reset` without grace; the runner goes on with the new auth token.
    ResetTokens,

    /// `comments.annotations_add` of one thread with its first comment.
    Thread(At, ThreadNo, Visibility, By),
    /// `comments.add` of one comment.
    Comment(At, ThreadNo, By),
    /// `comments.reactions_add` to the first comment of the thread.
    React(At, ThreadNo, User),
    /// `comments.annotations_update` of `assignedTo`, by the user, with `triggerActivities`.
    Assign(At, ThreadNo, User, User),
    /// `comments.annotations_delete` of one thread.
    DeleteThread(At, ThreadNo),
    /// `presence.add` of one user.
    Presence(At, User),
    /// `live-state.broadcast` of the entry `e`, `{mark: true}`; `true` merges.
    Live(At, Mark, bool),
    /// `editors.updates_add` to the editor `e`, with `type: text`: inserts the mark and a space.
    Append(At, Mark),
    /// `recordings.add` of a new recording, by the user.
    Recording(At, User, Mark),
    /// `activities.add` of a custom one by the first user, with the second in `changes`.
    Activity(At, User, User, Mark),
    /// `notifications.config_set` of inbox and mail, for a document or the organization. `None`
    /// sends nothing for a channel.
    Preference(Org, Option<Doc>, User, Option<Want>, Option<Want>),
    /// `notifications.seen`.
    Seen(At, ThreadNo, User),
    /// `user-data.delete` in all organizations, driven until the job says that it has ended.
    Erase(User),

    /// Questions. They change nothing.
    Read(At, What),
    /// `permissions.get` of everybody in both folders and all documents, without validation of
    /// existence: `Answer::Rights`.
    Rights(Org),
    /// `organizations.get`: `Answer::Organizations`.
    Organizations,
    /// `documents.get` of the organization: `Answer::Documents`.
    Documents(Org),
    /// `folders.get` of the organization, flat: `Answer::Folders`.
    Folders(Org),
    /// `users.get` of a level: `Answer::Users`.
    Users(Org, Level),
    /// `user-groups.get`: `Answer::Group`.
    Group(Org),
    /// `recordings.get` of a document: `Answer::Marks`.
    Recordings(At),
    /// `activities.get` of the organization: `Answer::Activities`.
    Activities(Org),
    /// `user-data.get`, all pages, comments of all threads in it: `Answer::Marks`.
    Export(Org, User),
    /// `notifications.get` of a user (of the holder, if an end user asks): `Answer::Told`. True
    /// only if all workers have run and nothing is due any more, after the delay of the key.
    Inbox(Org, User, bool),
    /// The mails of the outbox to a user, as `Inbox`.
    Outbox(User, bool),
    /// `notifications.config_get` of a user (of the holder, if an end user asks), for a document or
    /// for those without a preference of their own: `Answer::Wanted`.
    Preferences(Org, Option<Doc>, User),
}

/// Why a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// NOT_FOUND, or the code `not-found` of an entry.
    NotFound,
    /// PERMISSION_DENIED.
    Denied,
    /// ALREADY_EXISTS, or the code `already-exists` of an entry.
    Conflict,
    /// INVALID_ARGUMENT or FAILED_PRECONDITION, or the code `invalid-argument` of an entry.
    Invalid,
    /// An entry with `success` false and no code: fits every other refusal.
    Failed,
}

/// A thread as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listed {
    pub thread: ThreadNo,
    /// Texts of the thread, in order.
    pub marks: Vec<Mark>,
    /// Whether these are all (no `hasMoreComments`).
    pub whole: bool,
}

/// The entry of `permissions.get` for a user at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    pub user: User,
    pub level: Level,
    pub role: Option<Role>,
    /// The effective type; absent for the organization and what does not exist.
    pub access: Option<Access>,
    /// Whether the code is `does_not_exist`.
    pub absent: bool,
}

/// The answer to a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// No answer came, or one that says that the call may have been executed (INTERNAL,
    /// UNAVAILABLE, ABORTED).
    Lost,
    Refused(Refusal),
    /// The change was made.
    Done,
    Threads(Vec<Listed>),
    Marks(BTreeSet<Mark>),
    Users(BTreeSet<User>),
    Rights(Vec<Entry>),
    /// With the members `disabled`.
    Organizations(Vec<(Org, bool)>),
    /// With their folder, and the access type if the runner judges it.
    Documents(Vec<(Doc, Option<Folder>, Option<Access>)>),
    /// With their parent, and the effective access type if the runner judges it.
    Folders(Vec<(Folder, Option<Folder>, Option<Access>)>),
    /// The members of the one group, `None` if it is not there.
    Group(Option<BTreeSet<User>>),
    /// The marks of custom activities, and everybody whom any activity names, by id, name or
    /// address.
    Activities(BTreeSet<Mark>, BTreeSet<User>),
    /// The texts of the comments that the notifications are about, one for each notification.
    Told(Vec<Mark>),
    /// The user's wishes for the inbox and for mails, `None` in an organization that is not there.
    Wanted(Option<[Want; 2]>),
}
