//! Copies of strided arrays on a GPU.
//!
//! What lies in the same order without gaps on both sides is one block. Blocks at constant distances are a rectangle, which
//! the driver copies at once; all else is a sequence of those. Programs are compiled so that large arrays are copied by
//! kernels where this would be many small copies.

use super::driver::{DeviceError, Rectangle, Side};
use super::state::Device;

/// A copy of an array: of both the target and the source, the strides in elements.
pub(super) struct Copy<'a> {
    pub element_size: u64,
    pub sizes: &'a [u64],
    pub strides: [&'a [u64]; 2],
}

/// Strides of a dense array, row by row.
pub(super) fn dense_strides(sizes: &[u64]) -> Vec<u64> {
    let mut strides = vec![1; sizes.len()];
    for axis in (1..sizes.len()).rev() {
        strides[axis - 1] = strides[axis] * sizes[axis];
    }
    strides
}

/// Whether an array is dense, row by row. Strides along axes of size 1 do not matter.
pub(super) fn is_dense(sizes: &[u64], strides: &[u64]) -> bool {
    let dense = dense_strides(sizes);
    let axes = sizes.iter().zip(strides.iter().zip(&dense));
    axes.into_iter()
        .all(|(&size, (stride, dense))| size == 1 || stride == dense)
}

/// An axis of a copy: how many there are, and the distances in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Axis {
    count: u64,
    distances: [i64; 2],
}

impl Copy<'_> {
    /// Copies from the second address to the first.
    ///
    /// # Safety
    ///
    /// Both arrays are memory of the device there, and do not overlap.
    pub unsafe fn run(&self, device: &Device, addresses: [u64; 2]) -> Result<(), DeviceError> {
        if self.sizes.contains(&0) {
            return Ok(());
        }
        let (block, axes) = self.collapsed();
        // SAFETY: the caller's promise; the blocks are parts of the arrays.
        unsafe { copy_axes(device, block, &axes, addresses) }
    }

    /// The bytes of a block that is dense on both sides, and the axes around it that are not of size 1, those merged that are one.
    fn collapsed(&self) -> (u64, Vec<Axis>) {
        let mut block = self.element_size;
        let mut axes: Vec<Axis> = vec![];
        for (axis, &count) in self.sizes.iter().enumerate().rev() {
            if count == 1 {
                continue;
            }
            let distances = self
                .strides
                .map(|strides| strides[axis].wrapping_mul(self.element_size) as i64);
            match axes.last_mut() {
                None if distances == [block as i64; 2] => block *= count,
                Some(inner)
                    if inner
                        .distances
                        .map(|distance| distance.wrapping_mul(inner.count as i64))
                        == distances =>
                {
                    inner.count *= count;
                }
                _ => axes.push(Axis { count, distances }),
            }
        }
        axes.reverse();
        (block, axes)
    }
}

/// Copies blocks along axes, the innermost last.
///
/// # Safety
///
/// All blocks are memory of the device.
unsafe fn copy_axes(
    device: &Device,
    block: u64,
    axes: &[Axis],
    addresses: [u64; 2],
) -> Result<(), DeviceError> {
    // SAFETY: the caller's promise.
    unsafe {
        match axes {
            [] => device.copy(addresses[0], addresses[1], block as usize),
            [rows] if can_be_rows(rows, block) => device.copy_rectangle(&Rectangle {
                source: Side::on_device(addresses[1], rows.distances[1] as usize),
                target: Side::on_device(addresses[0], rows.distances[0] as usize),
                width: block as usize,
                height: rows.count as usize,
            }),
            [axis, inner @ ..] => (0..axis.count).try_for_each(|index| {
                let at = |side: usize| {
                    let distance = axis.distances[side].wrapping_mul(index as i64);
                    addresses[side].wrapping_add_signed(distance)
                };
                copy_axes(device, block, inner, [at(0), at(1)])
            }),
        }
    }
}

/// Whether blocks at a distance are rows of a rectangle, as drivers take it.
fn can_be_rows(axis: &Axis, block: u64) -> bool {
    const LARGEST_PITCH: i64 = i32::MAX as i64;
    let mut distances = axis.distances.iter();
    distances.all(|&distance| distance >= block as i64 && distance <= LARGEST_PITCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collapsed(sizes: &[u64], target: &[u64], source: &[u64]) -> (u64, Vec<(u64, [i64; 2])>) {
        let copy = Copy {
            element_size: 4,
            sizes,
            strides: [target, source],
        };
        let (block, axes) = copy.collapsed();
        let axes = axes.iter().map(|axis| (axis.count, axis.distances));
        (block, axes.collect())
    }

    #[test]
    fn what_is_dense_on_both_sides_is_a_block() {
        assert_eq!(collapsed(&[3, 5], &[5, 1], &[5, 1]), (60, vec![]));
        // Rows of a wider array.
        let rows = (20, vec![(3, [20, 32])]);
        assert_eq!(collapsed(&[3, 5], &[5, 1], &[8, 1]), rows);
        // Columns.
        let columns = (4, vec![(3, [20, 4]), (5, [4, 12])]);
        assert_eq!(collapsed(&[3, 5], &[5, 1], &[1, 3]), columns);
        // Planes of rows at the same distance are one axis.
        let planes = (20, vec![(6, [20, 32])]);
        assert_eq!(collapsed(&[2, 3, 5], &[15, 5, 1], &[24, 8, 1]), planes);
        // Backwards.
        let backwards = (4, vec![(5, [4, -4])]);
        assert_eq!(collapsed(&[5], &[1], &[u64::MAX]), backwards);
    }

    #[test]
    fn axes_of_size_one_do_not_matter() {
        assert_eq!(collapsed(&[1, 5, 1], &[9, 1, 7], &[2, 1, 3]), (20, vec![]));
        assert!(is_dense(&[1, 5, 1], &[9, 1, 7]));
        assert!(!is_dense(&[2, 5], &[6, 1]));
        assert!(is_dense(&[], &[]));
    }
}
