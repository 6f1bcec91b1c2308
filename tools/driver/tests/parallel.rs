//! Loops over chunks of work on several threads.

use std::num::NonZeroU32;

use comb_driver::{
    Compiler,
    code::CodeOptions,
    compile::{PassOptions, compile},
    entry,
    jit::Executable,
    load::parse,
    source::Source,
};
use comb_runtime::{Array, ElementType, Scalar, Value, threads::set_thread_count};

/// Doubles an array in chunks; one chunk may fail.
const DOUBLED: &str = r#"
func.func @main(%xs: tensor<?xindex>, %chunks: index, %bad: index) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %xs, %c0 : tensor<?xindex>
  %in = bufferization.to_buffer %xs : tensor<?xindex> to memref<?xindex>
  %out = memref.alloc(%n) : memref<?xindex>
  %size = arith.ceildivui %n, %chunks : index
  scf.parallel (%chunk) = (%c0) to (%chunks) step (%c1) {
    %good = arith.cmpi ne, %chunk, %bad : index
    soac.check %good, "chunk {} fails" (%chunk)
    %begin = arith.muli %chunk, %size : index
    %next = arith.addi %begin, %size : index
    %end = arith.minui %next, %n : index
    scf.for %i = %begin to %end step %c1 {
      %x = memref.load %in[%i] : memref<?xindex>
      %y = arith.muli %x, %c2 : index
      memref.store %y, %out[%i] : memref<?xindex>
    }
    scf.reduce
  } {comb.schedule = "SCHEDULE"}
  %r = bufferization.to_tensor %out restrict : memref<?xindex> to tensor<?xindex>
  return %r : tensor<?xindex>
}
"#;

/// Counts in chunks that each wait for the count of the one before; one chunk may
/// fail.
const CHAINED: &str = r#"
func.func private @comb_runtime_wait(memref<?xi64>, index) attributes {llvm.emit_c_interface}
func.func private @comb_runtime_signal(memref<?xi64>, index) attributes {llvm.emit_c_interface}
func.func @main(%chunks: index, %bad: index) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %flags = memref.alloc(%chunks) : memref<?xi64>
  %out = memref.alloc(%chunks) : memref<?xindex>
  scf.for %i = %c0 to %chunks step %c1 {
    memref.store %zero, %flags[%i] : memref<?xi64>
  }
  scf.parallel (%chunk) = (%c0) to (%chunks) step (%c1) {
    %good = arith.cmpi ne, %chunk, %bad : index
    soac.check %good, "chunk {} fails" (%chunk)
    %first = arith.cmpi eq, %chunk, %c0 : index
    %before = scf.if %first -> index {
      scf.yield %c0 : index
    } else {
      %previous = arith.subi %chunk, %c1 : index
      func.call @comb_runtime_wait(%flags, %previous) : (memref<?xi64>, index) -> ()
      %sum = memref.load %out[%previous] : memref<?xindex>
      scf.yield %sum : index
    }
    %sum = arith.addi %before, %chunk : index
    memref.store %sum, %out[%chunk] : memref<?xindex>
    func.call @comb_runtime_signal(%flags, %chunk) : (memref<?xi64>, index) -> ()
    scf.reduce
  } {comb.schedule = "interleaved"}
  %r = bufferization.to_tensor %out restrict : memref<?xindex> to tensor<?xindex>
  return %r : tensor<?xindex>
}
"#;

/// Loops in functions that chunks call are loops inside loops when they run.
const NESTED: &str = r#"
func.func private @row(%out: memref<?x8xindex>, %i: index, %bad: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%j) = (%c0) to (%c8) step (%c1) {
    %p = arith.muli %i, %c8 : index
    %q = arith.addi %p, %j : index
    %good = arith.cmpi ne, %q, %bad : index
    soac.check %good, "element {} fails" (%q)
    memref.store %q, %out[%i, %j] : memref<?x8xindex>
    scf.reduce
  } {comb.schedule = "contiguous"}
  return
}
func.func @main(%n: index, %bad: index) -> tensor<?x8xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = memref.alloc(%n) : memref<?x8xindex>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @row(%out, %i, %bad) : (memref<?x8xindex>, index, index) -> ()
    scf.reduce
  } {comb.schedule = "contiguous"}
  %r = bufferization.to_tensor %out restrict : memref<?x8xindex> to tensor<?x8xindex>
  return %r : tensor<?x8xindex>
}
"#;

