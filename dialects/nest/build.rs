//! Generates the dialect's C++ from ODS and compiles it, with the thin bridge
//! to Rust, into a static library.

use comb_build_support::Build;

const GENERATED: &[(&str, &[&str])] = &[
    (
        "NestDialect.h.inc",
        &["-gen-dialect-decls", "-dialect=nest"],
    ),
    (
        "NestDialect.cpp.inc",
        &["-gen-dialect-defs", "-dialect=nest"],
    ),
    ("NestOps.h.inc", &["-gen-op-decls"]),
    ("NestOps.cpp.inc", &["-gen-op-defs"]),
];

fn main() {
    let mut build = Build::from_cargo();
    let include = build.manifest.join("include");
    let generated = build.out.join("include");
    build
        .include_of("soac-dialect")
        .include(&include)
        .include(&generated);
    for (file, arguments) in GENERATED {
        build.generate(
            &include.join("nest/NestOps.td"),
            arguments,
            &generated.join("nest").join(file),
        );
    }
    build.compile("nest-dialect-cpp", &["Dialect.cpp", "Bufferization.cpp"]);
    build.publish(&include, &generated);
}
