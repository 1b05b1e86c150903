//! Validation of encoded updates before the library trusts their lengths.
//!
//! The library reserves memory for the announced lengths and descends into values recursively; a
//! few bytes could exhaust memory or the stack, which no handler survives.

use error::{Error, Result};
use yrs::{Update, updates::decoder::Decode};

use crate::{Kind, MAX_DEPTH, Root, guard::contain, order::Facts};

/// Maximum size of a peer's update. It fits one stored item.
pub const MAX_UPDATE_BYTES: usize = 350 * 1024;

/// Maximum size of a document, as a snapshot.
pub const MAX_STATE_BYTES: usize = 16 * 1024 * 1024;

/// Memory of a block in the library, without its content, in bytes.
const BLOCK: usize = 208;

/// Size of a value.
const VALUE: usize = 32;

/// The facts about an update of a peer.
#[derive(Debug)]
pub struct Checked {
    /// Its size in memory, in bytes.
    pub footprint: usize,
    /// The text that it begins, if any: of several roots the first by [`crate::State::roots`]. Text
    /// next to older content does not name its root.
    pub text: Option<Root>,
}

/// Checks an update of a peer.
///
/// # Errors
/// INVALID_ARGUMENT, when it is too large or cannot be read.
pub fn check_update(update: &[u8]) -> Result<Checked> {
    if update.len() > MAX_UPDATE_BYTES {
        let limit = MAX_UPDATE_BYTES / 1024;
        return Err(Error::invalid(format!("An update must not be larger than {limit} KB.")));
    }
    let unreadable = || Error::invalid("The update cannot be read.");
    let facts = check(update, MAX_UPDATE_BYTES).map_err(|_| unreadable())?;
    contain(0, || Update::decode_v1(update).map(drop).map_err(|_| unreadable()))
        .map_err(|_| unreadable())?;
    let texts = facts.texts.into_iter().map(|(key, kind)| Root { key, kind, is_text: true });
    let text = texts.min_by(|a, b| a.order().cmp(&b.order()));
    Ok(Checked { footprint: facts.footprint, text })
}

/// Memory of an update, or of an encoded document, in bytes: many times its size when it has many
/// small blocks.
///
/// # Errors
/// INTERNAL, when it cannot be read.
pub fn footprint(update: &[u8]) -> Result<usize> {
    let facts = check(update, MAX_STATE_BYTES).map_err(Error::internal)?;
    Ok(facts.footprint)
}

/// Whether `update` is well formed and keeps within `limit` bytes and the depth of values.
pub(crate) fn check(update: &[u8], limit: usize) -> Result<Facts, &'static str> {
    if update.len() > limit {
        return Err("update is too large");
    }
    let mut reader = Reader { left: update, blocks: 0, values: 0, facts: Facts::default() };
    for _ in 0..reader.count()? {
        let structs = reader.count()?;
        let client = reader.client()?;
        let mut start = reader.clock()?;
        let mut end = start;
        for _ in 0..structs {
            let (len, is_skip) = reader.structure()?;
            if is_skip && start < end {
                reader.facts.runs.push((client, start, end));
            }
            end = within(end, len)?;
            start = if is_skip { end } else { start };
        }
        if start < end {
            reader.facts.runs.push((client, start, end));
        }
    }
    for _ in 0..reader.count()? {
        let client = reader.client()?;
        for _ in 0..reader.count()? {
            let clock = reader.clock()?;
            let end = within(clock, reader.clock()?)?;
            reader.facts.need(client, end);
        }
    }
    if !reader.left.is_empty() {
        return Err("update has more bytes than it says");
    }
    let footprint = update.len() + reader.blocks * BLOCK + reader.values * VALUE;
    Ok(Facts { footprint, ..reader.facts })
}

/// The entries of a state vector.
pub(crate) fn state_vector(bytes: &[u8]) -> Result<Vec<(u64, u32)>, &'static str> {
    let mut reader = Reader { left: bytes, blocks: 0, values: 0, facts: Facts::default() };
    let count = reader.count()?;
    let entries = (0..count).map(|_| Ok((reader.client()?, reader.clock()?)));
    let entries = entries.collect::<Result<_, &'static str>>()?;
    if reader.left.is_empty() { Ok(entries) } else { Err("state vector has more bytes") }
}

/// Half of the range: a peer must not use up the clock of another.
const MAX_CLOCK: u32 = 1 << 31;

/// The kind of text whose first item is this: characters, their format or an object among them are
/// in texts only, and elements in XML only.
fn text_of(tag: u8, content: &[u8]) -> Option<Kind> {
    match (tag, content.first()) {
        (4..=6, _) => Some(Kind::Text),
        (7, Some(3 | 5 | 6)) => Some(Kind::Xml),
        _ => None,
    }
}

