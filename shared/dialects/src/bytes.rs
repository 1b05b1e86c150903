//! The encoding of Yjs and its protocols (lib0).

use crate::Malformed;

/// The largest exact integer of JavaScript.
const MAX_NUMBER: u64 = (1 << 53) - 1;

/// A reader of a message.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Seven bits per byte, the lowest first.
    pub(crate) fn number(&mut self) -> Result<u64, Malformed> {
        let mut number = 0_u64;
        for shift in (0..63).step_by(7) {
            let (byte, rest) = self.0.split_first().ok_or(Malformed)?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return if number <= MAX_NUMBER { Ok(number) } else { Err(Malformed) };
            }
        }
        Err(Malformed)
    }

    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let len = usize::try_from(self.number()?).map_err(|_| Malformed)?;
        let (bytes, rest) = self.0.split_at_checked(len).ok_or(Malformed)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, Malformed> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Malformed)
    }
}

/// A writer of a message.
#[derive(Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn number(mut self, mut number: u64) -> Self {
        while number >= 0x80 {
            self.0.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
        self
    }

    pub(crate) fn bytes(self, bytes: &[u8]) -> Self {
        let mut to = self.number(bytes.len() as u64);
        to.0.extend_from_slice(bytes);
        to
    }

    pub(crate) fn text(self, text: &str) -> Self {
        self.bytes(text.as_bytes())
    }

    pub(crate) fn done(self) -> Vec<u8> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_NUMBER, Reader, Writer};

    #[test]
    fn what_is_written_is_read() {
        for number in [0, 1, 127, 128, 300, 1 << 31, MAX_NUMBER] {
            let written = Writer::default().number(number).text("é").bytes(&[7, 8]).done();
            let mut reader = Reader::new(&written);
            assert_eq!(reader.number(), Ok(number));
            assert_eq!((reader.text(), reader.bytes()), (Ok("é"), Ok(&[7, 8][..])));
            assert!(reader.is_empty());
        }
    }

    #[test]
    fn what_is_cut_off_or_too_large_is_refused() {
        for bytes in [&[][..], &[0x80], &[5, 1], &[0xff; 9], &[0xff; 12]] {
            assert!(Reader::new(bytes).bytes().is_err(), "{bytes:?}");
        }
        let beyond = Writer::default().number(MAX_NUMBER + 1).done();
        assert!(Reader::new(&beyond).number().is_err());
        assert!(Reader::new(&[1, 0xff]).text().is_err());
    }
}
