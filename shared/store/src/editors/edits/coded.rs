//! Edits as bytes.
//!
//! Each edit is its time, as the difference to the one before; 20 bits of its id; the numbers of its
//! user and of its kind; of one that took back others, which; and its updates, each behind its
//! length. Numbers have seven bits a byte, the lowest first.

use std::fmt;

use error::{Error, Result};
use model::{Millis, editor::VersionKind};
use ulid::Ulid;

/// Length of an id as text: the beginning of a ULID.
const DIGITS: usize = 14;
/// The random bits of a ULID that are left out: they would take half of the space of a keystroke.
const LEFT_OUT: u32 = 60;

/// The name of an edit in its editor: its time, and 20 bits that tell it from others of that time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EditId {
    at: Millis,
    random: u32,
}

impl EditId {
    /// The id of the entry of a log whose row has that ULID.
    ///
    /// # Errors
    /// INTERNAL when it has none.
    pub(in crate::editors) fn of_row(ulid: &str) -> Result<Self> {
        let id = ulid.get(..DIGITS).and_then(Self::parse);
        id.ok_or_else(|| Error::internal("an entry of a log has no id"))
    }

    /// The id that is written like this.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != DIGITS {
            return None;
        }
        let ulid = Ulid::from_string(&format!("{text:0<26}")).ok()?;
        let random = u32::try_from(ulid.random() >> LEFT_OUT).ok()?;
        Some(Self { at: ulid.timestamp_ms(), random })
    }

    /// When it was accepted, in epoch milliseconds.
    pub fn at(self) -> Millis {
        self.at
    }
}

impl fmt::Display for EditId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ulid = Ulid::from_parts(self.at, u128::from(self.random) << LEFT_OUT).to_string();
        f.write_str(&ulid[..DIGITS])
    }
}

/// Edits of a user that an edit took back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reverts {
    /// Number of the user.
    pub user: u64,
    /// From this time on, in epoch milliseconds.
    pub from: Millis,
    /// Up to this time.
    pub to: Millis,
}

/// The time of a ULID; that of a broken one is the beginning.
pub(in crate::editors) fn time_of(ulid: &str) -> Millis {
    Ulid::from_string(ulid).map_or(0, |ulid| ulid.timestamp_ms())
}

/// One accepted write of an editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastEdit {
    /// The id of the edit.
    pub id: EditId,
    /// Number of its user; 0 for nobody.
    pub user: u64,
    /// The kind of the edit.
    pub kind: VersionKind,
    /// The edits that one of kind `Reverted` took back.
    pub reverts: Option<Reverts>,
    /// The updates, in order.
    pub updates: Vec<Vec<u8>>,
}

/// Edits as bytes.
pub(in crate::editors) fn encode(edits: &[PastEdit]) -> Vec<u8> {
    let (mut bytes, mut before) = (Vec::new(), 0);
    for PastEdit { id, user, kind, reverts, updates } in edits {
        // Of an earlier time than the one before, it wraps around.
        put(&mut bytes, id.at.wrapping_sub(before));
        before = id.at;
        put(&mut bytes, id.random.into());
        put(&mut bytes, *user);
        let number = VersionKind::ALL.iter().position(|known| known == kind).unwrap_or(0);
        put(&mut bytes, number as u64);
        if *kind == VersionKind::Reverted {
            let none = Reverts { user: 0, from: 0, to: 0 };
            let Reverts { user, from, to } = reverts.unwrap_or(none);
            [user, from, to].into_iter().for_each(|number| put(&mut bytes, number));
        }
        put(&mut bytes, updates.len() as u64);
        for update in updates {
            put(&mut bytes, update.len() as u64);
            bytes.extend_from_slice(update);
        }
    }
    bytes
}

/// The edits in bytes.
///
/// # Errors
/// INTERNAL when they cannot be read.
pub(in crate::editors) fn decode(bytes: &[u8]) -> Result<Vec<PastEdit>> {
    let (mut reader, mut edits, mut before) = (Reader(bytes), Vec::new(), 0);
    while !reader.0.is_empty() {
        let edit = reader.edit(before).ok_or_else(|| Error::internal("an edit cannot be read"))?;
        before = edit.id.at;
        edits.push(edit);
    }
    Ok(edits)
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(0x80 | (number & 0x7f) as u8);
        number >>= 7;
    }
    bytes.push(number as u8);
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn edit(&mut self, before: Millis) -> Option<PastEdit> {
        let at = self.number()?.wrapping_add(before);
        let id = EditId { at, random: u32::try_from(self.number()?).ok()? };
        let user = self.number()?;
        let kind = *VersionKind::ALL.get(usize::try_from(self.number()?).ok()?)?;
        let reverts = match kind {
            VersionKind::Reverted => self.reverts()?,
            _ => None,
        };
        let count = self.number()?;
        let updates = (0..count).map(|_| self.update()).collect::<Option<_>>()?;
        Some(PastEdit { id, user, kind, reverts, updates })
    }

    fn reverts(&mut self) -> Option<Option<Reverts>> {
        let (user, from, to) = (self.number()?, self.number()?, self.number()?);
        Some((user > 0).then_some(Reverts { user, from, to }))
    }

    fn update(&mut self) -> Option<Vec<u8>> {
        let len = usize::try_from(self.number()?).ok()?;
        let (update, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(update.to_vec())
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use model::editor::VersionKind;
    use simulator::Dice;

    use super::{EditId, PastEdit, Reverts, decode, encode};

    #[test]
    fn an_id_is_the_beginning_of_the_ulid_of_its_row() {
        let id = EditId::of_row("01KBM0Q5ZVX3J8M5T2R4C6D7E8").unwrap();
        assert_eq!(id.to_string(), "01KBM0Q5ZVX3J8");
        assert_eq!(EditId::parse("01KBM0Q5ZVX3J8"), Some(id));
        assert_eq!(
            id.at(),
            ulid::Ulid::from_string("01KBM0Q5ZVX3J8M5T2R4C6D7E8").unwrap().timestamp_ms()
        );
        for other in ["", "01KBM0Q5ZVX3J", "01KBM0Q5ZVX3J8M", "01KBM0Q5ZVX3J!", "ééééééé"] {
            assert_eq!(EditId::parse(other), None, "{other}");
        }
    }

    fn drawn(dice: &mut Dice) -> PastEdit {
        let kind = VersionKind::ALL[dice.below(4) as usize];
        let reverts = Reverts { user: 1 + dice.below(9), from: dice.below(1 << 40), to: u64::MAX };
        let update = |dice: &mut Dice| -> Vec<u8> {
            (0..dice.below(300)).map(|_| dice.below(256) as u8).collect()
        };
        PastEdit {
            id: EditId { at: dice.below(1 << 48), random: dice.below(1 << 20) as u32 },
            user: dice.below(300),
            kind,
            reverts: (kind == VersionKind::Reverted && dice.chance(5_000)).then_some(reverts),
            updates: (0..dice.below(3)).map(|_| update(dice)).collect(),
        }
    }

    #[test]
    fn edits_come_back_as_they_were() {
        let dice = &mut Dice::new(7);
        for n in [0, 1, 2, 200] {
            let edits: Vec<PastEdit> = (0..n).map(|_| drawn(dice)).collect();
            let bytes = encode(&edits);
            assert_eq!(decode(&bytes).unwrap(), edits);
            assert!(n == 0 || decode(&bytes[..bytes.len() - 1]).is_err());
        }
        assert!(decode(&[0x80]).is_err() && decode(&[1, 2, 3, 9, 0]).is_err());
    }
}
