//! Validation of encoded updates before the library trusts their lengths.
//!
//! The library reserves memory for the announced lengths and descends into values recursively; a
//! few bytes could exhaust memory or the stack, which no handler survives.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use error::{Error, Result};
use yrs::{ClientID, ID, Update, updates::decoder::Decode};

use crate::{Kind, Root, guard::contain, originals::rewrite};
pub(crate) use json::content;
pub(crate) use reader::{Id, Item, Parent, Reader, Struct, within};

mod json;
pub(crate) mod parts;
mod reader;

/// Maximum size of a peer's update: in base64 it fits the body of a call.
pub const MAX_UPDATE_BYTES: usize = 4_100_000;

/// Maximum memory of a peer's update, in bytes.
const MAX_UPDATE_FOOTPRINT: usize = 32 * 1024 * 1024;

/// Maximum size of a document, as a snapshot.
pub const MAX_STATE_BYTES: usize = 16 * 1024 * 1024;

/// Memory of a block in the library, without its content, in bytes.
const BLOCK: usize = 208;

/// Size of a value.
const VALUE: usize = 32;

/// The facts about an update of a peer.
#[derive(Debug)]
pub struct Checked {
    /// Size of the update in memory, in bytes.
    pub footprint: usize,
    /// The text that it begins, if any: of several roots the first by [`crate::State::roots`]. Text
    /// next to older content does not name its root.
    pub text: Option<Root>,
    /// The clients of its structs, each with whether its first struct is among them. Deletions are
    /// of nobody.
    pub clients: BTreeMap<u64, bool>,
}

/// Checks an update of a peer, by its bytes alone. Its effect is a property of the document that it
/// is merged into: see [`crate::State`].
///
/// # Errors
/// INVALID_ARGUMENT, when it is too large, cannot be read, or is one that Yjs neither writes nor
/// reads; RESOURCE_EXHAUSTED, when it consists of too many parts.
pub fn check_update(update: &[u8]) -> Result<Checked> {
    if update.len() > MAX_UPDATE_BYTES {
        let most = MAX_UPDATE_BYTES;
        return Err(Error::invalid(format!("An update must not be larger than {most} bytes.")));
    }
    let unreadable = || Error::invalid("The update cannot be read.");
    let read = read(update, MAX_UPDATE_BYTES).map_err(|_| unreadable())?;
    if let Some(unsupported) = read.unsupported {
        return Err(Error::invalid(unsupported));
    }
    if read.is_strange {
        return Err(unreadable());
    }
    let footprint = read.footprint;
    if footprint > MAX_UPDATE_FOOTPRINT {
        return Err(Error::exhausted(format!(
            "To read the update would take {footprint} bytes of memory; at most \
             {MAX_UPDATE_FOOTPRINT} are allowed."
        )));
    }
    let decoded = || Update::decode_v1(&readable(update)).map_err(|_| unreadable());
    let structs = contain(0, || decoded().map(|update| update.insertions(true)));
    let structs = structs.map_err(|_| unreadable())?;
    let of = |client: ClientID| (client.get(), structs.contains(&ID { client, clock: 0 }));
    let clients = structs.client_ids().map(of).collect();
    let texts = read.texts.into_iter().map(|(key, kind)| Root { key, kind, is_text: true });
    let text = texts.min_by(|a, b| a.order().cmp(&b.order()));
    Ok(Checked { footprint: read.footprint, text, clients })
}

/// Memory of an update, or of an encoded document, in bytes: many times its size when it has many
/// small blocks.
///
/// # Errors
/// INTERNAL, when it cannot be read.
pub fn footprint(update: &[u8]) -> Result<usize> {
    let read = read(update, update.len()).map_err(Error::internal)?;
    Ok(read.footprint)
}

/// An update that is well formed.
#[derive(Debug, Default)]
pub(crate) struct Read<'a> {
    /// Size of the update in memory, in bytes.
    pub(crate) footprint: usize,
    pub(crate) sections: Vec<Section<'a>>,
    /// Ranges: a client, from one clock to another.
    pub(crate) deletions: Vec<(u64, u32, u32)>,
    /// The roots in which it begins a text.
    texts: BTreeMap<String, Kind>,
    /// The content that the library cannot hold.
    unsupported: Option<&'static str>,
    /// Yjs neither writes nor reads such an update. Some were stored by earlier versions.
    is_strange: bool,
}

