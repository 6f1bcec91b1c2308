# shellcheck shell=bash
# The packages the project needs, whether they are there, and installing them.

# In the order ./x doctor lists them. Names are Debian 12's.
APT_PACKAGES=(
  libmlir-22-dev    # MLIR: libMLIR.so, headers, ODS files, the C API
  mlir-22-tools     # mlir-opt, mlir-tblgen, mlir-translate, mlir-runner
  llvm-22-dev       # LLVM: headers, static libraries of TableGen
  llvm-22-tools     # FileCheck, not, lit
  clang-22          # the C++ compiler that Debian's libMLIR was built with
  libclang-22-dev   # for bindgen, which reads the C API's headers
  clang-format-22   # ./x lint
  lld-22            # the linker
  libpolly-22-dev   # named by llvm-config for static linking
  libomp-22-dev     # OpenMP run-time library
  zlib1g-dev        # named by llvm-config
  libzstd-dev       # named by llvm-config
  coinor-libcbc-dev # CBC, an ILP solver
  cmake             # builds C++ libraries and the CMake example
  ninja-build       # the same
  make              # the same, CMake's default
  g++               # the C++ parts of Rust crates
  pkg-config        # finds libraries
  python3           # lit, and the checks under tools/x
  python3-psutil    # lit's time limit for each test
  python3-numpy     # references of examples/suite, tests of the benchmark
  git               # lists the files to lint
  curl              # downloads rustup
  ca-certificates   # for the same
)

# What only long tests need.
LONG_PACKAGES=(
  libclang-rt-22-dev # the libraries of sanitizers
  valgrind           # finds memory that is read before it is written
)
LONG_FILES=("$LLVM/lib/clang/22/lib/linux/libclang_rt.tsan-x86_64.a" "$LLVM/lib/libarcher.so")
LONG_COMMANDS=(valgrind)

# What must exist where the packages have other names than on Debian 12.
REQUIRED_FILES=(
  "$LLVM/bin/mlir-opt" "$LLVM/bin/mlir-tblgen" "$LLVM/bin/llvm-config"
  "$LLVM/bin/FileCheck" "$LLVM/bin/lit" "$LLVM/bin/clang++" "$LLVM/bin/ld.lld"
  "$LLVM/bin/clang-format" "$LLVM/lib/libMLIR.so.22.1"
  "$LLVM/lib/libMLIRCAPIIR.a" "$LLVM/lib/libLLVMTableGen.a"
  "$LLVM/lib/libPolly.a" "$LLVM/lib/libomp.so" "$LLVM/lib/libclang.so"
  "$LLVM/include/mlir/IR/OpBase.td"
  /usr/include/zlib.h /usr/include/zstd.h /usr/include/coin/Cbc_C_Interface.h
)
REQUIRED_COMMANDS=(
  clang-22 clang++-22 cmake ninja make g++ pkg-config python3 git curl
)
REQUIRED_MODULES=(numpy)

APT_OPTIONS=(-y --no-install-recommends -o DPkg::Lock::Timeout=300)

# How long to wait for another program to let go of apt's package lists.
LISTS_LOCK_SECONDS=300
LISTS_LOCK_RETRY_SECONDS=5

is_debian_12() {
  # shellcheck disable=SC1091
  [[ -r /etc/os-release ]] &&
    (source /etc/os-release && [[ ${ID:-} == debian && ${VERSION_ID:-} == 12 ]])
}

operating_system() {
  # shellcheck disable=SC1091
  (source /etc/os-release 2>/dev/null && printf '%s' "${PRETTY_NAME:-}") || uname -sr
}

# Prints `PACKAGE VERSION` of each needed package that is fully installed.
installed_packages() {
  { dpkg-query -W -f '${db:Status-Status} ${Package} ${Version}\n' \
    "${APT_PACKAGES[@]}" 2>/dev/null || true; } | sed -n 's/^installed //p'
}

# Prints the packages that are not, one on a line.
missing_packages() {
  local installed package
  installed=$(installed_packages)
  for package in "${APT_PACKAGES[@]}"; do
    [[ $'\n'$installed == *$'\n'"$package "* ]] || say "$package"
  done
}

