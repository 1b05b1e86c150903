use std::fmt;

use mail_builder::{
    MessageBuilder,
    headers::{address, content_type::ContentType, date::Date},
    mime::MimePart,
};

use crate::{
    Address, Letter,
    headers::{headers, plain_id, subject},
    page::Page,
    sender,
};

/// Reason for an unsendable letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsendable {
    /// An address contains characters that most relays refuse.
    Address,
    /// The host name of the deployment is invalid.
    Host,
    /// A page could not be rendered.
    Page,
}

impl fmt::Display for Unsendable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Address => "an address is not plain ASCII",
            Self::Host => "the host name is not valid",
            Self::Page => "the page could not be written",
        })
    }
}

impl std::error::Error for Unsendable {}

/// The mail as MIME: headers, and the same page as plain text and as HTML. Equal letters give equal
/// mails.
///
/// # Errors
/// The letter can never be sent.
pub fn compose(letter: &Letter) -> Result<Vec<u8>, Unsendable> {
    check(letter)?;
    let page = Page::from_letter(letter);
    let (text, html) = (page.text()?, page.html()?);
    let id = plain_id(&letter.id);
    let seconds = i64::try_from(letter.at / 1000).unwrap_or_default();
    let mut mail = MessageBuilder::new()
        .message_id(format!("{id}@{}", letter.host))
        .date(Date::new(seconds))
        .from(mailbox(&letter.from))
        .to(mailbox(&letter.to));
    if let Some(reply_to) = &letter.reply_to {
        mail = mail.reply_to(mailbox(reply_to));
    }
    mail = mail.subject(subject(letter));
    for (name, value) in headers(letter) {
        mail = mail.header(name, value);
    }
    // A text cannot contain its own hash, so no part ends early.
    let mut boundary = keyring::sha256_hex(&format!("{id}\n{text}\n{html}"));
    boundary.truncate(40);
    let content = ContentType::new("multipart/alternative").attribute("boundary", boundary);
    let parts = vec![MimePart::new("text/plain", text), MimePart::new("text/html", html)];
    let mut bytes = Vec::new();
    mail.body(MimePart::new(content, parts)).serialize(&mut bytes);
    Ok(bytes)
}

/// Checks the parts that escaping cannot repair.
pub(crate) fn check(letter: &Letter) -> Result<(), Unsendable> {
    let addresses = [Some(&letter.to), Some(&letter.from), letter.reply_to.as_ref()];
    let is_plain =
        |text: &str| text.is_ascii() && !text.contains(|c: char| c.is_control() || c == ' ');
    if !addresses.into_iter().flatten().all(|address| is_plain(address.email.as_str())) {
        return Err(Unsendable::Address);
    }
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'.' || b == b'-';
    let is_host = (1..=253).contains(&letter.host.len()) && letter.host.bytes().all(is_name);
    if is_host { Ok(()) } else { Err(Unsendable::Host) }
}

fn mailbox(address: &Address) -> address::Address<'static> {
    let name = address.name.as_deref().map(sender::display_name).filter(|name| !name.is_empty());
    address::Address::new_address(name, address.email.as_str().to_owned())
}

#[cfg(test)]
mod tests;
