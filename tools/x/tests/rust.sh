# shellcheck shell=bash
# A missing or old Rust toolchain.

test_user_without_rust_reads_the_command() {
  fakes FAKE_USER=1000 FAKE_CARGO=none
  x build
  expect 1 'Rust 1.88 or newer is needed; found: none' 'https://sh.rustup.rs | sh -s -- -y --profile minimal'
  expect_calls ''
}

test_old_rust_is_refused() {
  fakes FAKE_USER=1000 FAKE_CARGO=1.87.9
  x build
  expect 1 'found: 1.87.9'
}

test_required_rust_is_accepted() {
  fakes FAKE_USER=1000 FAKE_CARGO=1.88.0
  x build
  expect 0
}

test_root_without_network_is_told() {
  fakes FAKE_CARGO=none
  x build
  expect 1 'Could not resolve host' 'Rust could not be installed: check the network'
  [[ $(calls) == *https://sh.rustup.rs* ]] || wrong "calls: $(calls)"
}
