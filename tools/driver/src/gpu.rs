//! GPUs that programs are compiled for.

use comb_machine::{GPUS, Vendor as Maker};
use comb_passes::pipelines::GpuTarget;
use comb_runtime::device::{Device, DeviceError, Vendor};

/// A GPU that runs a program's kernels, and how they are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gpu {
    /// What kernels become.
    pub target: GpuTarget,
    /// What LLVM calls the GPU.
    pub chip: String,
    /// The folder of the toolkit for it; empty if there is none.
    pub toolkit: String,
}

impl Gpu {
    /// Whose driver runs the kernels.
    pub fn vendor(&self) -> Vendor {
        match self.target {
            GpuTarget::Emulate | GpuTarget::Nvvm => Vendor::Nvidia,
            GpuTarget::Rocdl => Vendor::Amd,
        }
    }
}

/// What to compile for so that NVIDIA's GPU of this machine runs it: the newest of the table that is not newer.
///
/// # Errors
///
/// If there is no GPU.
pub fn nvidia_here() -> Result<String, DeviceError> {
    let here = Device::of(Vendor::Nvidia)?.architecture()?;
    Ok(newest_until(here)
        .unwrap_or(GpuTarget::Nvvm.usual_chip())
        .to_owned())
}

/// The newest of NVIDIA's GPUs in the table that is not newer than one with a number.
fn newest_until(most: u32) -> Option<&'static str> {
    let known = GPUS.iter().filter(|row| row.vendor == Maker::Nvidia);
    let numbered = known.filter_map(|row| {
        let number: u32 = row.name.strip_prefix("sm_")?.parse().ok()?;
        Some((number, row.name))
    });
    let possible = numbered.filter(|&(number, _)| number <= most);
    possible.max().map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_for_no_newer_gpu() {
        for (here, chip) in [(70, "sm_70"), (87, "sm_86"), (90, "sm_90"), (103, "sm_100")] {
            assert_eq!(newest_until(here), Some(chip));
        }
        assert_eq!(newest_until(60), None);
    }
}
