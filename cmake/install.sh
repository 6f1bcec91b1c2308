#!/usr/bin/env bash
# Copies what ./x build has built to a prefix: programs, libraries, headers,
# TableGen files and the CMake package.
#
#   cmake/install.sh PREFIX
set -euo pipefail

if (($# != 1)) || [[ $1 == -* ]]; then
  echo "usage: cmake/install.sh PREFIX" >&2
  exit 2
fi

root="$(readlink -f -- "$(dirname -- "${BASH_SOURCE[0]}")/..")"
release="${CARGO_TARGET_DIR:-$root/target}/release"
prefix="$1"

programs=(comb comb-opt comb-lsp-server comb-reduce)
# The object is newer than the archive that it was made of.
libraries=(libcomb_plugin.so libcomb_runtime.so libcomb_runtime.a comb_runtime.o)

# Everything is looked at before anything is copied.
missing=0
for file in "${programs[@]}" "${libraries[@]}" include/comb/Version.h; do
  if [[ ! -e $release/$file ]]; then
    echo "install: $release/$file is missing: run ./x build" >&2
    missing=1
  fi
done
((missing == 0)) || exit 1

mkdir -p -- "$prefix"/{bin,lib/cmake/Comb,lib/pkgconfig,include,share/doc/comb}
install -m 755 -t "$prefix/bin" -- "${programs[@]/#/$release/}"
install -m 644 -t "$prefix/lib" -- "${libraries[@]/#/$release/}"
cp -R -- "$release/include/." "$prefix/include/"
install -m 644 -t "$prefix/lib/cmake/Comb" -- "$root"/cmake/Comb*.cmake
version=$(sed -n 's/^#define COMB_VERSION "\(.*\)"$/\1/p' "$release/include/comb/Version.h")
sed "s/@VERSION@/$version/" "$root/cmake/comb-runtime.pc.in" > "$prefix/lib/pkgconfig/comb-runtime.pc"
install -m 644 -t "$prefix/share/doc/comb" -- "$root/LICENSE" "$root/README.md"
echo "comb is installed under $prefix"
