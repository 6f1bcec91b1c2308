//! temp
fn main() {
    let seed: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    print!(
        "{}",
        comb_fuzz::generator::generate(seed, Default::default()).text()
    );
}
