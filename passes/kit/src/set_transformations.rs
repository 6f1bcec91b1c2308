//! `comb-set-transformations`: says at the module which optional transformations are off, and after
//! how many the others stop, if it does not say so itself.

use melior::ir::{OperationRef, operation::OperationLike};

use crate::{
    pass_error::PassError,
    switches::{self, TRANSFORMATIONS, Wanted},
};

/// Runs the pass on a module, with the names of transformations, and a limit; if that is negative,
/// there is none.
///
/// # Errors
///
/// If there is no such transformation, or the module's own attribute is not what it has to be.
pub fn run<'c>(
    module: OperationRef<'c, '_>,
    disabled: &[&str],
    limit: i64,
) -> Result<(), PassError<'c>> {
    let limit = Some(limit).filter(|&limit| limit >= 0);
    let wanted = Wanted::new(disabled.iter().copied(), limit);
    let wanted = wanted.map_err(|error| PassError::Unsupported {
        location: module.location(),
        message: format!("comb-set-transformations: {error}"),
    })?;
    if module.has_attribute(TRANSFORMATIONS) || wanted.is_usual() {
        return switches::check(module);
    }
    switches::write(module, &wanted);
    Ok(())
}
