//! Generated ids.

use std::collections::BTreeSet;

use service::{prelude::*, random_text, sha256_hex};

/// Six digits that are not among `taken`, a small fraction of all.
pub(crate) fn attachment_id(taken: &BTreeSet<u64>) -> Result<u64> {
    let random = sha256_hex(&random_text::<16>()?);
    let random = u64::from_str_radix(&random[..12], 16).map_err(Error::internal)?;
    let candidates = (0..900_000).map(|step| 100_000 + (random + step) % 900_000);
    candidates.into_iter().find(|id| !taken.contains(id)).ok_or_else(Error::aborted)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::attachment_id;

    #[test]
    fn an_attachment_has_6_digits_that_no_other_has() {
        let all: BTreeSet<u64> = (100_000..=999_999).collect();
        let free = [100_000, 555_555, 999_999];
        let mut taken: BTreeSet<u64> = all.difference(&free.into()).copied().collect();
        for _ in free {
            let id = attachment_id(&taken).unwrap();
            assert!(free.contains(&id) && taken.insert(id), "{id}");
        }
        assert!(attachment_id(&taken).is_err());
    }
}
