#!/usr/bin/env bash
# Tests of ./x itself, with fake system tools. Prints `ok` or `FAIL` for each.
set -euo pipefail
here="$(dirname -- "${BASH_SOURCE[0]}")"
# shellcheck source=tools/x/tests/harness.sh
source "$here/harness.sh"
for part in arguments requirements rust build doctor stages demo lint docs tutorial bench; do
  # shellcheck disable=SC1090
  source "$here/$part.sh"
done
run_tests
