//! Calls compiled code.
//!
//! Every compiled function that a user can call has one C entry point,
//! `void entry(void **arguments)`. `arguments[i]` for parameter `i` points to
//!
//! * for an array, a memref descriptor: allocated pointer, aligned pointer,
//!   offset, sizes, strides (each 64 bits; offset and strides in elements);
//! * for a scalar, its bytes (`i1`: one byte, 0 or 1).
//!
//! After the parameters follows one pointer for each result, to an
//! uninitialised descriptor of the result's rank or to the scalar's storage,
//! which the entry point fills in. The memory of an array result is allocated
//! by the entry point, and belongs to the caller from then on, who frees it with
//! [`comb_runtime_free`](crate::memory::comb_runtime_free); except where its allocated pointer is a parameter's (the result is then
//! copied, not freed) or the one MLIR gives constants. Two results may share
//! an allocation. Results may be strided in any way.
//!
//! If a signature names a GPU, the memory of all arrays is the GPU's, and work may still go on there when the entry
//! point returns: [`PreparedCall::finish`] waits for it.

use std::ffi::c_void;
use std::ptr;

use crate::device::{self, DeviceError, DeviceMemory};
use crate::memory::comb_runtime_free;
use crate::signature::{Parameter, Signature, ValueType};
use crate::{Array, ArrayError, ElementType, Scalar, Value};

/// The entry point of a compiled function.
pub type Entry = unsafe extern "C" fn(arguments: *const *mut c_void);

/// The allocated pointer that MLIR gives a `memref.global`, which nobody frees.
const CONSTANT_MEMORY: u64 = 0xdead_beef;

/// Why a call could not be made, or its results not be taken.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The caller gave too few or too many values.
    #[error("@{function} takes {expected} values, but {found} were given")]
    ArgumentCount {
        /// The function.
        function: String,
        /// The number of its parameters.
        expected: usize,
        /// The number of values given.
        found: usize,
    },
    /// The caller gave a value of another type.
    #[error("{expected}, but the value given is {found}")]
    ArgumentType {
        /// What is expected: `parameter 'xs' of @main is tensor<?xf32>`.
        expected: String,
        /// The type of the value given.
        found: ValueType,
    },
    /// The results were asked for before the first call, or twice.
    #[error("@{function} has no results to take: it was not called since they were last taken")]
    NoResults {
        /// The function.
        function: String,
    },
    /// The compiled code returned sizes that contradict its signature.
    #[error(
        "result '{name}' of @{function} came back with sizes {sizes:?}, but its type is {ty}; this is a fault of the compiler"
    )]
    ResultSizes {
        /// The function.
        function: String,
        /// The result.
        name: String,
        /// The sizes in its descriptor.
        sizes: Vec<i64>,
        /// Its type.
        ty: ValueType,
    },
    /// There can be no copy of a result.
    #[error("result '{name}' of @{function}: {source}")]
    Memory {
        /// The function.
        function: String,
        /// The result.
        name: String,
        /// Why.
        source: ArrayError,
    },
    /// The GPU has failed, or there is none.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// Calls `entry` once.
///
/// # Safety
///
/// As for [`PreparedCall::new`].
pub unsafe fn call(
    entry: Entry,
    signature: &Signature,
    inputs: &[Value],
) -> Result<Vec<Value>, CallError> {
    // SAFETY: passed on from the caller.
    let mut call = unsafe { PreparedCall::new(entry, signature, inputs) }?;
    call.invoke();
    call.finish()?;
    call.take_results()
}

/// A function with its arguments laid out for the call, so that calling it
/// again costs nothing beside the call.
pub struct PreparedCall<'a> {
    entry: Entry,
    signature: &'a Signature,
    /// The descriptors and scalars of all parameters, then of all results.
    words: Vec<u64>,
    /// Where in `words` each of them begins.
    starts: Vec<usize>,
    /// The allocated pointers of the array parameters.
    parameter_memory: Vec<u64>,
    has_results: bool,
    /// The descriptors point into these, or else into the copies on a GPU.
    _inputs: &'a [Value],
    _copies: Vec<DeviceMemory>,
}

