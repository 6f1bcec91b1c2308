//! A team of OpenMP's threads, for the runtime library: a function with the one region of the
//! `omp` dialect that a module needs, and a table with its address and those of OpenMP's functions.

use melior::{
    Error,
    ir::{Value, attribute::TypeAttribute},
};
use soac_dialect::{builder::Builder, view::set_attribute};

use super::address_of;

/// OpenMP's functions in the table, with their types, in the order of `OpenMp` in
/// `tools/runtime/src/team.rs`, which begins with the team.
pub(super) const FUNCTIONS: [(&str, &str); 3] = [
    ("omp_get_max_threads", "() -> i32"),
    ("omp_get_num_threads", "() -> i32"),
    ("omp_get_thread_num", "() -> i32"),
];

/// The function that has a team do some work.
pub(super) const TEAM: &str = "comb_openmp_team";

/// The type of what takes work.
pub(super) const WORKER: &str = "(!llvm.ptr) -> ()";

/// The runtime library's function for a thread of a team.
pub(super) const RUN_SHARE: &str = "comb_runtime_run_share";

/// The name of the table.
pub(super) const TABLE: &str = "comb_openmp";

/// Defines the function for a team: each of its threads has its share.
pub(super) fn define_team(start: &Builder) -> Result<(), Error> {
    let work = [start.r#type("!llvm.ptr")?];
    let team = start.function::<Error>(TEAM, &work, |body, arguments| {
        let share = ("callee", body.attribute(&format!("@{RUN_SHARE}"))?);
        let parallel = body.region::<Error>(&[], "omp.terminator", |thread, _| {
            thread.op("func.call", arguments, &[], &[share], vec![])?;
            Ok(vec![])
        })?;
        let none = ("operandSegmentSizes", body.segments(&[0; 6]));
        body.op("omp.parallel", &[], &[], &[none], vec![parallel])?;
        Ok(vec![])
    })?;
    set_attribute(team, "sym_visibility", start.string("private"));
    Ok(())
}

/// Defines the table.
pub(super) fn define_table(start: &Builder) -> Result<(), Error> {
    let functions: Vec<_> = [(TEAM, WORKER)].into_iter().chain(FUNCTIONS).collect();
    let r#type = start.r#type(&format!("!llvm.array<{} x ptr>", functions.len()))?;
    let content = start.region::<Error>(&[], "llvm.return", |builder, _| {
        let mut table = builder.value("llvm.mlir.undef", &[], r#type, &[])?;
        for (position, (name, function)) in functions.iter().enumerate() {
            let address = address_of(builder, name, function)?;
            let position = (
                "position",
                builder.attribute(&format!("array<i64: {position}>"))?,
            );
            table = builder.value("llvm.insertvalue", &[table, address], r#type, &[position])?;
        }
        Ok(vec![table])
    })?;
    let attributes = [
        ("sym_name", start.string(TABLE)),
        ("global_type", TypeAttribute::new(r#type).into()),
        ("linkage", start.attribute("#llvm.linkage<internal>")?),
        ("constant", start.unit()),
        ("addr_space", start.attribute("0 : i32")?),
        ("dso_local", start.unit()),
    ];
    start
        .op("llvm.mlir.global", &[], &[], &attributes, vec![content])
        .map(|_| ())
}

/// The address of the table.
pub(super) fn table<'c: 'a, 'a>(builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    let name = ("global_name", builder.attribute(&format!("@{TABLE}"))?);
    let pointer = builder.r#type("!llvm.ptr")?;
    builder.value("llvm.mlir.addressof", &[], pointer, &[name])
}