/// Takes 64 KiB of the stack in every chunk, twice, and 8 KiB in every iteration of a
/// loop in it.
const STACK: &str = r#"
func.func @main(%chunks: index, %n: index) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 8192 : index
  %out = memref.alloc(%chunks) : memref<?xindex>
  scf.parallel (%chunk) = (%c0) to (%chunks) step (%c1) {
    %fixed = memref.alloca() : memref<8192xindex>
    %sized = memref.alloca(%size) : memref<?xindex>
    %last = arith.subi %size, %c1 : index
    memref.store %chunk, %fixed[%last] : memref<8192xindex>
    %read = memref.load %fixed[%last] : memref<8192xindex>
    memref.store %read, %sized[%chunk] : memref<?xindex>
    scf.for %i = %c0 to %n step %c1 {
      %inner = memref.alloca() : memref<1024xindex>
      memref.store %i, %inner[%i] : memref<1024xindex>
      %computed = memref.alloca(%n) : memref<?xindex>
      %j = memref.load %inner[%i] : memref<1024xindex>
      memref.store %j, %computed[%i] : memref<?xindex>
    }
    %result = memref.load %sized[%chunk] : memref<?xindex>
    memref.store %result, %out[%chunk] : memref<?xindex>
    scf.reduce
  } {comb.schedule = "contiguous"}
  %r = bufferization.to_tensor %out restrict : memref<?xindex> to tensor<?xindex>
  return %r : tensor<?xindex>
}
"#;

/// Takes memory for `n` numbers in every chunk, and more than there is in the last.
const HUGE: &str = r#"
func.func @main(%chunks: index, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %chunks, %c1 : index
  %huge = arith.constant 1000000000000000 : index
  scf.parallel (%chunk) = (%c0) to (%chunks) step (%c1) {
    %is_last = arith.cmpi eq, %chunk, %last : index
    %size = arith.select %is_last, %huge, %n : index
    %memory = memref.alloc(%size) : memref<?xindex>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %i, %memory[%i] : memref<?xindex>
    }
    func.call @keep(%memory) : (memref<?xindex>) -> ()
    scf.reduce
  } {comb.schedule = "contiguous"}
  return %chunks : index
}
func.func private @keep(%memory: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %memory[%c0] : memref<?xindex>
  %good = arith.cmpi eq, %x, %c0 : index
  soac.check %good, "the first is {}" (%x)
  return
}
"#;

fn with_program(text: &str, action: impl FnOnce(&Executable)) {
    let compiler = Compiler::new();
    let program = parse(&compiler, Source::new("test.mlir", text)).unwrap();
    let entries = vec![entry::choose(&program, Some("main")).unwrap()];
    let options = PassOptions::default();
    let compiled = compile(&compiler, program, entries, "comb", options).unwrap();
    let executable = Executable::new(&compiler, &compiled, &CodeOptions::default(), &[]).unwrap();
    action(&executable);
}

fn call(executable: &Executable, inputs: &[Value]) -> Result<Value, String> {
    let results = executable.function("main").unwrap().call(inputs);
    let mut results = results.map_err(|error| error.to_string())?;
    Ok(results.remove(0))
}

fn index(value: i64) -> Value {
    Value::Scalar(ElementType::Index, Scalar::Int(value))
}

fn indices(shape: &[usize], value: impl Fn(usize) -> usize) -> Value {
    let array = Array::from_fn(ElementType::Index, shape, |i| Scalar::Int(value(i) as i64));
    Value::Array(array.unwrap())
}

fn threads() -> impl Iterator<Item = u32> {
    (1..=8).inspect(|&count| set_thread_count(NonZeroU32::new(count).unwrap()).expect("a team"))
}

const NONE: i64 = -1;

