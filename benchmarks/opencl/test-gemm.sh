#!/usr/bin/env bash
# Runs a short comparison: the logic, not the result.
# usage: test-gemm.sh BUILD CLANG
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expect() { # FILE PATTERN
  grep -qE -- "$2" "$1" || { echo "no '$2' in:" && cat "$1" && exit 1; }
}
gemm=("$here/gemm.py" --build="$(realpath "$1")" --clang="$2" --size=5,3,16)
"${gemm[@]}" --seeds=2 --budget=2 --rounds=1 --unconstrained=50 --markdown="$work/table.md" \
  >"$work/log" 2>"$work/errors"
expect "$work/log" '^\| 5 × 3 × 16 \| ([0-9.]+ us)? \| ([0-9.]+ us)? \| ([0-9.]+)? \| [0-9.]+, [0-9.]+, [0-9.]+ \| [0-4] of 4(, [0-9] [a-z-]+)* \|$'
# CI has CLBlast.
if [[ -n ${BACO_REQUIRE_ALL:-} ]]; then
  expect "$work/log" '^\| 5 × 3 × 16 \| [0-9.]+ us \| [0-9.]+ us \| [0-9.]+ \|'
fi
expect "$work/log" '^Geometric mean of the speed-ups over the default: [0-9.]+ \(2 seeds, 2 evaluations each\)\.$'
expect "$work/log" '^\| 5 × 3 × 16 \| [0-9]+ of 50 valid'
cmp "$work/log" "$work/table.md"

if "${gemm[@]}" --seeds=0 2>"$work/log"; then
  exit 1
fi
expect "$work/log" 'gemm.py: error: --seeds, --budget and --rounds must be at least 1'
if "${gemm[@]}" --platform=teapot --clang=false --rounds=1 2>"$work/log" >/dev/null; then
  exit 1
fi
expect "$work/log" "gemm.py: error: .*there is no OpenCL device on a platform 'teapot'"
