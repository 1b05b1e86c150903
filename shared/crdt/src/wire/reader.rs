//! Reading the wire format of Yjs, version 1.

use crate::{MAX_DEPTH, merge::number};

/// Half of the range: a peer must not use up the clock of another.
const MAX_CLOCK: u32 = 1 << 31;

/// The largest integer that JavaScript reads exactly.
const MAX_INTEGER: u64 = 1 << 53;

/// Something written: its client and clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Id {
    pub(crate) client: u64,
    pub(crate) clock: u32,
}

/// Where an item is, if it says so: an item beside others does not.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Parent<'a> {
    Root(&'a str),
    Item(Id),
}

/// One struct of an update.
#[derive(Debug)]
pub(crate) enum Struct<'a> {
    /// Clocks that the update does not have.
    Gap,
    /// Collected content.
    Gone,
    Item(Item<'a>),
}

#[derive(Debug)]
pub(crate) struct Item<'a> {
    /// First byte of the item: the kind of its content, and which of the following members it has.
    pub(crate) info: u8,
    pub(crate) origin: Option<Id>,
    pub(crate) right_origin: Option<Id>,
    pub(crate) parent: Option<Parent<'a>>,
    /// The key of a map under which it is, if it says so.
    pub(crate) key: Option<&'a str>,
    /// The bytes that say where it is.
    pub(crate) place: &'a [u8],
    pub(crate) content: &'a [u8],
}

impl Item<'_> {
    /// The items that it refers to.
    pub(crate) fn needs(&self) -> impl Iterator<Item = Id> {
        let parent = match self.parent {
            Some(Parent::Item(id)) => Some(id),
            _ => None,
        };
        [self.origin, self.right_origin, parent].into_iter().flatten()
    }

    /// The kind of its content.
    pub(crate) fn tag(&self) -> u8 {
        self.info & 0x0f
    }

    /// Whether it is a shared type that has content of its own.
    pub(crate) fn is_type(&self) -> bool {
        self.tag() == 7 && self.unsupported().is_none()
    }

    /// The last value of content with several.
    pub(crate) fn last(&self) -> Option<Vec<u8>> {
        let mut reader = Reader::new(self.content);
        match self.tag() {
            4 => {
                let last = reader.string().ok()?.chars().next_back()?;
                // Half of a pair is unreadable on its own.
                let whole = if last.len_utf16() == 1 { last } else { char::REPLACEMENT_CHARACTER };
                let mut last = vec![0; 1 + whole.len_utf8()];
                whole.encode_utf8(&mut last[1..]);
                last[0] = u8::try_from(whole.len_utf8()).ok()?;
                Some(last)
            }
            8 => {
                let before = reader.count().ok()?.checked_sub(1)?;
                (0..before).try_for_each(|_| reader.any(0)).ok()?;
                Some([&[1], reader.left].concat())
            }
            _ => None,
        }
    }

    /// The text or values of the item in pieces of at most `size` bytes, with the clocks of each;
    /// none for other content, or when a value is larger.
    pub(crate) fn pieces(&self, size: usize) -> Option<Vec<(Vec<u8>, u32)>> {
        let (mut reader, mut pieces) = (Reader::new(self.content), vec![]);
        match self.tag() {
            4 => {
                let mut rest = reader.string().ok()?;
                while !rest.is_empty() {
                    let (piece, later) = rest.split_at(rest.floor_char_boundary(size));
                    let len = u32::try_from(piece.encode_utf16().count()).ok();
                    let len = len.filter(|len| *len > 0)?;
                    pieces.push((counted(piece.len(), piece.as_bytes()), len));
                    rest = later;
                }
            }
            8 => {
                let mut left = reader.count().ok()?;
                while left > 0 {
                    let (from, mut count, mut end) = (reader.left, 0, 0);
                    while left > 0 {
                        let mut next = reader.clone();
                        next.any(0).ok()?;
                        if count > 0 && from.len() - next.left.len() > size {
                            break;
                        }
                        (count, left, end) = (count + 1, left - 1, from.len() - next.left.len());
                        reader = next;
                    }
                    let len = u32::try_from(count).ok().filter(|len| *len > 0)?;
                    pieces.push((counted(count, &from[..end]), len));
                }
            }
            _ => return None,
        }
        Some(pieces)
    }

    /// Why the library cannot hold it, if so.
    pub(crate) fn unsupported(&self) -> Option<&'static str> {
        match (self.tag(), self.content.first()) {
            // The library keeps a document with a subdocument in memory for ever.
            (9, _) => Some("Subdocuments are not supported."),
            // The library loses its name.
            (7, Some(5)) => Some("XML hooks are not supported."),
            _ => None,
        }
    }
}

