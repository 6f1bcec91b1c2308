//! OpenMP's functions, in a table for the runtime library.

use melior::{
    Error,
    ir::{Value, attribute::TypeAttribute},
};
use soac_dialect::builder::Builder;

use super::address_of;

/// The functions of which the table has the addresses, with their types, in the order of
/// `OpenMp` in `tools/runtime/src/team.rs`. The first one takes as many arguments as it is given;
/// nothing but its address is used.
pub(super) const FUNCTIONS: [(&str, &str); 4] = [
    ("__kmpc_fork_call", "(!llvm.ptr, i32, !llvm.ptr) -> ()"),
    ("omp_get_max_threads", "() -> i32"),
    ("omp_get_num_threads", "() -> i32"),
    ("omp_get_thread_num", "() -> i32"),
];

/// The name of the table.
pub(super) const TABLE: &str = "comb_openmp";

/// Defines the table.
pub(super) fn define_table(start: &Builder) -> Result<(), Error> {
    let r#type = start.r#type(&format!("!llvm.array<{} x ptr>", FUNCTIONS.len()))?;
    let content = start.region::<Error>(&[], "llvm.return", |builder, _| {
        let mut table = builder.value("llvm.mlir.undef", &[], r#type, &[])?;
        for (position, (name, function)) in FUNCTIONS.into_iter().enumerate() {
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