fn within(clock: u32, len: u32) -> Result<u32, &'static str> {
    let end = clock.checked_add(len).filter(|end| *end < MAX_CLOCK);
    end.ok_or("clock is too large")
}

struct Reader<'a> {
    left: &'a [u8],
    /// Their number.
    blocks: usize,
    values: usize,
    facts: Facts,
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Result<u8, &'static str> {
        let (&first, rest) = self.left.split_first().ok_or("update ends early")?;
        self.left = rest;
        Ok(first)
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], &'static str> {
        let (taken, rest) = self.left.split_at_checked(len).ok_or("update ends early")?;
        self.left = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u64, &'static str> {
        let mut number = 0_u64;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err("number is too long")
    }

    /// A count of items of at least a byte each.
    fn count(&mut self) -> Result<usize, &'static str> {
        let count = usize::try_from(self.number()?).map_err(|_| "count is too large")?;
        if count <= self.left.len() { Ok(count) } else { Err("update ends early") }
    }

    fn client(&mut self) -> Result<u64, &'static str> {
        let client = self.number()?;
        if client < 1 << 53 { Ok(client) } else { Err("client is too large") }
    }

    fn clock(&mut self) -> Result<u32, &'static str> {
        u32::try_from(self.number()?).map_err(|_| "clock is too large")
    }

    fn id(&mut self) -> Result<(), &'static str> {
        let client = self.client()?;
        let end = within(self.clock()?, 1)?;
        self.facts.need(client, end);
        Ok(())
    }

    fn string(&mut self) -> Result<&'a str, &'static str> {
        let len = self.count()?;
        str::from_utf8(self.take(len)?).map_err(|_| "text is no UTF-8")
    }

    fn json(&mut self) -> Result<(), &'static str> {
        // "undefined" is the form of peers; the parser limits the depth of others.
        self.string().map(drop)
    }

    /// One struct; returns the number of its clocks, and whether it is a gap.
    fn structure(&mut self) -> Result<(u32, bool), &'static str> {
        self.blocks += 1;
        let info = self.byte()?;
        if info == 0 || info == 10 {
            return Ok((self.clock()?, info == 10));
        }
        let (origin, right_origin) = (info & 0x80 != 0, info & 0x40 != 0);
        if origin {
            self.id()?;
        }
        if right_origin {
            self.id()?;
        }
        let mut root = None;
        if !origin && !right_origin {
            match self.number()? {
                1 => root = Some(self.string()?),
                _ => self.id()?,
            }
            if info & 0x20 != 0 {
                self.string()?;
                root = None;
            }
        }
        let (tag, content) = (info & 0x0f, self.left);
        let len = self.content(tag)?;
        if let (Some(root), Some(kind)) = (root, text_of(tag, content)) {
            self.facts.begin(root, kind);
        }
        Ok((len, false))
    }

    fn content(&mut self, tag: u8) -> Result<u32, &'static str> {
        match tag {
            1 => return self.clock(),
            // 2 is the form of peers before 2020; the library misreads it.
            3 => {
                let len = self.count()?;
                self.take(len)?;
            }
            4 => {
                let len = self.string()?.encode_utf16().count();
                return u32::try_from(len).map_err(|_| "text is too long");
            }
            5 => self.json()?,
            6 => {
                self.string()?;
                self.json()?;
            }
            7 => match self.number()? {
                // An element and a hook have a name.
                3 | 5 => self.string().map(drop)?,
                0 | 1 | 2 | 4 | 6 => (),
                _ => return Err("type is unknown"),
            },
            8 => {
                let count = self.count()?;
                (0..count).try_for_each(|_| self.any(0))?;
                return u32::try_from(count).map_err(|_| "count is too large");
            }
            9 => {
                self.string()?;
                self.any(0)?;
            }
            _ => return Err("content is unknown"),
        }
        Ok(1)
    }

    fn any(&mut self, depth: usize) -> Result<(), &'static str> {
        if depth > 2 * MAX_DEPTH {
            return Err("value is nested too deep");
        }
        self.values += 1;
        match self.byte()? {
            116 => {
                let len = self.count()?;
                self.take(len).map(drop)
            }
            117 => {
                let count = self.count()?;
                (0..count).try_for_each(|_| self.any(depth + 1))
            }
            118 => {
                let count = self.count()?;
                (0..count).try_for_each(|_| {
                    self.string()?;
                    self.any(depth + 1)
                })
            }
            119 => self.string().map(drop),
            120 | 121 | 126 | 127 => Ok(()),
            122 | 123 => self.take(8).map(drop),
            124 => self.take(4).map(drop),
            125 => self.signed(),
            _ => Err("value is unknown"),
        }
    }

    fn signed(&mut self) -> Result<(), &'static str> {
        for _ in 0..10 {
            if self.byte()? < 0x80 {
                return Ok(());
            }
        }
        Err("number is too long")
    }
}