impl<'a> PreparedCall<'a> {
    /// Checks the inputs against the signature and lays them out.
    ///
    /// # Safety
    ///
    /// `entry` is the entry point, in the convention of this module, of a
    /// function with this signature. It does not write to the memory of its
    /// parameters, and it may be called several times.
    pub unsafe fn new(
        entry: Entry,
        signature: &'a Signature,
        inputs: &'a [Value],
    ) -> Result<PreparedCall<'a>, CallError> {
        check_inputs(signature, inputs)?;
        let mut words = Vec::new();
        let mut starts = Vec::new();
        let mut parameter_memory = Vec::new();
        let mut copies = Vec::new();
        for input in inputs {
            starts.push(words.len());
            match input {
                Value::Scalar(element, scalar) => words.push(scalar_word(*element, *scalar)),
                Value::Array(array) => {
                    let memory = match signature.device {
                        None => array.bytes().as_ptr().expose_provenance() as u64,
                        Some(vendor) => {
                            copies.push(device::upload(vendor, array)?);
                            copies.last().map_or(0, DeviceMemory::address)
                        }
                    };
                    push_descriptor(array, memory, &mut words);
                    parameter_memory.push(memory);
                }
            }
        }
        for result in &signature.results {
            starts.push(words.len());
            words.resize(words.len() + word_count(&result.ty), 0);
        }
        Ok(PreparedCall {
            entry,
            signature,
            words,
            starts,
            parameter_memory,
            has_results: false,
            _inputs: inputs,
            _copies: copies,
        })
    }

    /// Calls the function; results that were not taken are freed first.
    pub fn invoke(&mut self) {
        let outcome: Result<(), std::convert::Infallible> =
            self.invoke_through(|entry, arguments| {
                // SAFETY: `new`'s caller vouched for the entry point, and the
                // arguments are laid out as it expects them.
                unsafe { entry(arguments) };
                Ok(())
            });
        let Ok(()) = outcome;
    }

    /// Has `caller` call the function, which it is given with its arguments;
    /// results that were not taken are freed first. If it returns an error
    /// there are no results.
    pub fn invoke_through<E>(
        &mut self,
        caller: impl FnOnce(Entry, *const *mut c_void) -> Result<(), E>,
    ) -> Result<(), E> {
        self.release_results();
        let base = self.words.as_mut_ptr();
        let arguments: Vec<*mut c_void> = self
            .starts
            .iter()
            // SAFETY: each start is an index into `words`.
            .map(|&start| unsafe { base.add(start) }.cast())
            .collect();
        caller(self.entry, arguments.as_ptr())?;
        self.has_results = true;
        Ok(())
    }

    /// Waits until a GPU has done what the calls were for; on the host, that is when they return.
    ///
    /// # Errors
    ///
    /// If the GPU has failed.
    pub fn finish(&self) -> Result<(), DeviceError> {
        self.signature.device.map_or(Ok(()), device::synchronize)
    }

    /// Copies the results of the latest call out and frees their memory.
    pub fn take_results(&mut self) -> Result<Vec<Value>, CallError> {
        if !self.has_results {
            return Err(CallError::NoResults {
                function: self.signature.name.clone(),
            });
        }
        let results = (0..self.signature.results.len())
            .map(|position| self.copy_result(position))
            .collect();
        self.release_results();
        results
    }

    fn result_words(&self, position: usize) -> &[u64] {
        let start = self.starts[self.signature.parameters.len() + position];
        &self.words[start..][..word_count(&self.signature.results[position].ty)]
    }

    fn copy_result(&self, position: usize) -> Result<Value, CallError> {
        let Parameter { name, ty, .. } = &self.signature.results[position];
        let words = self.result_words(position);
        match ty {
            ValueType::Scalar(element) => Ok(Value::Scalar(
                *element,
                Scalar::read(*element, &scalar_bytes(*element, words[0])),
            )),
            ValueType::Array { element, shape } => {
                let sizes: Vec<i64> = words[3..][..shape.len()]
                    .iter()
                    .map(|&w| w as i64)
                    .collect();
                let sizes = checked_sizes(&sizes, shape).ok_or_else(|| CallError::ResultSizes {
                    function: self.signature.name.clone(),
                    name: name.clone(),
                    sizes,
                    ty: ty.clone(),
                })?;
                let mut array =
                    Array::zeroed(*element, &sizes).map_err(|source| CallError::Memory {
                        function: self.signature.name.clone(),
                        name: name.clone(),
                        source,
                    })?;
                // SAFETY: the entry point filled in the descriptor, and the
                // memory it describes was not released yet.
                unsafe {
                    match self.signature.device {
                        None => copy_described(words, &mut array),
                        Some(vendor) => device::download(vendor, words, &mut array)?,
                    }
                }
                Ok(Value::Array(array))
            }
        }
    }

    /// Frees what the latest call allocated, once each.
    fn release_results(&mut self) {
        if !std::mem::take(&mut self.has_results) {
            return;
        }
        let mut allocations: Vec<u64> = (0..self.signature.results.len())
            .filter(|&position| {
                matches!(self.signature.results[position].ty, ValueType::Array { .. })
            })
            .map(|position| self.result_words(position)[0])
            .filter(|pointer| {
                *pointer != CONSTANT_MEMORY && !self.parameter_memory.contains(pointer)
            })
            .collect();
        allocations.sort_unstable();
        allocations.dedup();
        for allocation in allocations {
            // SAFETY: by the convention this was allocated (or is null) and
            // belongs to the caller; it is freed once, because it is taken from
            // the set and has_results is now false.
            unsafe { comb_runtime_free(ptr::with_exposed_provenance_mut(allocation as usize)) };
        }
    }
}

impl Drop for PreparedCall<'_> {
    fn drop(&mut self) {
        self.release_results();
    }
}

