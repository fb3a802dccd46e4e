#!/usr/bin/env bash
# Compares searches of few flags: the logic, not the result.
# usage: test-clang-flags.sh BUILD CLANG
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../../examples/programs
build=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expect() { # FILE PATTERN
  grep -qE -- "$2" "$1" || { echo "no '$2' in:" && cat "$1" && exit 1; }
}
flags=("$here/clang-flags.py" --build="$build" --clang="$2" --seeds=2 --budget=4
  --program="$programs/nbody.c")
"${flags[@]}" --work="$work/table" --cost=size --program="$programs/edit.c" \
  --markdown="$work/size.md" >"$work/log" 2>&1
for program in nbody edit; do
  expect "$work/log" "^$program, seed 1: baco [0-9]+, opentuner [0-9]+$"
  expect "$work/log" "^\| $program \| [012] of 2 \| [012] of 2 \| 0\.[0-9]+ "
done
expect "$work/size.md" '^## Flags of clang for size: baco after 2 evaluations, opentuner after 4'

# A table that ends in a part of a line goes on, and costs that are in it aren't
# measured again: the results are the same.
journal=$(echo "$work"/table/nbody-*/measured.jsonl)
cp "$journal" "$work/whole"
head -c -20 "$work/whole" >"$journal"
"${flags[@]}" --work="$work/table" --cost=size >"$work/again" 2>&1
cmp "$journal" "$work/whole"
expect "$work/again" "$(grep '^| nbody' "$work/log" | cut -d'|' -f1-5)"

"${flags[@]}" --work="$work/table" >"$work/log" 2>&1
expect "$work/log" '^\| nbody \| [012] of 2 \| [012] of 2 \| [0-9.]+ '
expect "$work/log" '^The ratio of a binary to itself, .*: nbody [0-9.]+ %'

# A program with a wrong result has no time, and a search without any fails.
printf 'int main(void) { return 2; }\n' >"$work/wrong.c"
if "$here/clang-flags.py" --build="$build" --clang="$2" --seeds=1 --budget=2 \
  --work="$work/table" --program="$work/wrong.c" >"$work/log" 2>&1; then
  exit 1
fi
expect "$work/log" "^clang-flags.py: error: 'wrong' fails with default flags"
if "${flags[@]}" --seeds=0 2>"$work/log"; then
  exit 1
fi
expect "$work/log" '^clang-flags.py: error: --seeds must be at least 1'
