//! What the environment sets.

use std::env;

/// Settings of the device.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The compute capability: 90 for 9.0.
    pub(crate) chip: u32,
    /// The bytes of memory.
    pub(crate) memory: u64,
    /// Whether blocks and threads run from the last one to the first one.
    pub(crate) reverse: bool,
    /// The instructions after which a launch fails if no block ended meanwhile.
    pub(crate) patience: u64,
    /// Whether calls that do work on the device are printed.
    pub(crate) trace: bool,
    /// Whether what was not freed is printed at the end.
    pub(crate) leaks: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            chip: 90,
            memory: 4 << 30,
            reverse: false,
            patience: 4_000_000_000,
            trace: false,
            leaks: false,
        }
    }
}

impl Settings {
    /// Reads the variables `COMB_PTX_…`.
    pub(crate) fn from_environment() -> Settings {
        let default = Settings::default();
        let number = |name: &str| env::var(name).ok()?.parse().ok();
        Settings {
            chip: env::var("COMB_PTX_CHIP")
                .ok()
                .and_then(|text| chip(&text))
                .unwrap_or(default.chip),
            memory: number("COMB_PTX_MEMORY").unwrap_or(default.memory),
            reverse: env::var("COMB_PTX_ORDER").is_ok_and(|order| order == "reverse"),
            patience: number("COMB_PTX_PATIENCE").unwrap_or(default.patience),
            trace: env::var("COMB_PTX_TRACE").is_ok_and(|value| value == "1"),
            leaks: env::var("COMB_PTX_LEAKS").is_ok_and(|value| value == "1"),
        }
    }
}

/// `9.0` or `sm_90`.
fn chip(text: &str) -> Option<u32> {
    if let Some(number) = text.strip_prefix("sm_") {
        return number.parse().ok();
    }
    let (major, minor) = text.split_once('.')?;
    Some(major.parse::<u32>().ok()? * 10 + minor.parse::<u32>().ok()?)
}
