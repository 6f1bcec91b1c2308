//! Barriers behind barriers.

use super::rewrite::Rewrite;

/// One barrier is as good as two.
pub(super) fn of_force(rewrite: &Rewrite) -> Option<()> {
    rewrite.producers("force", |_| ())?;
    rewrite.replace_with_casts(&rewrite.group(0))
}
