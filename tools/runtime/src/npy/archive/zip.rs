//! As much of the zip format as NumPy writes: members that are stored or deflated, in archives
//! of any size, without encryption.
//!
//! What an archive says of itself is not trusted: sizes only bound what is read.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Take};

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};

const END: u32 = 0x0605_4b50;
const END_SIZE: u64 = 22;
const LARGE_END: u32 = 0x0606_4b50;
const LARGE_LOCATOR: u32 = 0x0706_4b50;
const LARGE_LOCATOR_SIZE: u64 = 20;
const MEMBER: u32 = 0x0201_4b50;
const MEMBER_SIZE: usize = 46;
const LOCAL_SIZE: u64 = 30;
const LONGEST_COMMENT: u64 = 0xFFFF;
/// A directory is read as a whole; a longer one is none of an archive of arrays.
const LONGEST_DIRECTORY: u64 = 64 << 20;
const BUFFER: usize = 1 << 16;

/// Why an archive cannot be read.
#[derive(Debug)]
pub(super) enum ZipError {
    Io(io::Error),
    Bad(&'static str),
}

impl From<io::Error> for ZipError {
    fn from(error: io::Error) -> Self {
        ZipError::Io(error)
    }
}

/// A file in an archive.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: String,
    is_encrypted: bool,
    method: u16,
    checksum: u32,
    packed: u64,
    /// Where its header begins.
    offset: u64,
}

/// The files of an archive whose name is text.
pub(super) fn members(file: &mut File) -> Result<Vec<Member>, ZipError> {
    let (offset, size) = directory(file)?;
    if size > LONGEST_DIRECTORY {
        return Err(ZipError::Bad("its directory is too long"));
    }
    let bytes = read_at(file, offset, size as usize)?;
    let mut rest = bytes.as_slice();
    let mut members = vec![];
    while rest.len() >= MEMBER_SIZE && word(rest, 0) == MEMBER {
        let [name, extra, comment] = [28, 30, 32].map(|at| usize::from(half(rest, at)));
        let end = MEMBER_SIZE + name + extra + comment;
        if rest.len() < end {
            return Err(ZipError::Bad("its directory is cut short"));
        }
        let (fixed, variable) = rest.split_at(MEMBER_SIZE);
        members.extend(member(
            fixed,
            &variable[..name],
            &variable[name..name + extra],
        ));
        rest = &rest[end..];
    }
    Ok(members)
}

fn member(fixed: &[u8], name: &[u8], extra: &[u8]) -> Option<Member> {
    let [_size, packed, offset] = large_values([24, 20, 42].map(|at| word(fixed, at)), extra);
    Some(Member {
        name: std::str::from_utf8(name).ok()?.to_owned(),
        is_encrypted: half(fixed, 8) & 1 != 0,
        method: half(fixed, 10),
        checksum: word(fixed, 16),
        packed,
        offset,
    })
}

/// Values of 32 bits, or, where all of their bits are set, of 64 in the extra field, which has
/// them in this order.
fn large_values(values: [u32; 3], mut extra: &[u8]) -> [u64; 3] {
    let mut large = values.map(u64::from);
    while extra.len() >= 4 {
        let (kind, size) = (half(extra, 0), usize::from(half(extra, 2)));
        let Some(mut content) = extra.get(4..4 + size) else {
            break;
        };
        if kind == 1 {
            for (value, large) in values.iter().zip(&mut large) {
                if *value == u32::MAX && content.len() >= 8 {
                    *large = long(content, 0);
                    content = &content[8..];
                }
            }
        }
        extra = &extra[4 + size..];
    }
    large
}

/// Where the list of members begins, and how long it is.
fn directory(file: &mut File) -> Result<(u64, u64), ZipError> {
    let length = file.seek(SeekFrom::End(0))?;
    let start = length.saturating_sub(END_SIZE + LONGEST_COMMENT);
    let tail = read_at(file, start, (length - start) as usize)?;
    let position = (0..=tail.len().saturating_sub(END_SIZE as usize))
        .rev()
        .find(|&position| tail.len() >= position + 4 && word(&tail, position) == END)
        .ok_or(ZipError::Bad("it has no directory at its end"))?;
    let end = &tail[position..];
    if end.len() < END_SIZE as usize {
        return Err(ZipError::Bad("it has no directory at its end"));
    }
    let (size, offset) = (word(end, 12), word(end, 16));
    let locator = (start + position as u64).checked_sub(LARGE_LOCATOR_SIZE);
    if let Some(locator) = locator {
        let bytes = read_at(file, locator, LARGE_LOCATOR_SIZE as usize)?;
        if word(&bytes, 0) == LARGE_LOCATOR {
            let end = read_at(file, long(&bytes, 8), 56)?;
            if word(&end, 0) == LARGE_END {
                return Ok((long(&end, 48), long(&end, 40)));
            }
        }
    }
    Ok((offset.into(), size.into()))
}

