//! The `gpu` dialect: launches of kernels, and what their threads do together.

use std::sync::Arc;

use crate::call::Call;
use crate::emulation::{Launch, Thread, Three, Wait};
use crate::failure::Failure;
use crate::program::Attribute;
use crate::value::{Scalar, Value};

/// Executes an op of the `gpu` dialect.
pub(crate) fn evaluate(call: &mut Call) -> Result<Vec<Value>, Failure> {
    match call.op.name.as_str() {
        "gpu.launch_func" => launch(call),
        "gpu.barrier" => {
            thread(call)?.wait(Wait::Barrier, call.op);
            Ok(vec![])
        }
        "gpu.shuffle" => shuffle(call),
        "gpu.block_id" => position(call, |thread| thread.block),
        "gpu.thread_id" => position(call, |thread| thread.thread),
        "gpu.block_dim" => position(call, |thread| thread.threads),
        "gpu.grid_dim" => position(call, |thread| thread.blocks),
        _ => Err(call.unknown_op()),
    }
}

fn thread<'m, 'p>(call: &'m Call<'_, 'p>) -> Result<&'m Thread<'p>, Failure> {
    let thread = call.machine.thread.as_ref();
    thread.ok_or_else(|| call.undefined("is in no kernel"))
}

fn position(call: &Call, of: impl Fn(&Thread) -> Three) -> Result<Vec<Value>, Failure> {
    let axis = match call.op.attributes.get("dimension") {
        Some(Attribute::Other(axis)) if axis.contains('x') => 0,
        Some(Attribute::Other(axis)) if axis.contains('y') => 1,
        Some(Attribute::Other(axis)) if axis.contains('z') => 2,
        _ => return Err(call.bug("has no dimension")),
    };
    let position = of(thread(call)?)[axis];
    Ok(vec![Value::Scalar(Scalar::index(position as i64))])
}

fn shuffle(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let value = call.scalar(0)?;
    let [other, lanes] = [1, 2].map(|operand| call.scalar(operand).map(|scalar| scalar.signed()));
    let (other, lanes) = (other?, lanes?);
    let is_by_index = match call.op.attributes.get("mode") {
        Some(Attribute::Other(mode)) => mode.contains("idx"),
        _ => false,
    };
    if !is_by_index {
        return Err(call.unsupported("a 'gpu.shuffle' op that is not by index"));
    }
    let in_warp = usize::try_from(lanes).ok().filter(|&lanes| lanes > 0);
    let lanes = in_warp.ok_or_else(|| call.undefined(&format!("has a warp of {lanes} lanes")))?;
    let from = usize::try_from(other).ok().filter(|&from| from < lanes);
    let from = from.ok_or_else(|| call.undefined(&format!("asks for lane {other} of {lanes}")))?;
    let wait = Wait::Shuffle { value, from, lanes };
    let answer = thread(call)?.wait(wait, call.op);
    let answer = answer.ok_or_else(|| call.bug("is not answered"))?;
    Ok(vec![
        Value::Scalar(answer),
        Value::Scalar(Scalar::truth(true)),
    ])
}

fn launch(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let Some(Attribute::Other(name)) = call.op.attributes.get("kernel") else {
        return Err(call.bug("names no kernel"));
    };
    let kernel = call
        .machine
        .kernel(name)
        .ok_or_else(|| call.bug(&format!("launches {name}, which does not exist")))?;
    let sizes = |first: usize, what: &str| {
        let sizes = [0, 1, 2].map(|axis| call.index(call.group(first + axis).start));
        let [x, y, z] = sizes;
        let sizes = call.sizes(&[x?, y?, z?], what)?;
        Ok([sizes[0], sizes[1], sizes[2]])
    };
    let launch = Launch {
        kernel: Arc::clone(kernel),
        arguments: call.values(call.group(11))?,
        blocks: sizes(1, "size {} of the grid")?,
        threads: sizes(4, "size {} of a block")?,
        limits: call.machine.limits(),
        location: call.op.location.clone(),
    };
    launch.run()?;
    Ok(vec![])
}