# Prints the required files, commands and Python modules that are not there, one
# on a line.
missing_files() {
  local name
  for name in "${REQUIRED_FILES[@]}"; do
    [[ -e $name ]] || say "$name"
  done
  for name in "${REQUIRED_COMMANDS[@]}"; do
    type -P "$name" >/dev/null || say "$name (command)"
  done
  for name in "${REQUIRED_MODULES[@]}"; do
    python -c "import $name" 2>/dev/null || say "$name (Python module)"
  done
}

# The command a person types to install the packages given.
install_command() {
  say "sudo apt-get update && sudo apt-get install ${APT_OPTIONS[*]} $*"
}

ensure_packages() {
  if is_debian_12; then
    ensure_debian_packages
  else
    ensure_files
  fi
}

ensure_debian_packages() {
  local missing
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]} > 0)) || return 0
  if is_root; then
    install_packages "${missing[@]}"
  else
    complain "${#missing[@]} packages are missing. Install them with"
    complain ''
    complain "  $(install_command "${missing[@]}")"
    complain ''
    die 'then run the same command again (or run it as root, which installs them)'
  fi
}

ensure_files() {
  local missing
  mapfile -t missing < <(missing_files)
  ((${#missing[@]} > 0)) || return 0
  complain "this is $(operating_system); packages are installed by hand here."
  complain 'Missing:'
  printf '  %s\n' "${missing[@]}" >&2
  complain 'Needed are LLVM and MLIR 22.1 under /usr/lib/llvm-22 (https://apt.llvm.org has'
  complain 'packages for Debian and Ubuntu) and what these Debian packages hold:'
  printf '%s\n' "${APT_PACKAGES[*]}" | fold -s -w 76 | sed 's/^/  /' >&2
  die 'install them, then run the same command again'
}

install_packages() {
  local log="$LOGS/packages.log"
  make_log_folder
  say "Installing ${#} packages: $*"
  if logged "$log" install_with_apt "$@"; then
    mapfile -t missing < <(missing_packages)
    ((${#missing[@]} == 0)) ||
      die "apt-get reported success, but these are still missing: ${missing[*]}"
    return 0
  fi
  show_log "$log" >&2
  explain_apt_failure "$log"
  complain "the packages could not be installed. By hand:"
  die "  $(install_command "$@")"
}

# Finishes what an interrupted run left, installs, and refreshes the package
# lists when a package is unknown or its listed version is gone.
install_with_apt() {
  export DEBIAN_FRONTEND=noninteractive
  [[ -z $(dpkg --audit 2>/dev/null) ]] || dpkg --configure -a || return
  if apt-cache show "$@" >/dev/null 2>&1; then
    apt-get install "${APT_OPTIONS[@]}" "$@" && return
  fi
  refresh_package_lists || return
  apt-get install "${APT_OPTIONS[@]}" "$@"
}

# apt-get waits for dpkg's lock by itself, but not for that of the lists.
refresh_package_lists() {
  local output deadline=$((SECONDS + LISTS_LOCK_SECONDS))
  until output=$(apt-get update 2>&1); do
    say "$output"
    if [[ $output != *lists/lock* ]] || ((SECONDS >= deadline)); then
      return 1
    fi
    sleep "$LISTS_LOCK_RETRY_SECONDS"
  done
  say "$output"
}

explain_apt_failure() {
  if grep -q 'Could not get lock\|Unable to acquire the dpkg' "$1"; then
    complain 'another program is using apt or dpkg (see above): let it end, then run this again'
  elif grep -q 'No space left\|enough free space' "$1"; then
    complain 'the disk is full: about 3 GB are needed for the packages'
  elif grep -q 'Could not resolve\|Failed to fetch\|Could not connect' "$1"; then
    complain 'the package server cannot be reached: check the network'
  elif grep -q 'Unable to locate package\|has no installation candidate' "$1"; then
    complain 'apt does not know these packages. LLVM 22 is in the security suite of Debian 12:'
    complain '  deb http://security.debian.org/debian-security bookworm-security main'
    complain 'must be among the sources in /etc/apt'
  fi
}