fn check_inputs(signature: &Signature, inputs: &[Value]) -> Result<(), CallError> {
    if inputs.len() != signature.parameters.len() {
        return Err(CallError::ArgumentCount {
            function: signature.name.clone(),
            expected: signature.parameters.len(),
            found: inputs.len(),
        });
    }
    for (position, input) in inputs.iter().enumerate() {
        let place = signature.place(position);
        if !input.has_type(&place.parameter.ty) {
            return Err(CallError::ArgumentType {
                expected: place.to_string(),
                found: input.ty(),
            });
        }
    }
    Ok(())
}

fn word_count(ty: &ValueType) -> usize {
    match ty {
        ValueType::Scalar(_) => 1,
        ValueType::Array { shape, .. } => 3 + 2 * shape.len(),
    }
}

fn scalar_word(element: ElementType, scalar: Scalar) -> u64 {
    let mut bytes = [0; 8];
    scalar.write(element, &mut bytes);
    u64::from_ne_bytes(bytes)
}

fn scalar_bytes(element: ElementType, word: u64) -> [u8; 8] {
    let mut bytes = word.to_ne_bytes();
    if element == ElementType::I1 {
        bytes[0] &= 1;
    }
    bytes
}

fn push_descriptor(array: &Array, memory: u64, words: &mut Vec<u64>) {
    words.extend([memory, memory, 0]);
    words.extend(array.shape().iter().map(|&size| size as u64));
    words.extend(
        row_major_strides(array.shape())
            .iter()
            .map(|&stride| stride as u64),
    );
}

/// Strides in elements. Sizes of 0 count as 1, so that the product cannot
/// overflow where the array is empty.
fn row_major_strides(shape: &[usize]) -> Vec<i64> {
    let mut strides = vec![1_i64; shape.len()];
    for dimension in (1..shape.len()).rev() {
        let size = shape[dimension].max(1) as i64;
        strides[dimension - 1] = strides[dimension].wrapping_mul(size);
    }
    strides
}

fn checked_sizes(sizes: &[i64], shape: &[Option<usize>]) -> Option<Vec<usize>> {
    sizes
        .iter()
        .zip(shape)
        .map(|(&size, wanted)| {
            usize::try_from(size)
                .ok()
                .filter(|size| wanted.is_none_or(|wanted| wanted == *size))
        })
        .collect()
}

/// Copies the elements that a descriptor describes into `array`, which has the
/// sizes in the descriptor.
///
/// # Safety
///
/// The memory of every element that the descriptor describes can be read.
unsafe fn copy_described(words: &[u64], array: &mut Array) {
    if array.is_empty() {
        return;
    }
    let rank = array.rank();
    let element_size = array.element().byte_size();
    let strides: Vec<i64> = words[3 + rank..].iter().map(|&word| word as i64).collect();
    let aligned: *const u8 = ptr::with_exposed_provenance(words[1] as usize);
    let offset = words[2] as i64 as isize * element_size as isize;
    // SAFETY: the first element is part of the described memory.
    let first = unsafe { aligned.offset(offset) };
    let shape = array.shape().to_vec();
    let (inner_rank, inner_count) = contiguous_part(&shape, &strides);
    let outer_rank = rank - inner_rank;
    let block = inner_count * element_size;
    // Blocks that lie at a constant distance from each other form a row.
    let rows = outer_rank.saturating_sub(1);
    let (row_length, row_stride) = match outer_rank {
        0 => (1, 0),
        _ => (shape[rows], strides[rows] as isize * element_size as isize),
    };
    let mut index = vec![0_usize; rows];
    for row in array.bytes_mut().chunks_exact_mut(row_length * block) {
        let distance: i64 = index
            .iter()
            .zip(&strides)
            .map(|(&index, &stride)| index as i64 * stride)
            .sum();
        let distance = distance as isize * element_size as isize;
        for (position, target) in row.chunks_exact_mut(block).enumerate() {
            // SAFETY: the index lies inside the sizes, so the block of
            // contiguous elements there is described memory; `target` is
            // memory of our own.
            unsafe {
                let source = first.offset(distance + position as isize * row_stride);
                ptr::copy_nonoverlapping(source, target.as_mut_ptr(), block);
            }
        }
        advance(&mut index, &shape[..rows]);
    }
}

/// How many of the innermost dimensions lie in memory without gaps and in
/// order, and how many elements they have. Strides of dimensions of size 1 do
/// not matter.
fn contiguous_part(shape: &[usize], strides: &[i64]) -> (usize, usize) {
    let mut count = 1;
    for (inner, (&size, &stride)) in shape.iter().zip(strides).rev().enumerate() {
        if size != 1 && stride != count as i64 {
            return (inner, count);
        }
        count *= size;
    }
    (shape.len(), count)
}

/// The next index of a shape in row-major order.
fn advance(index: &mut [usize], shape: &[usize]) {
    for (index, &size) in index.iter_mut().zip(shape).rev() {
        *index += 1;
        if *index < size {
            return;
        }
        *index = 0;
    }
}
