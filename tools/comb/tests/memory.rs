//! Memory that the system refuses, whoever asks for it: the loader, LLVM, MLIR, or comb.

mod common;

use std::process::Command;

use common::{Folder, comb, source};

/// Requests of a run that compiles a small program: before `main`, while dialects are loaded, and later.
const REQUESTS: [u32; 24] = [
    1, 100, 200, 300, 500, 800, 1200, 1700, 2000, 2500, 3500, 5000, 8000, 10_000, 10_100, 11_000,
    12_500, 13_000, 14_000, 18_000, 25_000, 40_000, 70_000, 120_000,
];

#[test]
#[cfg(target_os = "linux")]
fn refused_memory_is_an_error() {
    let folder = Folder::new();
    let library = folder.path("refused.so");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library);
    let built = folder.execute(compiler.arg(source("refused.c")));
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    let mut errors = 0;
    for request in REQUESTS {
        let mut command = comb();
        command
            .env("LD_PRELOAD", &library)
            .env("REFUSED", request.to_string())
            .args("run parallel.mlir -i xs=iota:i32[7] -i chunks=4 -i bad=9".split(' '));
        let outcome = folder.execute(&mut command);
        let is_error = outcome.code == Some(1) && outcome.stderr.contains("rror");
        // Some do without, as a cache does.
        assert!(
            is_error || outcome.code == Some(0),
            "request {request}: {:?}\n{}",
            outcome.code,
            outcome.stderr
        );
        errors += u32::from(is_error);
    }
    assert!(errors > 12, "{errors} of {}", REQUESTS.len());
}
