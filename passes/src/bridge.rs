//! What the C++ of cpp/ calls: passes, and the texts of pipelines.
//!
//! Panics of passes are caught, and become a located error and a pass failure.

use std::{
    collections::BTreeMap,
    ffi::{CString, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    slice,
};

use comb_kit::{switches::refuse_counting_parts, upstream};
use melior::{
    StringRef,
    ir::{Attribute, OperationRef, operation::OperationLike},
};
use mlir_sys::{MlirAttribute, MlirOperation, MlirStringRef};
use soac_dialect::{
    location::emit_error,
    text::{bytes, shown},
};

use crate::{
    declared::dispatch,
    dictionary::Dictionary,
    pipelines::{GpuTarget, PIPELINES, PipelineOptions, UnknownTarget, set_gpu},
};

/// A text of the C++ side.
///
/// # Safety
///
/// It must be alive.
unsafe fn string(text: MlirStringRef) -> String {
    // SAFETY: as the caller promises.
    shown(unsafe { bytes(text) })
}

/// Runs a pass on an op, and tells what it counted; a panic becomes an error at the op.
#[unsafe(no_mangle)]
extern "C" fn combRustRunPass(
    pass: MlirStringRef,
    op: MlirOperation,
    options: MlirAttribute,
    count: extern "C" fn(MlirStringRef, i64, *mut c_void),
    data: *mut c_void,
) -> bool {
    // SAFETY: the name belongs to the pass, which is running; the pass manager passes a live op; the
    // options are a dictionary of its context.
    let (pass, op, options) = unsafe {
        (
            string(pass),
            OperationRef::from_raw(op),
            Attribute::from_raw(options),
        )
    };
    let run = || {
        refuse_counting_parts(op)?;
        dispatch(&pass, op, &Dictionary(options))
    };
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(counts)) => {
            for (name, number) in counts {
                count(StringRef::new(name).to_raw(), number, data);
            }
            true
        }
        Ok(Err(error)) => {
            error.emit(op.location());
            false
        }
        Err(_) => {
            emit_error(
                op.location(),
                "internal error in a comb pass, please report it: it panicked",
            );
            false
        }
    }
}

/// The pipelines' names and descriptions as C strings, which live as long as the
/// process.
fn pipeline_strings() -> &'static [[CString; 2]] {
    static STRINGS: std::sync::OnceLock<Vec<[CString; 2]>> = std::sync::OnceLock::new();
    STRINGS.get_or_init(|| {
        let strings = PIPELINES.iter().map(|pipeline| {
            [pipeline.name, pipeline.description]
                .map(|text| CString::new(text).expect("pipelines contain no NUL"))
        });
        strings.collect()
    })
}

#[unsafe(no_mangle)]
extern "C" fn combRustPipelineCount() -> usize {
    PIPELINES.len()
}

#[unsafe(no_mangle)]
extern "C" fn combRustPipelineName(pipeline: usize) -> *const c_char {
    pipeline_strings()[pipeline][0].as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn combRustPipelineDescription(pipeline: usize) -> *const c_char {
    pipeline_strings()[pipeline][1].as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn combRustPipelineMakesKernels(pipeline: usize) -> bool {
    PIPELINES[pipeline].makes_kernels()
}

#[unsafe(no_mangle)]
extern "C" fn combRustPipelineMakesCode(pipeline: usize) -> bool {
    PIPELINES[pipeline].makes_code()
}

/// Gives the names of upstream's patterns that are wrong to a function.
#[unsafe(no_mangle)]
extern "C" fn combRustUnsoundPatterns(
    receive: extern "C" fn(MlirStringRef, *mut c_void),
    data: *mut c_void,
) {
    for pattern in upstream::patterns_off() {
        receive(StringRef::new(pattern).to_raw(), data);
    }
}

/// Gives a pipeline's text to a function, or says what is wrong with its options: returns whether it
/// did the first. The options are names, each followed by its value.
///
/// # Safety
///
/// There are `count` names with values, which are alive.
#[unsafe(no_mangle)]
unsafe extern "C" fn combRustPipelineText(
    pipeline: usize,
    options: *const [MlirStringRef; 2],
    count: usize,
    receive: extern "C" fn(MlirStringRef, *mut c_void),
    data: *mut c_void,
) -> bool {
    // SAFETY: as the caller promises.
    let options = unsafe { slice::from_raw_parts(options, count) };
    // SAFETY: likewise.
    let text = |text: &MlirStringRef| unsafe { string(*text) };
    let options: BTreeMap<_, _> = options
        .iter()
        .map(|[name, value]| (text(name), text(value)))
        .collect();
    let (text, good) = match pipeline_text(pipeline, &options) {
        Ok(text) => (text, true),
        Err(error) => (error.to_string(), false),
    };
    receive(StringRef::new(&text).to_raw(), data);
    good
}

/// The text of a pipeline with options, of which those that are not said are empty.
fn pipeline_text(
    pipeline: usize,
    options: &BTreeMap<String, String>,
) -> Result<String, UnknownTarget> {
    let option = |name| options.get(name).map_or("", String::as_str);
    let target = match option("target") {
        "" => GpuTarget::default(),
        name => name.parse()?,
    };
    let chip = match option("chip") {
        "" => target.usual_chip(),
        chip => chip,
    };
    let gpu = set_gpu(chip, option("facts"));
    let machine = match PIPELINES[pipeline].makes_kernels() {
        true => &gpu,
        false => option("machine"),
    };
    Ok(PIPELINES[pipeline].text(&PipelineOptions {
        unchecked: option("unchecked") == "true",
        fusion: Some(option("fusion")).filter(|fusion| !fusion.is_empty()),
        machine,
        transformations: option("transformations"),
        math: option("math"),
        target,
        chip,
        toolkit: option("toolkit"),
        loadable: false,
    }))
}
