# shellcheck shell=bash
# ./x build: set-up, then everything in release mode.

command_build() {
  (($# == 0)) || usage_error "build takes no '$1'"
  ensure_setup
  build || die 'the build failed (see above)'
  list_artefacts
}

ensure_setup() {
  ensure_packages
  ensure_rust
}

build() {
  cargo build --release --workspace && link_runtime
}

# Makes one object of what comb build takes from the runtime library: comb's
# functions and those that generated code calls, with nothing else of Rust's
# library. The linker reads it in a fraction of the time. comb build takes the
# archive where the object is missing, or older.
link_runtime() {
  local archive=$RELEASE/libcomb_runtime.a object=$RELEASE/comb_runtime.o
  [[ -e $archive && ! $object -nt $archive ]] || return 0
  "$LLVM/bin/llvm-nm" --quiet --just-symbol-name --defined-only --extern-only "$archive" |
    grep -Ex '((_mlir_ciface_)?comb_|__)[a-z0-9_]+' | sort -u >"$object.names" &&
    sed 's/^/--undefined=/' "$object.names" >"$object.roots" &&
    ld -r --gc-sections @"$object.roots" -o "$object.new" "$archive" &&
    objcopy --strip-debug --remove-section=.llvmbc --remove-section=.llvmcmd \
      --keep-global-symbols="$object.names" --wildcard --weaken-symbol='__*' "$object.new" &&
    mv -f -- "$object.new" "$object"
  local status=$?
  rm -f -- "$object.names" "$object.roots" "$object.new"
  return "$status"
}

# Prints what the workspace's packages leave under target/release, and fails
# when something that cargo promises is not there.
list_artefacts() {
  cargo metadata --no-deps --format-version 1 |
    python "$ROOT/tools/x/artefacts.py" "$RELEASE"
}
