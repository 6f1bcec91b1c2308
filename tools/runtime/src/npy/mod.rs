//! Reading and writing NumPy's `.npy` files, versions 1 to 3 of the format.
//!
//! | NumPy                         | element type                     |
//! |-------------------------------|----------------------------------|
//! | bool                          | i1                               |
//! | int8, uint8                   | i8                               |
//! | int16, uint16                 | i16                              |
//! | int32, uint32                 | i32                              |
//! | int64, uint64                 | i64 or index, as the reader asks |
//! | float16, float32, float64     | f16, f32, f64                    |
//! | bfloat16 of ml_dtypes (`V2`), int16, uint16 | bf16               |
//!
//! Integers are written as NumPy's signed or unsigned types, as the caller says, and bfloat16
//! as `<V2`, which is what ml_dtypes makes of it. Arrays in `.npz` archives are read, too.

mod archive;
mod error;
mod header;
mod read;
mod write;

pub use archive::read_from_archive;
pub use error::NpyError;
pub use read::{Expected, read, read_standard_input, read_value};
pub use write::{WriteError, check_target, write, write_all};

/// What went wrong with a file, without the error number that `std` adds.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