#[test]
fn chunks_run_on_any_number_of_threads() {
    for schedule in ["contiguous", "interleaved"] {
        with_program(&DOUBLED.replace("SCHEDULE", schedule), |executable| {
            for _ in threads() {
                for (size, chunks) in [(0, 3), (10, 1), (10, 3), (1000, 100), (5, 8)] {
                    let inputs = [indices(&[size], |i| i), index(chunks), index(NONE)];
                    let doubled = call(executable, &inputs).unwrap();
                    assert_eq!(doubled, indices(&[size], |i| 2 * i));
                }
            }
        });
    }
}

#[test]
fn a_failing_chunk_fails_the_call_on_whatever_thread_it_is() {
    for schedule in ["contiguous", "interleaved"] {
        with_program(&DOUBLED.replace("SCHEDULE", schedule), |executable| {
            for _ in threads() {
                for (chunks, bad) in [(1, 0), (2, 0), (2, 1), (64, 0), (64, 33), (64, 63)] {
                    let inputs = |bad| [indices(&[100], |i| i), index(chunks), index(bad)];
                    assert_eq!(
                        call(executable, &inputs(bad)).unwrap_err(),
                        format!("test.mlir:12:5: chunk {bad} fails")
                    );
                    assert!(call(executable, &inputs(NONE)).is_ok());
                }
            }
        });
    }
}

#[test]
fn chained_chunks_wait_for_each_other() {
    with_program(CHAINED, |executable| {
        for _ in threads() {
            for chunks in [1, 2, 9, 500] {
                let sums = call(executable, &[index(chunks), index(NONE)]).unwrap();
                assert_eq!(sums, indices(&[chunks as usize], |i| i * (i + 1) / 2));
            }
        }
    });
}

#[test]
fn chunks_that_wait_for_a_failed_one_do_not_hang() {
    with_program(CHAINED, |executable| {
        for _ in threads() {
            for bad in [0, 1, 20, 39] {
                let error = call(executable, &[index(40), index(bad)]).unwrap_err();
                assert_eq!(error, format!("test.mlir:15:5: chunk {bad} fails"));
            }
        }
    });
}

#[test]
fn loops_inside_loops_work_and_fail() {
    with_program(NESTED, |executable| {
        for _ in threads() {
            let numbers = call(executable, &[index(20), index(NONE)]).unwrap();
            assert_eq!(numbers, indices(&[20, 8], |i| i));
            let error = call(executable, &[index(20), index(77)]).unwrap_err();
            assert_eq!(error, "test.mlir:10:5: element 77 fails");
        }
    });
}

#[test]
fn a_chunk_without_memory_fails() {
    with_program(HUGE, |executable| {
        for _ in threads() {
            for size in [10, 100_000] {
                let error = call(executable, &[index(30), index(size)]).unwrap_err();
                assert!(error.starts_with("out of memory: an array of "), "{error}");
            }
        }
    });
}

#[test]
fn the_stack_of_a_chunk_is_given_back() {
    with_program(STACK, |executable| {
        for _ in threads() {
            let results = call(executable, &[index(5000), index(1000)]).unwrap();
            assert_eq!(results, indices(&[5000], |i| i));
        }
    });
}

#[test]
fn several_threads_may_call_and_fail_at_once() {
    with_program(&DOUBLED.replace("SCHEDULE", "contiguous"), |executable| {
        let entry = executable.function("main").unwrap();
        std::thread::scope(|scope| {
            for caller in 0..4 {
                scope.spawn(move || {
                    set_thread_count(NonZeroU32::new(3).unwrap()).expect("a team");
                    for round in 0..20 {
                        let bad = if round % 2 == 0 { caller } else { NONE };
                        let inputs = [indices(&[100], |i| i), index(4), index(bad)];
                        match entry.call(&inputs) {
                            Ok(results) => {
                                assert_eq!(bad, NONE);
                                assert_eq!(results, [indices(&[100], |i| 2 * i)]);
                            }
                            Err(error) => assert_eq!(
                                error.to_string(),
                                format!("test.mlir:12:5: chunk {caller} fails")
                            ),
                        }
                    }
                });
            }
        });
    });
}
