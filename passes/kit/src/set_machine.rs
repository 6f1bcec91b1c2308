//! `comb-set-machine`: says at the module what machine its code is for, if it does not say so
//! itself.

use comb_machine::{assignment, describe, describe_gpu};
use melior::ir::{OperationRef, operation::OperationLike};

use crate::{
    machine::{self, MACHINE},
    pass_error::PassError,
    walk::modules,
};

/// Runs the pass on a module, with the name of a CPU of the table, or of a GPU if there is one, and
/// facts that are otherwise, each as `KEY=VALUE`.
///
/// # Errors
///
/// If there is no such machine, or the module's own attribute describes none.
pub fn run<'c>(
    module: OperationRef<'c, '_>,
    cpu: &str,
    gpu: Option<&str>,
    facts: &[&str],
) -> Result<(), PassError<'c>> {
    let mut inner = modules(module);
    inner.pop();
    if let Some(inner) = inner.into_iter().find(|op| op.has_attribute(MACHINE)) {
        return Err(PassError::Unsupported {
            location: inner.location(),
            message: format!(
                "'{MACHINE}' is at a module inside of another one; put it at the outermost"
            ),
        });
    }
    if module.has_attribute(MACHINE) {
        return match gpu {
            Some(_) => machine::gpu_of(module).map(drop),
            None => machine::of(module).map(drop),
        };
    }
    let facts: Result<Vec<_>, _> = facts.iter().map(|fact| assignment(fact)).collect();
    let written = facts.and_then(|facts| {
        match gpu {
            Some(gpu) => machine::write_gpu(module, gpu, &describe_gpu(gpu, facts)?),
            None => machine::write(module, cpu, &describe(Some(cpu), facts)?),
        }
        Ok(())
    });
    written.map_err(|error| PassError::Unsupported {
        location: module.location(),
        message: format!("comb-set-machine: {error}"),
    })
}
