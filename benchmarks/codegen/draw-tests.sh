#!/usr/bin/env bash
# Draws configurations of all kernels of the tests, the benchmarks and the
# examples, and fails if one doesn't apply: a constraint is missing then.
# usage: draw-tests.sh BACO_BENCH_DRAWS [OPTIONS], e.g. --draws=100 (the default)
set -euo pipefail
program=$(realpath "$1")
shift
cd "$(dirname "$0")/../.."

# Payloads with placeholders for types and sizes.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while read -r file; do
  sed -E 's/\{\{T\}\}/f64/g; s/\{\{[A-Z]+-1\}\}/39/g; s/\{\{[A-Z]+\+2\}\}/42/g
          s/\{\{[A-Z]+\/2\}\}/20/g; s/\{\{[A-Z]+\}\}/40/g' "$file" \
    > "$work/$(basename "$file")"
done < <(grep -lr '{{' benchmarks/codegen/kernels --include='*.mlir' | sort)

# All but kernels that are there to fail, or to take hours.
mapfile -t files < <(find test benchmarks/codegen examples "$work" \
  \( -name '*.mlir' -o -name '*.test' \) \
  ! -name '*errors*' ! -name 'hostile*' ! -name 'slow-compile*' | sort)
"$program" "${files[@]}" "$@"
for schedule in by-hand landscape; do
  "$program" test/baco-tune-driver/Inputs/tiny.mlir \
    --schedule=test/baco-tune-driver/Inputs/$schedule.mlir "$@"
done
