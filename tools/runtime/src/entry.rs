//! What the entry points of compiled functions do first and last.
//!
//! An entry point hands its arguments ([`crate::abi`]) to [`comb_runtime_begin_call`], which
//! holds the arrays against what the function takes, so that nothing behind it has to doubt
//! them: their sizes are what the types say, not negative, and at most 2^59 elements; they are
//! dense and row-major, and there is memory. Then the call begins to own what it allocates,
//! until [`comb_runtime_end_call`].
//!
//! Cost: some nanoseconds for each call.

use std::ffi::{CStr, CString, c_char, c_void};

use crate::array::is_countable;
use crate::failure;
use crate::memory::calls::{self, Call};

/// What compiled code says of its parameters. Of each array there are in `words`: which
/// parameter it is, its rank, and its sizes, where -1 is any; then -1 ends them. What messages
/// call the arrays follows one after the other in `names`, each with a NUL behind it.
#[repr(C)]
pub struct Parameters {
    words: *const i64,
    names: *const c_char,
}

/// Begins a call: checks the arrays, and owns what is allocated from now on. `frame` is an address
/// in the entry point's frame on the stack. Gives what [`comb_runtime_end_call`] wants.
///
/// # Safety
///
/// The arguments are those of the parameters, by the convention of [`crate::abi`].
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_runtime_begin_call(
    words: *const i64,
    names: *const c_char,
    arguments: *const *mut c_void,
    frame: *const c_void,
) -> Call {
    // SAFETY: passed on from the caller.
    if let Some(problem) = unsafe { problem(Parameters { words, names }, arguments) } {
        failure::report(CString::new(problem).unwrap_or_default());
    }
    calls::begin(frame.addr())
}

/// Ends a call that went well: its results are its caller's.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comb_runtime_end_call(call: Call) {
    calls::end(call);
}

/// What is wrong with the first argument that is not right.
///
/// # Safety
///
/// As for [`comb_runtime_begin_call`].
unsafe fn problem(parameters: Parameters, arguments: *const *mut c_void) -> Option<String> {
    let Parameters {
        mut words,
        mut names,
    } = parameters;
    // SAFETY: what is read is there by the caller's promise.
    unsafe {
        while let Ok(position) = usize::try_from(*words) {
            let rank = *words.add(1) as usize;
            let claimed = std::slice::from_raw_parts(words.add(2), rank);
            let descriptor = (*arguments.add(position)).cast::<i64>();
            let extents = std::slice::from_raw_parts(descriptor.add(3), 2 * rank);
            let array = Descriptor {
                has_memory: *descriptor.add(1) != 0,
                offset: *descriptor.add(2),
                sizes: &extents[..rank],
                strides: &extents[rank..],
            };
            let problem = array.problem(claimed);
            if problem.is_none() {
                words = words.add(2 + rank);
                names = names.add(CStr::from_ptr(names).count_bytes() + 1);
                continue;
            }
            let name = CStr::from_ptr(names).to_string_lossy();
            return problem.map(|problem| format!("{name} {problem}"));
        }
    }
    None
}

/// An array as a caller describes it.
struct Descriptor<'a> {
    has_memory: bool,
    offset: i64,
    sizes: &'a [i64],
    strides: &'a [i64],
}

