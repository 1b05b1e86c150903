use model::{AnnotationId, ApiKeyId, DocumentId, Email, Millis, OrganizationId};

/// The content of one mail to one recipient. Names and texts are user input: the writers of mails
/// escape them for their destination.
#[derive(Clone, Debug)]
pub struct Letter {
    /// Id of the delivery, the same for every attempt.
    pub id: String,
    /// Creation time.
    pub at: Millis,
    /// The recipient.
    pub to: Address,
    /// The sender; its name is from [`crate::sender_name`].
    pub from: Address,
    /// Reply address, unless the sender's.
    pub reply_to: Option<Address>,
    /// Public host name of the deployment, for the ids in headers.
    pub host: String,
    /// The tenant; only its hash is shown, to attribute complaints.
    pub api_key: ApiKeyId,
    /// The organization that all documents belong to.
    pub organization_id: OrganizationId,
    /// Kind of the mail.
    pub kind: Kind,
    /// The preview text; omitted without contents.
    pub preheader: String,
    /// Activities by document.
    pub documents: Vec<DocumentPart>,
    /// The reason for the mail.
    pub reason: Reason,
    /// The unsubscribe URL (RFC 8058).
    pub unsubscribe_url: String,
    /// Whether the mail quotes content, or only reports activities.
    pub include_contents: bool,
}

/// A mailbox with its owner's name.
#[derive(Clone, Debug)]
pub struct Address {
    /// The address.
    pub email: Email,
    /// Display name.
    pub name: Option<String>,
}

/// The kind of a mail, which decides its subject and threading.
#[derive(Clone, Debug)]
pub enum Kind {
    /// One event in a thread; all mails of a thread form one conversation.
    Thread {
        /// The document of the thread.
        document_id: DocumentId,
        /// The thread.
        annotation_id: AnnotationId,
        /// The name of the document in the first mail about the thread, because a changed subject
        /// ends the conversation.
        document_name: String,
    },
    /// Several events.
    Digest,
    /// A custom notification.
    Custom {
        /// The subject, ready to read.
        subject: String,
        /// The body, if any.
        body: Option<String>,
    },
}

/// The activities of one document.
#[derive(Clone, Debug)]
pub struct DocumentPart {
    /// The document.
    pub id: DocumentId,
    /// Current name.
    pub name: String,
    /// URL of the resource.
    pub link: Option<String>,
    /// Activities, the oldest first.
    pub items: Vec<Item>,
    /// The number of further activities.
    pub more: usize,
}

/// One activity.
#[derive(Clone, Debug)]
pub struct Item {
    /// The actor.
    pub actor_name: String,
    /// The action as a predicate: "commented", "mentioned you".
    pub action: String,
    /// Whether it is a comment, for the wording of a subject.
    pub is_comment: bool,
    /// The quoted text.
    pub quote: Option<String>,
    /// URL of the resource.
    pub link: Option<String>,
    /// Time of the event.
    pub at: Millis,
}

/// The reason for a mail to a recipient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The recipient or one of their groups was mentioned.
    Mention,
    /// A thread was assigned to the recipient.
    Assign,
    /// The recipient takes part in the thread.
    Reply,
    /// The recipient subscribed to the thread.
    Subscribed,
    /// The recipient chose all mails of the document.
    All,
    /// The recipient was named.
    Custom,
}

impl Reason {
    /// The word in the header `X-Service-Reason`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mention => "mention",
            Self::Assign => "assign",
            Self::Reply => "reply",
            Self::Subscribed => "subscribed",
            Self::All => "all",
            Self::Custom => "custom",
        }
    }

    /// The line at the foot of the mail.
    pub(crate) const fn sentence(self) -> &'static str {
        match self {
            Self::Mention => "You get this because you were mentioned.",
            Self::Assign => "You get this because the thread is assigned to you.",
            Self::Reply => "You get this because you take part in the thread.",
            Self::Subscribed => "You get this because you subscribed to the thread.",
            Self::All => "You get this because you chose to get all mails.",
            Self::Custom => "You get this because you were named as a recipient.",
        }
    }
}

impl Kind {
    /// A word for the kind, for statistics.
    pub(crate) const fn word(&self) -> &'static str {
        match self {
            Self::Thread { .. } => "thread",
            Self::Digest => "digest",
            Self::Custom { .. } => "custom",
        }
    }
}
