//! Parts of the content of items.

use crate::{merge::number, wire::Reader};

/// Text or values of successive items, as one.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) tag: u8,
    /// Number of clocks.
    pub(super) len: u32,
    /// Text, or values without their number, or all other content as it is written.
    pub(super) bytes: Vec<u8>,
}

impl Content {
    /// Writes it as it is in an item.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        match self.tag {
            4 => number(bytes, self.bytes.len() as u64),
            8 => number(bytes, u64::from(self.len)),
            _ => (),
        }
        bytes.extend_from_slice(&self.bytes);
    }
}

/// A part of the content of an item, in clocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice<'a> {
    pub(super) tag: u8,
    /// Content of the whole item.
    pub(super) item: &'a [u8],
    pub(super) offset: u32,
    pub(super) len: u32,
}

/// Cuts content. Nodes of one item mostly come from left to right: each search goes on where the
/// last one ended.
#[derive(Debug, Default)]
pub(super) struct Cutter {
    /// The item: where its content is in memory.
    item: usize,
    /// A clock in it, and the bytes before that.
    clock: u32,
    bytes: usize,
}

impl Cutter {
    /// Adds a part to that of `content`, if both are text or values; otherwise
    /// returns it as the next one. Nothing, when it cannot be read.
    pub(super) fn add(
        &mut self,
        content: Option<&mut Content>,
        slice: Slice<'_>,
    ) -> Option<Content> {
        let next = self.content(slice)?;
        match content {
            Some(content) if content.tag == next.tag && matches!(next.tag, 4 | 8) => {
                content.len += next.len;
                content.bytes.extend(next.bytes);
                None
            }
            _ => Some(next),
        }
    }

    /// The content of a part; none, when it cannot be read.
    pub(super) fn content(&mut self, slice: Slice<'_>) -> Option<Content> {
        let (start, end) = (slice.offset, slice.offset + slice.len);
        let (len, bytes) = match slice.tag {
            4 => {
                let text = Reader::new(slice.item).string().ok()?;
                let letter = |at: usize| {
                    let letter = text.get(at..)?.chars().next()?;
                    Some((letter.len_utf8(), letter.len_utf16()))
                };
                // A cut within a pair of surrogates moves to its start.
                let from = self.seek(slice.item, start, letter)?;
                let text = text.get(from..self.seek(slice.item, end, letter)?)?;
                (text.encode_utf16().count(), text.as_bytes().to_vec())
            }
            8 => {
                let mut values = Reader::new(slice.item);
                values.count().ok()?;
                let values = values.left;
                let value = |at: usize| {
                    let mut reader = Reader::new(values.get(at..)?);
                    let before = reader.left.len();
                    reader.any(0).ok()?;
                    Some((before - reader.left.len(), 1))
                };
                let from = self.seek(slice.item, start, value)?;
                let values = values.get(from..self.seek(slice.item, end, value)?)?;
                (slice.len as usize, values.to_vec())
            }
            _ => (slice.len as usize, slice.item.to_vec()),
        };
        let len = u32::try_from(len).ok().filter(|len| *len > 0)?;
        Some(Content { tag: slice.tag, len, bytes })
    }

    /// The bytes before a clock of an item: `part` tells the bytes and clocks of the part after so
    /// many bytes.
    fn seek(
        &mut self,
        content: &[u8],
        clock: u32,
        part: impl Fn(usize) -> Option<(usize, usize)>,
    ) -> Option<usize> {
        let item = content.as_ptr() as usize;
        if self.item != item || self.clock > clock {
            *self = Self { item, clock: 0, bytes: 0 };
        }
        while self.clock < clock {
            let (bytes, clocks) = part(self.bytes)?;
            let end = self.clock.checked_add(u32::try_from(clocks).ok()?)?;
            if end > clock {
                break;
            }
            (self.bytes, self.clock) = (self.bytes + bytes, end);
        }
        Some(self.bytes)
    }
}
