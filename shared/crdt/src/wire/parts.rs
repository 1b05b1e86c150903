//! The parts of an update, counted before anything is collected: a section takes three bytes of an
//! update and fifty times as much memory.

use error::{Error, Result};

use super::{Parent, Reader, Struct};

/// Most sections, each of one client.
const MAX_SECTIONS: usize = 50_000;
/// Most items that name the shared type they are in: the first ones of each type.
const MAX_ROOTS: usize = 50_000;
/// Most ranges of deletions.
const MAX_DELETIONS: usize = 1_000_000;

/// Checks that the parts of an update take not much more memory than its bytes. It takes none itself.
///
/// # Errors
/// INVALID_ARGUMENT, when it cannot be read; RESOURCE_EXHAUSTED, when there are too many.
pub fn check_parts(update: &[u8]) -> Result<()> {
    match count(update) {
        Ok(Some(many)) => Err(Error::exhausted(format!("An update must not have so many {many}."))),
        Ok(None) => Ok(()),
        Err(_) => Err(Error::invalid("The update cannot be read.")),
    }
}

/// The name of the parts of which there are too many.
fn count(update: &[u8]) -> Result<Option<&'static str>, &'static str> {
    let mut reader = Reader::new(update);
    let sections = reader.count()?;
    if sections > MAX_SECTIONS {
        return Ok(Some("clients"));
    }
    let mut roots = 0;
    for _ in 0..sections {
        let structs = reader.count()?;
        reader.client()?;
        reader.clock()?;
        for _ in 0..structs {
            if let (_, Struct::Item(item)) = reader.structure()?
                && item.key.is_none()
                && matches!(item.parent, Some(Parent::Root(_)))
            {
                roots += 1;
            }
        }
        if roots > MAX_ROOTS {
            return Ok(Some("shared types"));
        }
    }
    let clients = reader.count()?;
    let mut deletions = clients;
    for _ in 0..clients {
        reader.client()?;
        let ranges = reader.count()?;
        deletions = deletions.saturating_add(ranges);
        if deletions > MAX_DELETIONS {
            return Ok(Some("deletions"));
        }
        for _ in 0..ranges {
            reader.clock()?;
            reader.clock()?;
        }
    }
    Ok((deletions > MAX_DELETIONS).then_some("deletions"))
}

#[cfg(test)]
mod tests {
    use super::{MAX_DELETIONS, MAX_SECTIONS, check_parts};
    use crate::merge::number;

    fn numbers(numbers: &[usize]) -> Vec<u8> {
        let mut bytes = vec![];
        numbers.iter().for_each(|it| number(&mut bytes, *it as u64));
        bytes
    }

    #[test]
    fn what_takes_more_memory_than_bytes_is_refused() {
        let sections = |count: usize| {
            let sections = (0..count).flat_map(|client| numbers(&[0, client, 0]));
            [numbers(&[count]), sections.collect(), vec![0]].concat()
        };
        assert!(check_parts(&sections(MAX_SECTIONS)).is_ok());
        let refused = check_parts(&sections(MAX_SECTIONS + 1)).unwrap_err();
        assert_eq!(refused.status.as_str(), "RESOURCE_EXHAUSTED");
        let deletions = |count: usize| {
            let ranges = (0..count).flat_map(|_| [1, 1]);
            [numbers(&[0, 1, 7, count]), ranges.collect()].concat()
        };
        assert!(check_parts(&deletions(MAX_DELETIONS - 1)).is_ok());
        assert!(check_parts(&deletions(MAX_DELETIONS)).is_err());
        let garbage = check_parts(&[255; 1000]).unwrap_err();
        assert_eq!(garbage.status.as_str(), "INVALID_ARGUMENT");
    }
}