/// The structs of one client.
#[derive(Clone, Debug)]
pub(crate) struct Section<'a> {
    pub(crate) client: u64,
    /// The clock of the first one.
    pub(crate) clock: u32,
    /// Number of the structs.
    pub(crate) count: usize,
    pub(crate) bytes: &'a [u8],
}

impl Read<'_> {
    /// Notes the first item of a root. Characters next to elements are nested text, which is read
    /// as XML.
    fn begin(&mut self, item: &Item<'_>) {
        let (Some(Parent::Root(root)), None) = (item.parent, item.key) else { return };
        let Some(kind) = text_of(item) else { return };
        match self.texts.get_mut(root) {
            Some(known) if kind == Kind::Xml => *known = kind,
            Some(_) => {}
            None => drop(self.texts.insert(root.to_owned(), kind)),
        }
    }

    /// Notes what Yjs stumbles over: an item that comes before what it refers to, is before and
    /// behind the same, or has no content.
    fn doubt(&mut self, at: Id, len: u32, item: &Item<'_>) {
        let is_later = |id: Id| id.client == at.client && id.clock >= at.clock;
        let is_between = item.origin.is_none() || item.origin != item.right_origin;
        self.is_strange |= len == 0 || !is_between || item.needs().any(is_later);
        self.unsupported = self.unsupported.or(item.unsupported());
    }
}

/// Reads an update that keeps within `limit` bytes and the depth of values.
pub(crate) fn read(update: &[u8], limit: usize) -> Result<Read<'_>, &'static str> {
    if update.len() > limit {
        return Err("update is too large");
    }
    let mut reader = Reader::new(update);
    let mut read = Read::default();
    let mut clients = BTreeSet::new();
    for _ in 0..reader.count()? {
        let count = reader.count()?;
        let client = reader.client()?;
        // Yjs forgets the first structs of a client that comes twice.
        read.is_strange |= !clients.insert(client);
        let mut clock = reader.clock()?;
        read.sections.push(Section { client, clock, count, bytes: reader.left });
        for _ in 0..count {
            let (len, what) = reader.structure()?;
            if let Struct::Item(item) = &what {
                read.begin(item);
                read.doubt(Id { client, clock }, len, item);
            }
            clock = within(clock, len)?;
        }
    }
    clients.clear();
    for _ in 0..reader.count()? {
        let client = reader.client()?;
        // Yjs stumbles over what is empty, or not in order, if it cannot delete it yet.
        read.is_strange |= !clients.insert(client);
        let mut last = 0;
        for _ in 0..reader.count()? {
            let clock = reader.clock()?;
            let end = within(clock, reader.clock()?)?;
            read.is_strange |= clock == end || clock < last;
            last = end;
            read.deletions.push((client, clock, end));
        }
    }
    if !reader.left.is_empty() {
        return Err("update has more bytes than it says");
    }
    read.footprint = update.len() + reader.blocks * BLOCK + reader.values * VALUE;
    read.is_strange |= reader.is_strange;
    Ok(read)
}

/// A checked update with JSON as the library reads it.
pub(crate) fn readable(update: &[u8]) -> Cow<'_, [u8]> {
    let rewritten = rewrite(update, |_, _, item| match content(item) {
        Cow::Owned(content) => Some(content),
        Cow::Borrowed(_) => None,
    });
    rewritten.map_or(Cow::Borrowed(update), Cow::Owned)
}

/// The entries of a state vector.
pub(crate) fn state_vector(bytes: &[u8]) -> Result<Vec<(u64, u32)>, &'static str> {
    let mut reader = Reader::new(bytes);
    let count = reader.count()?;
    let entries = (0..count).map(|_| Ok((reader.client()?, reader.clock()?)));
    let entries = entries.collect::<Result<_, &'static str>>()?;
    if reader.left.is_empty() { Ok(entries) } else { Err("state vector has more bytes") }
}

/// The kind of text whose first item is this: characters, their format or an object among them are
/// in texts only, and elements in XML only.
fn text_of(item: &Item<'_>) -> Option<Kind> {
    match (item.tag(), item.content.first()) {
        (4..=6, _) => Some(Kind::Text),
        (7, Some(3 | 5 | 6)) => Some(Kind::Xml),
        _ => None,
    }
}
