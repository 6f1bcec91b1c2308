//! Prints the page of upstream's faults (`./x docs` writes it to `docs/src/upstream.md`).

fn main() {
    print!("{}", comb_passes::upstream::page());
}
