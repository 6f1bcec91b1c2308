//! The table of GPUs, and what is known of them.

use crate::facts::{InvalidFact, Value};

/// What passes know of the GPU that code is made for.
///
/// What each fact means is said in [`GPU_FACTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Gpu {
    pub warp_threads: i64,
    pub block_threads: i64,
    pub shared_bytes: i64,
    pub vector_bytes: i64,
}

/// What is known of a GPU.
pub struct GpuFact {
    /// Its name, which is that of the field.
    pub key: &'static str,
    /// What it means, as a sentence without an end.
    pub meaning: &'static str,
    least: i64,
    most: i64,
    slot: fn(&mut Gpu) -> &mut i64,
}

/// All facts of GPUs. What a fact means is said here and nowhere else.
pub static GPU_FACTS: &[GpuFact] = &[
    GpuFact {
        key: "warp_threads",
        meaning: "How many threads run as one",
        least: 1,
        most: 128,
        slot: |gpu| &mut gpu.warp_threads,
    },
    GpuFact {
        key: "block_threads",
        meaning: "The most threads of a block",
        least: 1,
        most: 1024,
        slot: |gpu| &mut gpu.block_threads,
    },
    GpuFact {
        key: "shared_bytes",
        meaning: "The bytes of shared memory that each block may have",
        least: 0,
        most: 1 << 30,
        slot: |gpu| &mut gpu.shared_bytes,
    },
    GpuFact {
        key: "vector_bytes",
        meaning: "The most bytes that a thread loads or stores at once",
        least: 1,
        most: 1 << 10,
        slot: |gpu| &mut gpu.vector_bytes,
    },
];

impl GpuFact {
    /// What it is for a GPU.
    pub fn of(&self, gpu: &Gpu) -> Value {
        Value::Number(*(self.slot)(&mut gpu.clone()))
    }

    pub(crate) fn set(&self, gpu: &mut Gpu, value: &Value) -> Result<(), InvalidFact> {
        match value {
            Value::Number(number) if (self.least..=self.most).contains(number) => {
                *(self.slot)(gpu) = *number;
                Ok(())
            }
            _ => Err(InvalidFact::IllTyped {
                key: self.key.to_owned(),
                given: value.shown(),
                wanted: format!("a number from {} to {}", self.least, self.most),
            }),
        }
    }
}

/// Whose GPU it is, and what its code is called in LLVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vendor {
    /// NVIDIA: the dialect `nvvm`, and PTX.
    Nvidia,
    /// AMD: the dialect `rocdl`, and its assembly.
    Amd,
}

/// A GPU of the table.
#[derive(Clone, Copy, Debug)]
pub struct GpuRow {
    /// What LLVM calls it.
    pub name: &'static str,
    /// Whose it is.
    pub vendor: Vendor,
    /// What is known of it.
    pub gpu: Gpu,
}

/// Without what a program has to ask for when it starts a kernel: 48 KiB of shared memory.
const NVIDIA: Gpu = Gpu {
    warp_threads: 32,
    block_threads: 1024,
    shared_bytes: 48 << 10,
    vector_bytes: 16,
};

const AMD: Gpu = Gpu {
    warp_threads: 64,
    shared_bytes: 64 << 10,
    ..NVIDIA
};

const RDNA: Gpu = Gpu {
    warp_threads: 32,
    ..AMD
};

const fn nvidia(name: &'static str) -> GpuRow {
    GpuRow {
        name,
        vendor: Vendor::Nvidia,
        gpu: NVIDIA,
    }
}

const fn amd(name: &'static str, gpu: Gpu) -> GpuRow {
    GpuRow {
        name,
        vendor: Vendor::Amd,
        gpu,
    }
}

/// All GPUs whose facts are known.
pub static GPUS: &[GpuRow] = &[
    nvidia("sm_70"),
    nvidia("sm_75"),
    nvidia("sm_80"),
    nvidia("sm_86"),
    nvidia("sm_89"),
    nvidia("sm_90"),
    nvidia("sm_90a"),
    nvidia("sm_100"),
    nvidia("sm_120"),
    amd("gfx90a", AMD),
    amd("gfx942", AMD),
    amd("gfx1100", RDNA),
];

#[cfg(test)]
mod tests {
    use crate::facts::{assignment, describe_gpu};

    #[test]
    fn a_gpu_is_what_the_table_and_the_given_facts_say() {
        let fact = assignment("block_threads=64").unwrap();
        let gpu = describe_gpu("gfx942", [fact]).unwrap();
        assert_eq!((gpu.warp_threads, gpu.block_threads), (64, 64));
    }

    #[test]
    fn what_a_gpu_cannot_have_is_an_error() {
        let error = |name, fact| {
            let fact = assignment(fact).unwrap();
            describe_gpu(name, [fact]).unwrap_err().to_string()
        };
        assert_eq!(
            error("sm_90", "warp_threads=0"),
            "'warp_threads' is 0, but has to be a number from 1 to 128"
        );
        assert_eq!(
            error("sm_90", "fma=true"),
            "there is no fact 'fma' of a GPU; there are warp_threads, block_threads, \
             shared_bytes, vector_bytes"
        );
        assert!(
            error("sm_9", "warp_threads=1")
                .starts_with("the table of GPUs has no 'sm_9', but sm_70,")
        );
    }
}
