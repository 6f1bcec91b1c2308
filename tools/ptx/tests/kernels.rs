//! Kernels that comb made, run from end to end. Arrays are passed as it passes them: the allocated
//! and the aligned pointer, the offset, the sizes and the strides.

mod common;

use comb_ptx::driver::Handle;
use common::{Gpu, isolated};

/// The parameters of an array of one dimension.
fn vector(address: u64, size: usize) -> [u64; 5] {
    [address, address, 0, size as u64, 1]
}

/// The parameters of an array without dimensions.
fn scalar(address: u64) -> [u64; 3] {
    [address, address, 0]
}

/// The parameters of an array of two dimensions.
fn matrix(address: u64, rows: usize, columns: usize) -> [u64; 7] {
    let (rows, columns) = (rows as u64, columns as u64);
    [address, address, 0, rows, columns, columns, 1]
}

/// Numbers that look random.
fn numbers(count: usize) -> Vec<u32> {
    let step = |state: &mut u32| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some(*state >> 8)
    };
    let mut state = 1;
    std::iter::from_fn(|| step(&mut state))
        .take(count)
        .collect()
}

fn launch(gpu: &Gpu, kernel: Handle, grid: usize, block: usize, parameters: &[&[u64]]) {
    gpu.launch(kernel, grid as u32, block as u32, &parameters.concat());
}

/// Both orders of blocks and threads.
fn in_both_orders(name: &str, body: impl Fn()) {
    for order in ["forward", "reverse"] {
        isolated(name, &[("COMB_PTX_ORDER", order)], &body);
    }
}

#[test]
fn softmax() {
    in_both_orders("softmax", || {
        let gpu = Gpu::new();
        let (rows, columns) = (9, 300);
        let input: Vec<f32> = numbers(rows * columns)
            .iter()
            .map(|&number| number as f32 / 4e6)
            .collect();
        let kernel = gpu.kernel(include_str!("data/softmax.ptx"), "softmax_kernel");
        let from = gpu.upload(&input);
        let scratch = gpu.allocate(4 * columns * 4);
        let to = gpu.allocate(rows * columns * 4);
        launch(
            &gpu,
            kernel,
            4,
            256,
            &[
                &matrix(from, rows, columns),
                &matrix(scratch, 4, columns),
                &matrix(to, rows, columns),
            ],
        );
        let found = gpu.download::<f32>(to, rows * columns);
        for (row, found) in input.chunks(columns).zip(found.chunks(columns)) {
            let greatest = row.iter().copied().fold(f32::MIN, f32::max);
            let powers: Vec<f64> = row.iter().map(|&x| f64::from(x - greatest).exp()).collect();
            let sum: f64 = powers.iter().sum();
            for (power, found) in powers.iter().zip(found) {
                let expected = power / sum;
                assert!(
                    (f64::from(*found) - expected).abs() <= 1e-5 * expected,
                    "{found} {expected}"
                );
            }
        }
    });
}

#[test]
fn prefix_sums() {
    in_both_orders("prefix_sums", || {
        let gpu = Gpu::new();
        let count = 3 * 4096 - 55;
        let input: Vec<i64> = numbers(count)
            .iter()
            .map(|&number| i64::from(number) - 9999)
            .collect();
        let name = "prefix_sums_kernel";
        let sums = gpu.kernel(include_str!("data/prefix-sums-0.ptx"), name);
        let scan = gpu.kernel(include_str!("data/prefix-sums-1.ptx"), name);
        let apply = gpu.kernel(include_str!("data/prefix-sums-2.ptx"), name);
        let from = vector(gpu.upload(&input), count);
        let of_threads = vector(gpu.allocate(3 * 256 * 8), 3 * 256);
        let of_blocks = vector(gpu.allocate(3 * 8), 3);
        let to = vector(gpu.allocate(count * 8), count);
        launch(&gpu, sums, 3, 256, &[&from, &of_threads, &of_blocks]);
        launch(&gpu, scan, 1, 256, &[&[3], &of_blocks]);
        launch(&gpu, apply, 3, 256, &[&from, &of_blocks, &of_threads, &to]);
        let mut sum = 0;
        let expected: Vec<i64> = input
            .iter()
            .map(|number| {
                sum += number;
                sum
            })
            .collect();
        assert_eq!(gpu.download::<i64>(to[0], count), expected);
    });
}

#[test]
fn filter() {
    in_both_orders("filter", || {
        let gpu = Gpu::new();
        let count = 2 * 4096 + 77;
        let blocks = 3;
        let input: Vec<f32> = numbers(count).iter().map(|&number| number as f32).collect();
        let limit = 8e6f32;
        let name = "above_average_kernel";
        let counts = gpu.kernel(include_str!("data/above-average-3.ptx"), name);
        let scan = gpu.kernel(include_str!("data/above-average-4.ptx"), name);
        let write = gpu.kernel(include_str!("data/above-average-5.ptx"), name);
        let from = vector(gpu.upload(&input), count);
        let of_threads = vector(gpu.allocate(blocks * 256 * 8), blocks * 256);
        let of_blocks = vector(gpu.allocate(blocks * 8), blocks);
        let total = scalar(gpu.allocate(8));
        let values = vector(gpu.allocate(count * 4), count);
        let places = vector(gpu.allocate(count * 8), count);
        let bits = [u64::from(limit.to_bits())];
        launch(
            &gpu,
            counts,
            blocks,
            256,
            &[&from, &bits, &of_threads, &of_blocks],
        );
        launch(&gpu, scan, 1, 256, &[&[blocks as u64], &of_blocks, &total]);
        launch(
            &gpu,
            write,
            blocks,
            256,
            &[&from, &of_blocks, &of_threads, &bits, &values, &places],
        );
        let expected: Vec<(u64, f32)> = (0..)
            .zip(input.iter().copied())
            .filter(|(_, number)| *number > limit)
            .collect();
        let found = gpu.download::<u64>(total[0], 1)[0] as usize;
        assert_eq!(found, expected.len());
        let places = gpu.download::<u64>(places[0], found);
        let values = gpu.download::<f32>(values[0], found);
        assert_eq!(places.into_iter().zip(values).collect::<Vec<_>>(), expected);
    });
}

#[test]
fn scatter() {
    in_both_orders("scatter", || {
        let gpu = Gpu::new();
        let count = 50;
        let mut input: Vec<i32> = (0..count as i32).map(|i| i * 7 % 50).collect();
        // One index is out of range, which is reported rather than stored.
        input[13] = -1;
        let text = include_str!("data/inverse-permutation.ptx");
        let kernel = gpu.kernel(text, "inversepermutation_kernel");
        let from = vector(gpu.upload(&input), count);
        let to = vector(gpu.upload(&[-7i32; 50]), count);
        let failure = vector(gpu.upload(&[0i64; 4]), 4);
        launch(&gpu, kernel, 1, 1, &[&from, &[count as u64], &to, &failure]);
        let mut expected = vec![-7; count];
        for (value, index) in (0..).zip(&input) {
            if *index >= 0 {
                expected[*index as usize] = value;
            }
        }
        assert_eq!(gpu.download::<i32>(to[0], count), expected);
        assert_eq!(gpu.download::<i64>(failure[0], 4), [1, 0, -1, 50]);
    });
}
