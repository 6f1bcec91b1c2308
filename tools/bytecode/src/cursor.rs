//! Reading numbers, bytes and sections in order.

use crate::error::{Error, Fault};

/// The byte that fills gaps in front of aligned data.
const FILLER: u8 = 0xCB;

/// What of a file is still to be read.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'b> {
    rest: &'b [u8],
    at: usize,
}

impl<'b> Cursor<'b> {
    /// Reads bytes that begin at a place of the file.
    #[must_use]
    pub fn new(rest: &'b [u8], at: usize) -> Self {
        Self { rest, at }
    }

    /// Bytes from the beginning of the file.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// A fault at this place.
    #[must_use]
    pub fn damaged(&self, what: impl Into<String>) -> Error {
        Fault::Damaged(what.into()).at(self.at)
    }

    /// The next bytes.
    pub fn bytes(&mut self, count: u64) -> Result<&'b [u8], Error> {
        let wanted = usize::try_from(count).ok();
        let split = wanted.and_then(|wanted| self.rest.split_at_checked(wanted));
        let left = self.rest.len();
        let Some((bytes, rest)) = split else {
            let wanted = count;
            return Err(Fault::Truncated { wanted, left }.at(self.at));
        };
        self.rest = rest;
        self.at += bytes.len();
        Ok(bytes)
    }

    /// The next bytes, as a part to be read on its own.
    pub fn part(&mut self, count: u64) -> Result<Cursor<'b>, Error> {
        let at = self.at;
        Ok(Cursor::new(self.bytes(count)?, at))
    }

    /// The next byte.
    pub fn byte(&mut self) -> Result<u8, Error> {
        Ok(self.bytes(1)?[0])
    }

    /// A number of 64 bits in one to nine bytes: so many follow the first as it has zeros at its
    /// low end.
    pub fn number(&mut self) -> Result<u64, Error> {
        let first = self.byte()?;
        let more = first.trailing_zeros();
        let mut bytes = [0; 8];
        if more >= 8 {
            bytes.copy_from_slice(self.bytes(8)?);
            return Ok(u64::from_le_bytes(bytes));
        }
        let rest = self.bytes(more.into())?;
        bytes[0] = first;
        if let Some(target) = bytes.get_mut(1..=rest.len()) {
            target.copy_from_slice(rest);
        }
        Ok(u64::from_le_bytes(bytes) >> (more + 1))
    }

    /// A signed number: its sign is the lowest bit.
    pub fn signed(&mut self) -> Result<i64, Error> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// A number and a flag in its lowest bit.
    pub fn flagged(&mut self) -> Result<(u64, bool), Error> {
        let number = self.number()?;
        Ok((number >> 1, number & 1 == 1))
    }

    /// How many things of at least one byte follow.
    pub fn count(&mut self) -> Result<usize, Error> {
        let count = self.number()?;
        self.bounded(count)
    }

    /// A count, if so many things of at least one byte can follow.
    pub fn bounded(&self, count: u64) -> Result<usize, Error> {
        let left = self.left();
        let bounded = usize::try_from(count).ok().filter(|&count| count <= left);
        bounded.ok_or_else(|| {
            let wanted = count;
            Fault::Truncated { wanted, left }.at(self.at)
        })
    }

    /// A list, each of whose things takes at least one byte.
    pub fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        (0..self.count()?).map(|_| item(self)).collect()
    }

    /// Bytes up to one that is 0.
    pub fn terminated(&mut self) -> Result<&'b [u8], Error> {
        let end = self.rest.iter().position(|&byte| byte == 0);
        let end = end.ok_or_else(|| self.damaged("a string does not end"))?;
        let bytes = self.bytes(end as u64)?;
        self.byte()?;
        Ok(bytes)
    }

    /// Goes on to a multiple of a power of two, which the file's beginning is.
    pub fn align(&mut self, alignment: u64) -> Result<(), Error> {
        if !alignment.is_power_of_two() {
            return Err(self.damaged(format!("{alignment} is no alignment")));
        }
        let beyond = self.at as u64 & (alignment - 1);
        if beyond == 0 {
            return Ok(());
        }
        let filler = self.bytes(alignment - beyond)?;
        match filler.iter().all(|&byte| byte == FILLER) {
            true => Ok(()),
            false => Err(self.damaged("a gap is filled with other bytes than 0xCB")),
        }
    }

    /// A section's number and what is in it.
    pub fn section(&mut self) -> Result<(u8, Cursor<'b>), Error> {
        let id = self.byte()?;
        let length = self.number()?;
        if id & 0x80 != 0 {
            let alignment = self.number()?;
            self.align(alignment)?;
        }
        Ok((id & 0x7F, self.part(length)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_one_to_nine_bytes() {
        for (bytes, number) in [
            (&[0x0B][..], 5),
            (&[0x02, 0x02], 128),
            (&[0xF9], 124),
            (&[0, 1, 2, 3, 4, 5, 6, 7, 8], 0x0807_0605_0403_0201),
            (&[0x80, 1, 0, 0, 0, 0, 0, 0], 1),
        ] {
            let mut cursor = Cursor::new(bytes, 0);
            assert_eq!(cursor.number(), Ok(number), "{bytes:?}");
            assert!(cursor.is_empty());
        }
        assert_eq!(Cursor::new(&[0x03], 0).signed(), Ok(-1));
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        let truncated = |wanted, left| Err(Fault::Truncated { wanted, left }.at(7));
        assert_eq!(Cursor::new(&[], 7).number(), truncated(1, 0));
        assert!(Cursor::new(&[0x02], 7).number().is_err());
        assert!(Cursor::new(&[0xFF, 1], 7).count().is_err());
        assert!(Cursor::new(b"abc", 0).terminated().is_err());
        assert!(Cursor::new(&[0, 0], 1).align(2).is_err());
        assert!(Cursor::new(&[0, 0], 1).align(3).is_err());
    }
}
