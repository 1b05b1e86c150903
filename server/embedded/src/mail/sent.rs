//! Accepted mails.

/// An accepted mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentMail {
    /// The id in the reply and in the header `Message-ID`.
    pub id: String,
    /// Time of acceptance, in milliseconds since the epoch.
    pub at: u64,
    /// The sender in the request, or else the header `From`.
    pub from: String,
    /// Every recipient of the request.
    pub to: Vec<String>,
    /// Header and body as sent, with the `Message-ID` and `Date` of SES.
    pub raw: Vec<u8>,
    /// The tags of the request, in its order.
    pub tags: Vec<(String, String)>,
    /// The configuration set; without one, the outcome of the mail is not reported.
    pub configuration_set: Option<String>,
}

impl SentMail {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}
