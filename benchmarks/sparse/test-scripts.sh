#!/usr/bin/env bash
# Records a part of a tiny space and replays searches on it, and compares live
# searches.
# usage: test-scripts.sh BUILD
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expect() { # FILE PATTERN
  grep -q -- "$2" "$1" || { echo "no '$2' in:" && cat "$1" && exit 1; }
}
record=("$here/record.py" --build="$build" --small --case=rmat --whole=1
  --samples=6 --row=spmv)
"${record[@]}" "$work" >"$work/log"
expect "$work/log" 'spmv/rmat-scale-6-degree-4: 6 of [0-9]* configurations'
# What is there isn't measured again.
"${record[@]}" "$work" >"$work/log"
expect "$work/log" 'spmv/rmat-scale-6-degree-4: recorded'
"$build/bin/baco-bench-search" --spaces="$work" --seeds=2 --budget=6 \
  --optimizers=baco,random --default-first >"$work/log"
expect "$work/log" '^Performance relative to the expert (1 space, 2 seeds, 6 evaluations, the default first)'
expect "$work/log" 'configurations, [67] of them measured, from which a random forest'

live=("$here/live.py" --build="$build" --small --case=rmat --case=banded
  --row=spmv --seeds=1 --budget=3 --final-time=1 --markdown="$work/live.md" "$work/live")
"${live[@]}" >"$work/log"
for case in rmat banded; do
  expect "$work/log" "^spmv .*$case.* baco .* [01] of 1 "
done
expect "$work/live.md" '^## Wall time of a tune'
# What has ended isn't run again: the times are the same.
cp "$work/live.md" "$work/before.md"
"${live[@]}" >"$work/log"
cmp "$work/live.md" "$work/before.md"
if "$here/live.py" --build="$build" --seeds=0 "$work/live" 2>"$work/log"; then
  exit 1
fi
expect "$work/log" '^live.py: error: --seeds must be at least 1'
