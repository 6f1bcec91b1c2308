//! The types that instructions name, and the state spaces of memory.

/// A type of PTX: how an instruction reads the bits of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    B8,
    B16,
    B32,
    B64,
    F16,
    Bf16,
    U16x2,
    S16x2,
    F16x2,
    Bf16x2,
    F32,
    F32x2,
    F64,
    Pred,
}

impl Type {
    /// The type that a modifier names: `s32`.
    pub(crate) fn parse(name: &str) -> Option<Type> {
        Some(match name {
            "u8" => Type::U8,
            "u16" => Type::U16,
            "u32" => Type::U32,
            "u64" => Type::U64,
            "s8" => Type::S8,
            "s16" => Type::S16,
            "s32" => Type::S32,
            "s64" => Type::S64,
            "b8" => Type::B8,
            "b16" => Type::B16,
            "b32" => Type::B32,
            "b64" => Type::B64,
            "f16" => Type::F16,
            "bf16" => Type::Bf16,
            "u16x2" => Type::U16x2,
            "s16x2" => Type::S16x2,
            "f16x2" => Type::F16x2,
            "bf16x2" => Type::Bf16x2,
            "f32" => Type::F32,
            "f32x2" => Type::F32x2,
            "f64" => Type::F64,
            "pred" => Type::Pred,
            _ => return None,
        })
    }

    /// The bytes of a value.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Type::U8 | Type::S8 | Type::B8 | Type::Pred => 1,
            Type::U16 | Type::S16 | Type::B16 | Type::F16 | Type::Bf16 => 2,
            Type::U32 | Type::S32 | Type::B32 | Type::F32 => 4,
            Type::U16x2 | Type::S16x2 | Type::F16x2 | Type::Bf16x2 => 4,
            Type::U64 | Type::S64 | Type::B64 | Type::F64 | Type::F32x2 => 8,
        }
    }

    /// Whether values are numbers with a sign, of whole numbers.
    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Type::S8 | Type::S16 | Type::S32 | Type::S64)
    }

    /// Whether values are single floating-point numbers.
    pub(crate) fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::Bf16 | Type::F32 | Type::F64)
    }

    /// The type of each half, for a type of two packed numbers.
    pub(crate) fn lane(self) -> Option<Type> {
        match self {
            Type::U16x2 => Some(Type::U16),
            Type::S16x2 => Some(Type::S16),
            Type::F16x2 => Some(Type::F16),
            Type::Bf16x2 => Some(Type::Bf16),
            Type::F32x2 => Some(Type::F32),
            _ => None,
        }
    }
}

/// A state space: where an address points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    /// Memory of the device, also that of constants.
    Global,
    /// Memory of a block; addresses count from 0.
    Shared,
    /// Memory of a thread; addresses count from 0.
    Local,
    /// Memory of a call: parameters, results and the variables of the function; addresses are
    /// relative to the call.
    Frame,
    /// Any of the above, told apart by the address.
    Generic,
}

/// Where the addresses of shared memory begin among generic addresses.
pub(crate) const SHARED_WINDOW: u64 = 0x0100_0000_0000_0000;
/// Where the addresses of local memory begin among generic addresses.
pub(crate) const LOCAL_WINDOW: u64 = 0x0200_0000_0000_0000;
/// The size of each of the two windows.
pub(crate) const WINDOW_SIZE: u64 = 0x0100_0000;
