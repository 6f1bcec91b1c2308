//! What names mean inside of a function: scopes of registers and variables.

use std::collections::HashMap;

use crate::program::{Lanes, Reg, Slot, Special};

/// What a name inside of a function means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    Register(Reg),
    /// A parameter, result or variable in the memory of the call.
    Frame(Slot),
    /// An offset in shared memory.
    Shared(u64),
    /// Shared memory of a size given at the launch.
    DynamicShared,
}

/// Names, the innermost scope last.
#[derive(Default)]
pub(super) struct Scopes {
    scopes: Vec<HashMap<String, Meaning>>,
    /// Registers declared with a count: `%r<8>`.
    families: Vec<Vec<(String, Reg, u64)>>,
}

impl Scopes {
    pub(super) fn open(&mut self) {
        self.scopes.push(HashMap::new());
        self.families.push(Vec::new());
    }

    pub(super) fn close(&mut self) {
        self.scopes.pop();
        self.families.pop();
    }

    pub(super) fn declare(&mut self, name: &str, meaning: Meaning) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), meaning);
        }
    }

    pub(super) fn declare_family(&mut self, name: &str, first: Reg, count: u64) {
        if let Some(families) = self.families.last_mut() {
            families.push((name.to_owned(), first, count));
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<Meaning> {
        let scopes = self.scopes.iter().zip(&self.families).rev();
        scopes.into_iter().find_map(|(scope, families)| {
            let family = families.iter().find_map(|family| member(family, name));
            scope.get(name).copied().or(family)
        })
    }
}

fn member((family, first, count): &(String, Reg, u64), name: &str) -> Option<Meaning> {
    let number: u64 = name.strip_prefix(family.as_str())?.parse().ok()?;
    (number < *count).then_some(Meaning::Register(first + number as Reg))
}

/// The special register of this name.
pub(super) fn special(name: &str) -> Option<Special> {
    let axis = match name.rsplit_once('.').map(|(_, axis)| axis) {
        Some("y") => 1,
        Some("z") => 2,
        _ => 0,
    };
    Some(match name {
        "%tid.x" | "%tid.y" | "%tid.z" => Special::Thread(axis),
        "%ntid.x" | "%ntid.y" | "%ntid.z" => Special::Threads(axis),
        "%ctaid.x" | "%ctaid.y" | "%ctaid.z" => Special::Block(axis),
        "%nctaid.x" | "%nctaid.y" | "%nctaid.z" => Special::Blocks(axis),
        "%laneid" => Special::Lane,
        "%warpid" => Special::Warp,
        "%nwarpid" => Special::Warps,
        "%lanemask_eq" => Special::LaneMask(Lanes::Equal),
        "%lanemask_lt" => Special::LaneMask(Lanes::Less),
        "%lanemask_le" => Special::LaneMask(Lanes::LessOrEqual),
        "%lanemask_gt" => Special::LaneMask(Lanes::Greater),
        "%lanemask_ge" => Special::LaneMask(Lanes::GreaterOrEqual),
        "%dynamic_smem_size" => Special::DynamicSharedSize,
        "%total_smem_size" => Special::SharedSize,
        _ => return None,
    })
}