/// Bytes after their number.
pub(super) fn counted(count: usize, bytes: &[u8]) -> Vec<u8> {
    let mut counted = vec![];
    number(&mut counted, count as u64);
    counted.extend_from_slice(bytes);
    counted
}

/// The reader of the bytes of an update.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reader<'a> {
    pub(crate) left: &'a [u8],
    /// The number of structs and of values.
    pub(crate) blocks: usize,
    pub(crate) values: usize,
    /// Something was read that Yjs does not read.
    pub(crate) is_strange: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(left: &'a [u8]) -> Self {
        Self { left, ..Self::default() }
    }

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
    pub(crate) fn count(&mut self) -> Result<usize, &'static str> {
        let count = usize::try_from(self.number()?).map_err(|_| "count is too large")?;
        if count <= self.left.len() { Ok(count) } else { Err("update ends early") }
    }

    pub(crate) fn client(&mut self) -> Result<u64, &'static str> {
        let client = self.number()?;
        if client < 1 << 53 { Ok(client) } else { Err("client is too large") }
    }

    pub(crate) fn clock(&mut self) -> Result<u32, &'static str> {
        u32::try_from(self.number()?).map_err(|_| "clock is too large")
    }

    fn id(&mut self) -> Result<Id, &'static str> {
        let client = self.client()?;
        let clock = self.clock()?;
        within(clock, 1)?;
        Ok(Id { client, clock })
    }

    pub(crate) fn string(&mut self) -> Result<&'a str, &'static str> {
        let len = self.count()?;
        str::from_utf8(self.take(len)?).map_err(|_| "text is no UTF-8")
    }

    /// One struct, and the number of its clocks.
    pub(crate) fn structure(&mut self) -> Result<(u32, Struct<'a>), &'static str> {
        self.blocks += 1;
        let info = self.byte()?;
        if info == 0 || info == 10 {
            let len = self.clock()?;
            return Ok((len, if info == 0 { Struct::Gone } else { Struct::Gap }));
        }
        // Yjs takes five bits for the kind of the content, the library four.
        self.is_strange |= info & 0x10 != 0;
        let origin = if info & 0x80 != 0 { Some(self.id()?) } else { None };
        let right_origin = if info & 0x40 != 0 { Some(self.id()?) } else { None };
        let (mut parent, mut key) = (None, None);
        let place = self.left;
        if origin.is_none() && right_origin.is_none() {
            let is_root = self.number()?;
            self.is_strange |= is_root > 1;
            parent = Some(match is_root {
                1 => Parent::Root(self.string()?),
                _ => Parent::Item(self.id()?),
            });
            if info & 0x20 != 0 {
                key = Some(self.string()?);
            }
        }
        let start = self.left;
        let place = &place[..place.len() - start.len()];
        let len = self.content(info & 0x0f)?;
        let content = &start[..start.len() - self.left.len()];
        let item = Item { info, origin, right_origin, parent, key, place, content };
        Ok((len, Struct::Item(item)))
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
            // The library limits the depth of JSON.
            5 => drop(self.string()?),
            6 => {
                self.string()?;
                self.string()?;
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

    pub(crate) fn any(&mut self, depth: usize) -> Result<(), &'static str> {
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
        let first = self.byte()?;
        let mut number = u128::from(first & 0x3f);
        let mut last = first;
        for shift in (6..69).step_by(7) {
            if last < 0x80 {
                self.is_strange |= number > u128::from(MAX_INTEGER);
                return Ok(());
            }
            last = self.byte()?;
            number |= u128::from(last & 0x7f) << shift;
        }
        if last < 0x80 {
            self.is_strange = true;
            Ok(())
        } else {
            Err("number is too long")
        }
    }
}

/// The end of a range.
pub(crate) fn within(clock: u32, len: u32) -> Result<u32, &'static str> {
    let end = clock.checked_add(len).filter(|end| *end < MAX_CLOCK);
    end.ok_or("clock is too large")
}
