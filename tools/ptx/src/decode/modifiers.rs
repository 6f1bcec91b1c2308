//! The modifiers of an opcode: the parts between dots.

use crate::types::Type;

/// The modifiers that were not understood yet.
pub(super) struct Modifiers<'a> {
    parts: Vec<&'a str>,
}

impl<'a> Modifiers<'a> {
    /// Splits an opcode into its name and its modifiers.
    pub(super) fn split(opcode: &'a str) -> (&'a str, Modifiers<'a>) {
        let mut parts = opcode.split('.');
        let name = parts.next().unwrap_or("");
        (
            name,
            Modifiers {
                parts: parts.collect(),
            },
        )
    }

    /// Takes a modifier if it is there.
    pub(super) fn take(&mut self, name: &str) -> bool {
        let found = self.parts.iter().position(|part| *part == name);
        if let Some(at) = found {
            self.parts.remove(at);
        }
        found.is_some()
    }

    /// Whether a modifier is one of these.
    pub(super) fn has_any(&self, names: &[&str]) -> bool {
        self.parts.iter().any(|part| names.contains(part))
    }

    /// Takes the first modifier that is one of these; "" if none is.
    pub(super) fn one_of(&mut self, names: &[&str]) -> &'a str {
        let found = self.parts.iter().position(|part| names.contains(part));
        found.map_or("", |at| self.parts.remove(at))
    }

    /// Takes all modifiers that are one of these.
    pub(super) fn drop_all(&mut self, names: &[&str]) {
        self.parts.retain(|part| !names.contains(part));
    }

    /// Takes all modifiers that begin so.
    pub(super) fn drop_prefixed(&mut self, prefix: &str) {
        self.parts.retain(|part| !part.starts_with(prefix));
    }

    /// Takes the first type.
    pub(super) fn ty(&mut self) -> Option<Type> {
        let at = self
            .parts
            .iter()
            .position(|part| Type::parse(part).is_some())?;
        Type::parse(self.parts.remove(at))
    }

    /// Whether all were understood.
    pub(super) fn is_done(&self) -> bool {
        self.parts.is_empty()
    }
}
