use model::{AnnotationId, ApiKeyId, DocumentId, Email, Millis, OrganizationId};

/// What one mail to one recipient is about. Names and texts are as users wrote them: what writes a
/// mail makes them safe for the place where they go.
#[derive(Clone, Debug)]
pub struct Letter {
    /// Id of the delivery, the same for every attempt.
    pub id: String,
    /// Creation time.
    pub at: Millis,
    /// The recipient.
    pub to: Address,
    /// The sender; the name is made by [`crate::sender_name`].
    pub from: Address,
    /// Reply address, unless the sender's.
    pub reply_to: Option<Address>,
    /// Public host name of the deployment, for the ids in headers.
    pub host: String,
    /// The tenant; only a hash of it is shown, to tell whose mails are complained about.
    pub api_key: ApiKeyId,
    /// The organization that all documents belong to.
    pub organization_id: OrganizationId,
    /// Kind of the mail.
    pub kind: Kind,
    /// What a mailbox shows beside the subject; left out with the contents.
    pub preheader: String,
    /// Activities by document.
    pub documents: Vec<DocumentPart>,
    /// Why the recipient gets it.
    pub reason: Reason,
    /// Public URL that ends such mails, as RFC 8058 wants it.
    pub unsubscribe_url: String,
    /// Whether the mail shows what was written, or only that something was.
    pub include_contents: bool,
}

/// A mailbox and whose it is.
#[derive(Clone, Debug)]
pub struct Address {
    /// The address.
    pub email: Email,
    /// Display name.
    pub name: Option<String>,
}

/// What kind of mail it is, which decides its subject and whether mailboxes group it.
#[derive(Clone, Debug)]
pub enum Kind {
    /// One event in a thread; all mails of a thread form one conversation.
    Thread {
        /// The document of the thread.
        document_id: DocumentId,
        /// The thread.
        annotation_id: AnnotationId,
        /// What the document was called in the first mail about the thread. Not its present name:
        /// a subject that changes ends the conversation.
        document_name: String,
    },
    /// Several events.
    Digest,
    /// A notification that the caller's product wrote.
    Custom {
        /// The subject, ready to read.
        subject: String,
        /// What it says beyond that.
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
    /// How much more happened than `items` tells.
    pub more: usize,
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub struct Item {
    /// The actor.
    pub actor_name: String,
    /// What they did, as a predicate: "commented", "mentioned you".
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

/// Why a recipient gets a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// They, or a group of theirs, were mentioned.
    Mention,
    /// A thread was assigned to them.
    Assign,
    /// They take part in the thread.
    Reply,
    /// They subscribed to the thread.
    Subscribed,
    /// They want all mails of the document.
    All,
    /// They were named as a recipient.
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