impl Descriptor<'_> {
    /// What is wrong with it as an array with these sizes, of which -1 is any.
    fn problem(&self, claimed: &[i64]) -> Option<String> {
        for (axis, (&size, &claimed)) in self.sizes.iter().zip(claimed).enumerate() {
            if size < 0 {
                return Some(format!("has the negative size {size} along axis {axis}"));
            }
            if claimed >= 0 && size != claimed {
                return Some(format!(
                    "has size {size} along axis {axis}, but {claimed} is expected"
                ));
            }
        }
        if !is_countable(self.sizes.iter().map(|&size| size as u64)) {
            return Some(format!(
                "has shape {:?}, which has too many elements",
                self.sizes
            ));
        }
        if self.sizes.contains(&0) {
            return None;
        }
        self.problem_in_memory()
    }

    /// What is wrong with where its elements are, of which there are some.
    fn problem_in_memory(&self) -> Option<String> {
        let mut dense = 1;
        for (axis, (&size, &stride)) in self.sizes.iter().zip(self.strides).enumerate().rev() {
            if size > 1 && stride != dense {
                return Some(format!(
                    "has stride {stride} along axis {axis}, but {dense} is expected: arrays must \
                     be dense and row-major"
                ));
            }
            dense *= size;
        }
        if self.offset != 0 {
            return Some(format!("has offset {}, but 0 is expected", self.offset));
        }
        (!self.has_memory).then(|| format!("has shape {:?}, but no memory", self.sizes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem_of(sizes: &[i64], strides: &[i64], claimed: &[i64]) -> String {
        let array = Descriptor {
            has_memory: true,
            offset: 0,
            sizes,
            strides,
        };
        array.problem(claimed).unwrap_or_default()
    }

    // S10, S11
    #[test]
    fn sizes_are_counted() {
        let most = 1 << 59;
        for (sizes, problem) in [
            (&[most, 0], ""),
            (&[0, most], ""),
            (&[1 << 30, 0], ""),
            (
                &[1 << 62, 0],
                "has shape [4611686018427387904, 0], which has too many elements",
            ),
            (
                &[0, most + 1],
                "has shape [0, 576460752303423489], which has too many elements",
            ),
            (
                &[1 << 31, 1 << 31],
                "has shape [2147483648, 2147483648], which has too many elements",
            ),
            (
                &[i64::MAX, i64::MAX],
                "has shape [9223372036854775807, 9223372036854775807], which has too many elements",
            ),
            (
                &[0, i64::MIN],
                "has the negative size -9223372036854775808 along axis 1",
            ),
        ] {
            assert_eq!(problem_of(sizes, &[0, 0], &[-1, -1]), problem);
        }
        assert_eq!(problem_of(&[], &[], &[]), "");
    }

    // S12
    #[test]
    fn sizes_are_what_the_type_says() {
        assert_eq!(problem_of(&[2, 3], &[3, 1], &[-1, 3]), "");
        assert_eq!(
            problem_of(&[2, 3], &[3, 1], &[-1, 4]),
            "has size 3 along axis 1, but 4 is expected"
        );
    }

    #[test]
    fn elements_are_dense_and_there() {
        let wrong = "has stride 4 along axis 0, but 3 is expected: arrays must be dense and \
                     row-major";
        assert_eq!(problem_of(&[2, 3], &[4, 1], &[-1, -1]), wrong);
        // Strides of dimensions of size 1 do not matter, nor do those of empty arrays.
        assert_eq!(problem_of(&[1, 3], &[99, 1], &[-1, -1]), "");
        assert_eq!(problem_of(&[2, 0], &[99, 99], &[-1, -1]), "");
        let array = |has_memory, offset| Descriptor {
            has_memory,
            offset,
            sizes: &[2],
            strides: &[1],
        };
        let problem = |array: Descriptor| array.problem(&[-1]).unwrap();
        assert_eq!(problem(array(false, 0)), "has shape [2], but no memory");
        assert_eq!(problem(array(true, 3)), "has offset 3, but 0 is expected");
    }

    #[test]
    fn the_first_wrong_argument_is_named() {
        let words = [0, 1, -1, 2, 2, -1, 5, -1];
        let names = b"parameter 'x'\0parameter 'y'\0";
        let mut number = 7_u64;
        let mut x = [64_i64, 64, 0, 4, 1];
        let mut y = [64_i64, 64, 0, 2, 5, 5, 1];
        let mut check = |y: &mut [i64; 7]| {
            let arguments: [*mut c_void; 3] = [
                (&raw mut x).cast(),
                (&raw mut number).cast(),
                (&raw mut *y).cast(),
            ];
            let parameters = Parameters {
                words: words.as_ptr(),
                names: names.as_ptr().cast(),
            };
            // SAFETY: the words describe these arguments.
            unsafe { problem(parameters, arguments.as_ptr()) }
        };
        assert_eq!(check(&mut y), None);
        y[4] = 6;
        assert_eq!(
            check(&mut y).unwrap(),
            "parameter 'y' has size 6 along axis 1, but 5 is expected"
        );
    }
}
