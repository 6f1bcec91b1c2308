//! What can be wrong with a `.npy` file that a program is to read. Every
//! message names the file, what it holds, what was expected, and a way out.

use std::io;
use std::path::PathBuf;

use crate::ArrayError;
use crate::npy::reason;

/// Why a `.npy` file could not be read. In every variant `path` is the file,
/// and `expected` a clause such as `parameter 'xs' of @main is tensor<?xf32>`.
#[derive(Debug, thiserror::Error)]
pub enum NpyError {
    /// The file is missing, is a directory, or may not be read.
    #[error("cannot read '{}': {}", path.display(), reason(source))]
    Unreadable {
        #[allow(missing_docs)]
        path: PathBuf,
        #[allow(missing_docs)]
        source: io::Error,
    },
    /// The file does not begin as a `.npy` file does.
    #[error("'{}' is not a .npy file: {found}", path.display())]
    NotNpy {
        #[allow(missing_docs)]
        path: PathBuf,
        /// What the file is instead, as far as known.
        found: &'static str,
    },
    /// The archive is no zip file, or of a kind that is not read.
    #[error("'{}' is no .npz archive that can be read: {problem}", path.display())]
    BadArchive {
        #[allow(missing_docs)]
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The archive has no such array.
    #[error("'{}' has no array '{name}'; its arrays are: {arrays}", path.display())]
    NoMember {
        #[allow(missing_docs)]
        path: PathBuf,
        /// The name.
        name: String,
        /// Those there are.
        arrays: String,
    },
    /// The archive has not one array, and none is named.
    #[error("'{}' is an archive; write {}:NAME, where NAME is one of: {arrays}", path.display(), path.display())]
    WhichMember {
        #[allow(missing_docs)]
        path: PathBuf,
        /// Those there are.
        arrays: String,
    },
    /// The header is cut short, malformed, or of an unknown version.
    #[error("'{}' has a damaged or unsupported .npy header: {problem}", path.display())]
    BadHeader {
        #[allow(missing_docs)]
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The elements have another type.
    #[error("'{}' holds {found}, but {expected}; {advice}", path.display())]
    ElementType {
        #[allow(missing_docs)]
        path: PathBuf,
        /// NumPy's name of the type found.
        found: String,
        #[allow(missing_docs)]
        expected: String,
        /// How to convert the file.
        advice: String,
    },
    /// The elements are stored with their most significant byte first.
    #[error(
        "'{}' holds big-endian {found}, but only little-endian files are read ({expected}); save x.astype(x.dtype.newbyteorder('<')) instead of x",
        path.display()
    )]
    BigEndian {
        #[allow(missing_docs)]
        path: PathBuf,
        /// NumPy's name of the type found.
        found: String,
        #[allow(missing_docs)]
        expected: String,
    },
    /// The elements are stored column by column.
    #[error(
        "'{}' is stored in Fortran order, but only C (row-major) order is read ({expected}); save numpy.ascontiguousarray(x) instead of x",
        path.display()
    )]
    FortranOrder {
        #[allow(missing_docs)]
        path: PathBuf,
        #[allow(missing_docs)]
        expected: String,
    },
    /// The array has another number of dimensions.
    #[error("'{}' holds an array of rank {found} (shape {shape}), but {expected}, of rank {rank}", path.display())]
    Rank {
        #[allow(missing_docs)]
        path: PathBuf,
        /// The file's number of dimensions.
        found: usize,
        /// The file's shape.
        shape: String,
        #[allow(missing_docs)]
        expected: String,
        /// The expected number of dimensions.
        rank: usize,
    },
    /// A dimension has another size.
    #[error("'{}' has size {found} in dimension {dimension} (shape {shape}), but {expected}, of size {size} there", path.display())]
    Size {
        #[allow(missing_docs)]
        path: PathBuf,
        /// The dimension, counted from 0.
        dimension: usize,
        /// The file's size.
        found: u64,
        /// The file's shape.
        shape: String,
        #[allow(missing_docs)]
        expected: String,
        /// The expected size.
        size: usize,
    },
    /// The file ends before its last element.
    #[error(
        "'{}' is truncated: its header says shape {shape} of {element}, {expected} bytes of data, but only {found} bytes follow",
        path.display()
    )]
    Truncated {
        #[allow(missing_docs)]
        path: PathBuf,
        /// The shape in the header.
        shape: String,
        /// NumPy's name of the element type in the header.
        element: String,
        /// The bytes of data that the header promises.
        expected: String,
        /// The bytes of data there are.
        found: u64,
    },
    /// The file goes on after its last element.
    #[error(
        "'{}' is longer than its header says: shape {shape} of {element} is {expected} bytes of data, but {found} follow",
        path.display()
    )]
    TrailingData {
        #[allow(missing_docs)]
        path: PathBuf,
        /// The shape in the header.
        shape: String,
        /// NumPy's name of the element type in the header.
        element: String,
        /// The bytes of data that the header promises.
        expected: u64,
        /// The bytes of data there are, at least.
        found: u64,
    },
    /// There can be no such array, or there is no memory for it.
    #[error("cannot hold '{}': {source} ({expected})", path.display())]
    Memory {
        #[allow(missing_docs)]
        path: PathBuf,
        #[allow(missing_docs)]
        expected: String,
        #[allow(missing_docs)]
        source: ArrayError,
    },
}
