//! Who wrote what: the user who first delivered an id.

use std::collections::BTreeMap;

use error::{Error, Result};

use super::{
    IdRange,
    ranges::{NOBODY, Ranges},
};
use crate::{
    merge::number,
    wire::{self, Reader, Struct, within},
};

/// Most ranges of ids whose author is noted; later ones have no author. A document that 37 people wrote in 18,000 edits has some hundred.
pub const MAX_AUTHOR_RANGES: usize = 100_000;

/// Most users of one document.
const MAX_USERS: usize = 10_000;

/// The form of kept bytes.
const FORM: u64 = 1;

/// The authors of ids: who first delivered them, in the order of the log. A repetition, whoever sends
/// it, changes nothing.
#[derive(Clone, Debug, Default)]
pub struct Authors {
    /// Users by their numbers, from one.
    users: Vec<String>,
    numbers: BTreeMap<String, u32>,
    ranges: Ranges,
}

/// Successive ids of one author.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuthorRange<'a> {
    /// The Yjs client.
    pub client: u64,
    /// The first clock.
    pub clock: u32,
    /// Number of the clocks.
    pub length: u32,
    /// The author; none if that is nobody: the tenant's own server, an erased user, or whoever
    /// wrote before the history began.
    pub user: Option<&'a str>,
}

impl Authors {
    /// The authors from the bytes that are kept beside a snapshot, if there are any. Ids of the
    /// snapshot of which these know nothing are nobody's.
    ///
    /// # Errors
    /// INTERNAL, when the bytes or the snapshot cannot be read.
    pub fn load(kept: Option<&[u8]>, snapshot: Option<&[u8]>) -> Result<Self> {
        let mut authors = match kept {
            Some(kept) => Self::read(kept).map_err(Error::internal)?,
            None => Self::default(),
        };
        if let Some(snapshot) = snapshot {
            authors.take_structs(snapshot, NOBODY).map_err(Error::internal)?;
        }
        Ok(authors)
    }

    /// Notes an update as it comes in the log: ids that are not known are by the user. Those of an
    /// update that waits for others, too; it is noted once.
    ///
    /// # Errors
    /// INTERNAL, when the update cannot be read: it was checked before it was stored.
    pub fn take(&mut self, update: &[u8], by: Option<&str>) -> Result<()> {
        let user = self.number(by);
        self.take_structs(update, user).map_err(Error::internal)
    }

    /// Notes the structs of an update.
    fn take_structs(&mut self, update: &[u8], user: u32) -> Result<(), &'static str> {
        let read = wire::read(update, update.len())?;
        for section in &read.sections {
            let client = section.client;
            let (mut from, mut clock) = (section.clock, section.clock);
            let mut reader = Reader::new(section.bytes);
            for _ in 0..section.count {
                let (len, what) = reader.structure()?;
                let end = within(clock, len)?;
                if matches!(what, Struct::Gap) {
                    let range = IdRange { client, clock: from, length: clock - from };
                    self.ranges.add(range, user, MAX_AUTHOR_RANGES);
                    from = end;
                }
                clock = end;
            }
            let range = IdRange { client, clock: from, length: clock - from };
            self.ranges.add(range, user, MAX_AUTHOR_RANGES);
        }
        Ok(())
    }

    fn number(&mut self, user: Option<&str>) -> u32 {
        let Some(user) = user.filter(|user| !user.is_empty()) else { return NOBODY };
        if let Some(number) = self.numbers.get(user) {
            return *number;
        }
        if self.users.len() >= MAX_USERS {
            return NOBODY;
        }
        self.users.push(user.to_owned());
        let number = u32::try_from(self.users.len()).unwrap_or(NOBODY);
        self.numbers.insert(user.to_owned(), number);
        number
    }

    fn name(&self, number: u32) -> Option<&str> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        self.users.get(at).map(String::as_str)
    }

    /// The author of an id, unless that is nobody.
    pub fn of(&self, client: u64, clock: u32) -> Option<&str> {
        let parts = self.ranges.parts(IdRange { client, clock, length: 1 });
        parts.first().and_then(|(_, user)| self.name((*user)?))
    }

    /// All ranges, by client and clock.
    pub fn ranges(&self) -> impl Iterator<Item = AuthorRange<'_>> {
        self.ranges.iter().map(|(range, user)| {
            let IdRange { client, clock, length } = range;
            AuthorRange { client, clock, length, user: self.name(user) }
        })
    }

    /// The ids of a user.
    pub(super) fn of_user(&self, user: &str) -> Vec<IdRange> {
        let Some(number) = self.numbers.get(user) else { return Vec::new() };
        let ranges = self.ranges.iter().filter(|(_, by)| by == number);
        ranges.map(|(range, _)| range).collect()
    }

    /// The parts of a range of ids by their authors.
    pub(super) fn inserted(&self, range: IdRange) -> Vec<(IdRange, Option<&str>)> {
        let parts = self.ranges.parts(range).into_iter();
        parts.map(|(part, user)| (part, user.and_then(|user| self.name(user)))).collect()
    }

    /// The bytes to keep beside a snapshot.
    pub fn write(&self) -> Vec<u8> {
        let ranges: Vec<(IdRange, u32)> = self.ranges.iter().collect();
        // The users who are named, in their order.
        let mut numbers: BTreeMap<u32, u64> = ranges.iter().map(|(_, user)| (*user, 0)).collect();
        numbers.remove(&NOBODY);
        numbers.values_mut().zip(1..).for_each(|(number, at)| *number = at);
        let mut bytes = Vec::new();
        number(&mut bytes, FORM);
        number(&mut bytes, numbers.len() as u64);
        for user in numbers.keys() {
            let name = self.name(*user).unwrap_or_default();
            number(&mut bytes, name.len() as u64);
            bytes.extend_from_slice(name.as_bytes());
        }
        let of_clients = || ranges.chunk_by(|(one, _), (other, _)| one.client == other.client);
        number(&mut bytes, of_clients().count() as u64);
        for ranges in of_clients() {
            number(&mut bytes, ranges[0].0.client);
            number(&mut bytes, ranges.len() as u64);
            let mut last = 0;
            for (range, user) in ranges {
                number(&mut bytes, u64::from(range.clock - last));
                number(&mut bytes, u64::from(range.length));
                number(&mut bytes, numbers.get(user).copied().unwrap_or_default());
                last = range.end();
            }
        }
        bytes
    }

    fn read(kept: &[u8]) -> Result<Self, &'static str> {
        let mut reader = Reader::new(kept);
        if u64::from(reader.clock()?) != FORM {
            return Err("authors have an unknown form");
        }
        let mut authors = Self::default();
        for _ in 0..reader.count()? {
            let user = reader.string()?;
            if authors.number(Some(user)) as usize != authors.users.len() {
                return Err("authors name a user twice");
            }
        }
        let users = authors.users.len();
        for _ in 0..reader.count()? {
            let (client, mut last) = (reader.client()?, 0);
            for _ in 0..reader.count()? {
                let clock = within(last, reader.clock()?)?;
                let length = reader.clock()?;
                last = within(clock, length)?;
                let user = reader.clock()?;
                if user as usize > users {
                    return Err("authors name an unknown user");
                }
                let range = IdRange { client, clock, length };
                authors.ranges.add(range, user, MAX_AUTHOR_RANGES);
            }
        }
        if reader.left.is_empty() { Ok(authors) } else { Err("authors have more bytes") }
    }
}

