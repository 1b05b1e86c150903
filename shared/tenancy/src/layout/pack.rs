//! Stored bytes: compressed where that helps, in parts that fit an item.

use std::io::{Read, Write};

use error::{Error, Result};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};

use crate::aside;

/// Largest part; an item has room for 400 KB.
pub const PART_BYTES: usize = 350 * 1024;
/// Maximum size before compression.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;
/// Maximum number of parts: of what cannot be compressed.
const MAX_PARTS: usize = MAX_BYTES.div_ceil(PART_BYTES) + 1;
/// Below this, compression saves no capacity unit.
const WORTHWHILE: usize = 1024;

const PLAIN: u8 = 0;
const DEFLATED: u8 = 1;

/// The stored bytes, with a marker of their format in front.
pub fn pack(bytes: &[u8]) -> Result<Vec<u8>> {
    aside(bytes.len(), || packed(bytes))
}

fn packed(bytes: &[u8]) -> Result<Vec<u8>> {
    if bytes.len() > WORTHWHILE {
        let mut encoder = DeflateEncoder::new(vec![DEFLATED], Compression::default());
        encoder.write_all(bytes).map_err(Error::internal)?;
        let packed = encoder.finish().map_err(Error::internal)?;
        if packed.len() <= bytes.len() {
            return Ok(packed);
        }
    }
    let mut packed = Vec::with_capacity(bytes.len() + 1);
    packed.push(PLAIN);
    packed.extend_from_slice(bytes);
    Ok(packed)
}

/// The packed content.
pub fn unpack(packed: &[u8]) -> Result<Vec<u8>> {
    aside(packed.len(), || unpacked(packed))
}

fn unpacked(packed: &[u8]) -> Result<Vec<u8>> {
    match packed.split_first() {
        Some((&PLAIN, bytes)) => Ok(bytes.to_vec()),
        Some((&DEFLATED, deflated)) => {
            let mut bytes = Vec::new();
            let mut decoder = DeflateDecoder::new(deflated).take(MAX_BYTES as u64 + 1);
            decoder.read_to_end(&mut bytes).map_err(Error::internal)?;
            if bytes.len() > MAX_BYTES {
                return Err(Error::internal("stored bytes unpack to more than was packed"));
            }
            Ok(bytes)
        }
        _ => Err(Error::internal("stored bytes are packed in no known way")),
    }
}

/// The parts of the packed bytes; `noun` is for the error.
pub fn parts<'a>(noun: &str, packed: &'a [u8]) -> Result<impl Iterator<Item = &'a [u8]>> {
    let max = MAX_PARTS * PART_BYTES;
    if packed.len() > max {
        let size = packed.len();
        return Err(Error::exhausted(format!(
            "{noun} would take {size} bytes compressed; at most {max} can be stored."
        )));
    }
    Ok(packed.chunks(PART_BYTES))
}

/// Refuses what cannot be stored.
pub fn check(noun: &str, bytes: &[u8]) -> Result<()> {
    let size = bytes.len();
    if size > MAX_BYTES {
        return Err(Error::exhausted(format!(
            "{noun} would take {size} bytes; at most {MAX_BYTES} can be stored."
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, check, pack, parts, unpack};

    /// Bytes that cannot be compressed.
    fn noise(len: usize) -> Vec<u8> {
        let mut seed = 1_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as u8
        };
        (0..len).map(|_| next()).collect()
    }

    #[test]
    fn bytes_come_back_as_they_were() {
        for bytes in [vec![], vec![7], vec![7; 100_000], noise(1000), noise(1_000_000)] {
            let packed = pack(&bytes).unwrap();
            assert!(packed.len() <= bytes.len() + 1);
            let joined = parts("x", &packed).unwrap().collect::<Vec<_>>().concat();
            assert_eq!(unpack(&joined).unwrap(), bytes);
        }
        assert!(pack(&[7; 100_000]).unwrap().len() < 1000);
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_limit_named() {
        let most = noise(MAX_BYTES);
        assert!(check("X", &most).is_ok());
        assert!(parts("X", &pack(&most).unwrap()).is_ok());
        let error = check("X", &vec![0; MAX_BYTES + 1]).unwrap_err();
        assert!(error.message.contains(&MAX_BYTES.to_string()), "{error}");
        assert_eq!(error.status, error::Status::ResourceExhausted);
    }

    #[test]
    fn a_few_bytes_cannot_unpack_to_gigabytes() {
        let bomb = pack(&vec![0; MAX_BYTES + 1]).unwrap();
        assert!(bomb.len() < 100_000 && unpack(&bomb).is_err());
        assert!(unpack(&[]).is_err() && unpack(&[9]).is_err());
    }
}