/// The content of a member.
pub(super) fn content(mut file: File, member: &Member) -> Result<Content, ZipError> {
    if member.is_encrypted {
        return Err(ZipError::Bad("the array is encrypted"));
    }
    let header = read_at(&mut file, member.offset, LOCAL_SIZE as usize)?;
    let skipped = u64::from(half(&header, 26)) + u64::from(half(&header, 28));
    let start = member
        .offset
        .checked_add(LOCAL_SIZE + skipped)
        .ok_or(ZipError::Bad("the array is not where it should be"))?;
    file.seek(SeekFrom::Start(start))?;
    let packed = file.take(member.packed);
    let source = match member.method {
        0 => Packed::Stored(packed),
        8 => Packed::Deflated(Box::new(Inflater::new(packed))),
        _ => {
            return Err(ZipError::Bad(
                "the array is compressed by another method than numpy.savez_compressed's",
            ));
        }
    };
    Ok(Content {
        source,
        checksum: Checksum::default(),
        expected: member.checksum,
    })
}

/// Bytes of a member, whose end is an error if they are not those that were written.
pub(super) struct Content {
    source: Packed,
    checksum: Checksum,
    expected: u32,
}

enum Packed {
    Stored(Take<File>),
    Deflated(Box<Inflater>),
}

impl Read for Content {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match &mut self.source {
            Packed::Stored(file) => file.read(buffer)?,
            Packed::Deflated(inflater) => inflater.read(buffer)?,
        };
        self.checksum.add(&buffer[..count]);
        if count == 0 && !buffer.is_empty() && self.checksum.value() != self.expected {
            return Err(io::Error::other("its checksum is wrong: it is damaged"));
        }
        Ok(count)
    }
}

struct Inflater {
    packed: BufReader<Take<File>>,
    state: InflateState,
    is_done: bool,
}

impl Inflater {
    fn new(packed: Take<File>) -> Self {
        Self {
            packed: BufReader::with_capacity(BUFFER, packed),
            state: InflateState::new(DataFormat::Raw),
            is_done: false,
        }
    }
}

impl Read for Inflater {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use io::BufRead;
        while !self.is_done && !buffer.is_empty() {
            let input = self.packed.fill_buf()?;
            let at_end = input.is_empty();
            let result = inflate(&mut self.state, input, buffer, MZFlush::None);
            self.packed.consume(result.bytes_consumed);
            match result.status {
                Ok(MZStatus::StreamEnd) => self.is_done = true,
                Ok(_) | Err(MZError::Buf) if !at_end || result.bytes_written > 0 => {}
                _ => return Err(io::Error::other("it is damaged")),
            }
            if result.bytes_written > 0 {
                return Ok(result.bytes_written);
            }
        }
        Ok(0)
    }
}

/// CRC-32.
struct Checksum(u32);

impl Default for Checksum {
    fn default() -> Self {
        Checksum(u32::MAX)
    }
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let index = (self.0 ^ u32::from(*byte)) & 0xFF;
            self.0 = (self.0 >> 8) ^ TABLE[index as usize];
        }
    }

    fn value(&self) -> u32 {
        !self.0
    }
}

const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut value = index as u32;
        let mut bit = 0;
        while bit < 8 {
            value = (value >> 1) ^ (0xEDB8_8320 * (value & 1));
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
}

fn read_at(file: &mut File, offset: u64, size: usize) -> Result<Vec<u8>, ZipError> {
    let mut bytes = vec![];
    file.seek(SeekFrom::Start(offset))?;
    file.take(size as u64).read_to_end(&mut bytes)?;
    match bytes.len() == size {
        true => Ok(bytes),
        false => Err(ZipError::Bad("it is cut short")),
    }
}

fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from(half(bytes, at)) | u32::from(half(bytes, at + 2)) << 16
}

fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from(word(bytes, at)) | u64::from(word(bytes, at + 4)) << 32
}