#[cfg(test)]
mod tests {
    use super::Authors;
    use crate::{State, history::AuthorRange};

    /// Text `letters` of a client from a clock on, and a deletion of all before it.
    fn update(client: u8, clock: u8, letters: &str, deleted: u8) -> Vec<u8> {
        let origin = clock.checked_sub(1);
        let mut bytes = vec![1, 1, client, clock];
        match origin {
            Some(origin) => bytes.extend([0x84, client, origin]),
            None => bytes.extend([4, 1, 1, b't']),
        }
        bytes.push(letters.len() as u8);
        bytes.extend(letters.as_bytes());
        match deleted {
            0 => bytes.push(0),
            _ => bytes.extend([1, client, 1, 0, deleted]),
        }
        bytes
    }

    fn all(authors: &Authors) -> Vec<(u64, u32, u32, Option<&str>)> {
        authors
            .ranges()
            .map(|AuthorRange { client, clock, length, user }| (client, clock, length, user))
            .collect()
    }

    #[test]
    fn the_first_deliverer_is_the_author_and_stays_it() {
        let first = update(7, 0, "ab", 0);
        let second = update(7, 2, "cde", 1);
        let mut authors = Authors::load(None, Some(&first)).unwrap();
        authors.take(&second, Some("ada")).unwrap();
        authors.take(&second, Some("eve")).unwrap();
        authors.take(&update(7, 0, "xxxxxx", 0), Some("eve")).unwrap();
        authors.take(&update(9, 0, "z", 0), Some("bob")).unwrap();
        let expected = [
            (7, 0, 2, None),
            (7, 2, 3, Some("ada")),
            (7, 5, 1, Some("eve")),
            (9, 0, 1, Some("bob")),
        ];
        assert_eq!(all(&authors), expected);
        assert_eq!(
            (authors.of(7, 4), authors.of(7, 0), authors.of(8, 0)),
            (Some("ada"), None, None)
        );

        let state = State::load(1, None, [first.as_slice(), &second]).unwrap();
        let kept = authors.write();
        assert!(kept.len() < 40, "{}", kept.len());
        let again = Authors::load(Some(&kept), Some(&state.encode())).unwrap();
        assert_eq!(all(&again), expected);
        assert_eq!(again.write(), kept);
    }

    #[test]
    fn what_an_update_leaves_out_has_no_author() {
        // One letter, two clocks that are not there, and one letter.
        let gap = [1, 3, 7, 0, 4, 1, 1, b't', 1, b'a', 10, 2, 0x84, 7, 2, 1, b'd', 0];
        let mut authors = Authors::default();
        authors.take(&gap, Some("ada")).unwrap();
        authors.take(&update(7, 0, "abcd", 0), Some("bob")).unwrap();
        let expected = [(7, 0, 1, Some("ada")), (7, 1, 2, Some("bob")), (7, 3, 1, Some("ada"))];
        assert_eq!(all(&authors), expected);
    }

    #[test]
    fn bytes_that_are_none_of_ours_are_refused() {
        for bytes in [&[][..], &[2, 0, 0], &[1, 0], &[1, 0, 0, 0], &[1, 0, 1, 7, 1, 0, 1, 1]] {
            assert!(Authors::load(Some(bytes), None).is_err(), "{bytes:?}");
        }
    }
}
