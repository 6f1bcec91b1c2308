# shellcheck shell=bash
# ./x doctor: for every requirement what was found, and what to do when it is
# missing. Exits 0 only when everything needed is in place.

DOCTOR_MISSING=0
DOCTOR_PACKAGES=()

command_doctor() {
  (($# == 0)) || usage_error "doctor takes no '$1'"
  doctor_system
  doctor_packages
  doctor_llvm
  doctor_tools
  doctor_rust
  doctor_machine
  say ''
  if ((DOCTOR_MISSING == 0)); then
    say 'Everything needed is in place.'
  else
    doctor_advice
    return 1
  fi
}

doctor_advice() {
  say "$DOCTOR_MISSING missing. ./x build, run as root, installs packages and Rust; by hand:"
  if ((${#DOCTOR_PACKAGES[@]} > 0)); then
    mapfile -t DOCTOR_PACKAGES < <(printf '%s\n' "${DOCTOR_PACKAGES[@]}" | sort -u)
    say '' "  $(install_command "${DOCTOR_PACKAGES[@]}")"
  fi
  if ! rust_is_new_enough || ! has_lint_components; then
    say '' "  $(rust_command)"
  fi
}

# report STATE NAME WHAT: one aligned line.
report() { printf '%-8s %-20s %s\n' "$1" "$2" "$3"; }

found() { report ok "$1" "$2"; }

note() { report info "$1" "$2"; }

warn() { report warning "$1" "$2"; }

missing() {
  report MISSING "$1" "$2"
  DOCTOR_MISSING=$((DOCTOR_MISSING + 1))
}

# missing_package NAME PACKAGE: NAME is missing, PACKAGE brings it.
missing_package() {
  missing "$1" "install the package $2"
  DOCTOR_PACKAGES+=("$2")
}

doctor_system() {
  if is_debian_12; then
    found 'system' "$(operating_system), $(uname -m)"
  else
    warn 'system' "$(operating_system), $(uname -m): not Debian 12, so files are checked instead of packages"
  fi
}

doctor_packages() {
  local name absent installed
  if ! is_debian_12; then
    mapfile -t absent < <(missing_files)
    for name in "${absent[@]}"; do
      missing "$name" 'install the package that holds it'
    done
    return
  fi
  installed=$(installed_packages)
  for name in "${APT_PACKAGES[@]}"; do
    doctor_package "$name" "$(sed -n "s/^$name //p" <<<"$installed")"
  done
}

doctor_package() {
  if [[ -n $2 ]]; then
    found "$1" "$2"
  else
    missing_package "$1" "$1"
  fi
}

doctor_llvm() {
  doctor_command clang++-22 clang-22
  doctor_command ld.lld-22 lld-22
  doctor_command mlir-opt-22 mlir-22-tools
  doctor_command mlir-tblgen-22 mlir-22-tools
  doctor_command FileCheck-22 llvm-22-tools
  doctor_command lit-22 llvm-22-tools
  doctor_command clang-format-22 clang-format-22
  doctor_file "$LLVM/lib/libMLIR.so.22.1" libmlir-22-dev
  doctor_file "$LLVM/lib/libLLVM.so.22.1" llvm-22-dev
  doctor_file "$LLVM/lib/libomp.so" libomp-22-dev
  doctor_file /usr/include/coin/Cbc_C_Interface.h coinor-libcbc-dev
}

doctor_tools() {
  doctor_command cmake cmake
  doctor_command ninja ninja-build
  doctor_command git git
  doctor_command python3 python3
}

# doctor_command COMMAND PACKAGE: its version's first line that has a number.
doctor_command() {
  local path version
  if path=$(type -P "$1") && version=$("$1" --version 2>&1); then
    version=$(grep -m 1 '[0-9]\.[0-9]' <<<"$version" || head -n 1 <<<"$version")
    found "$1" "${version#"${version%%[![:space:]]*}"} ($path)"
  else
    missing_package "$1" "$2"
  fi
}

doctor_file() {
  if [[ -e $1 ]]; then
    found "${1##*/}" "$1"
  else
    missing_package "${1##*/}" "$2"
  fi
}

doctor_rust() {
  local needed version
  needed=$(required_rust_version)
  version=$(cargo_version) || true
  if rust_is_new_enough; then
    found cargo "$version, $needed or newer needed ($(type -P cargo))"
  else
    missing cargo "found ${version:-none}, $needed or newer needed: $(rust_command)"
  fi
  doctor_rust_component rustfmt fmt
  doctor_rust_component clippy clippy
}

doctor_rust_component() {
  local version
  if version=$(cargo "$2" --version 2>/dev/null); then
    found "$1" "$version"
  else
    missing "$1" "$(rust_command)"
  fi
}

doctor_machine() {
  local free target="$ROOT/target"
  if mkdir -p -- "$target" 2>/dev/null && [[ -w $target ]]; then
    found 'write permission' "$target"
  else
    missing 'write permission' "$target: change its owner or permissions"
  fi
  free=$(df -Pk -- "$ROOT" | awk 'NR == 2 { print int($4 / 1048576) }')
  if ((free < 5)); then
    warn 'free disk' "$free GB: a full build needs about 5 GB"
  else
    note 'free disk' "$free GB"
  fi
  note 'cores' "$(nproc)"
  note 'memory' "$(awk '/^MemTotal/ { print int($2 / 1048576 + 0.5) " GB" }' /proc/meminfo)"
  note 'CPU' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
  note 'CPU features' "$(cpu_features)"
}

# The vector extensions that change how fast compiled programs are.
cpu_features() {
  local flags feature found=()
  flags=" $(sed -n 's/^\(flags\|Features\)[^:]*: //p' /proc/cpuinfo | head -n 1) "
  for feature in sse4_2 avx avx2 fma f16c avx512f avx512vl avx512_bf16 asimd sve; do
    [[ $flags != *" $feature "* ]] || found+=("$feature")
  done
  say "${found[*]:-none of those the compiler makes use of}"
}
