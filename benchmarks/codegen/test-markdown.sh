#!/usr/bin/env bash
# Runs each benchmark that writes one table with --markdown, with as little to
# measure as there is, and looks for the rows in the file.
#
# usage: test-markdown.sh BUILD FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$2/markdown
rm -rf "$work"
mkdir -p "$work/made-up/bin"
file=$work/results.md

# expect PATTERN: fails unless a line of the file matches.
expect() {
  grep -qE -- "$1" "$file" || { echo "expected: $1"; cat "$file"; exit 1; }
}
number='[0-9]+\.[0-9]+'

"$build/bin/baco-bench-compile" "$here/../../examples/matmul.mlir" \
  "$here/../../examples/attention.mlir" --runs=1 --markdown="$file"
expect '^## baco-bench-compile$'
expect "^\| matmul (\| $number )+\|$"
expect "^\| attention (\| $number )+\|$"

"$here/defaults/sweep.py" compile --bin="$build/bin" --only=outer-product \
  --points=default --limit=1e6 --markdown="$file"
expect '^## defaults/sweep.py compile$'
expect '^\| this one (\| [0-9]+ ){5}(\| [0-9]+ ms ){3}\|$'

"$here/defaults/sweep.py" run --bin="$build/bin" --only=outer-product \
  --again=0 --final-time=1 --factor=1e6 --markdown="$file"
expect '^## defaults/sweep.py run$'
expect "^\| 1 \| 0 \| 1 (\| $number ){3}\| 0 \| 0 \|$"

# Tuning and measuring the products takes too long here: made-up programs print
# what the real ones do.
ln -s "$build/bin/baco-bench-table" "$work/made-up/bin"
cat >"$work/made-up/bin/baco-bench-codegen" <<'PROGRAM'
#!/usr/bin/env bash
cat <<'JSON'
{"rows": [{"cases": [{"note": "{\"tile51\":8}", "entries": [
  {"label": "ours", "time_ns": 20000000},
  {"label": "expert", "ratio": 0.5}, {"label": "default", "ratio": 2.0}]}]}]}
JSON
PROGRAM
cat >"$work/made-up/bin/baco-bench-matmul" <<'PROGRAM'
#!/usr/bin/env bash
echo '{"ratio": 0.875}'
PROGRAM
ln -s "$build/bin/baco-tune-driver" "$build/bin/baco-worker" "$work/made-up/bin"
chmod +x "$work/made-up/bin/baco-bench-codegen" "$work/made-up/bin/baco-bench-matmul"

"$here/mm-cpu.sh" --budget=3 --markdown="$file" 2 "$work/made-up"
expect '^## mm-cpu.sh$'
expect "; \`mm-cpu.sh --budget=3 2 "
expect '^\| 2 \| \{"tile51":8\} \| 20.0 \| 0.50 \| 2.00 \|$'
expect "^\* 0 of 2 are as fast as the expert's"
if "$here/mm-cpu.sh" --check 1 "$work/made-up"; then
  echo "expected: exit code 1, as no seed reaches the expert"
  exit 1
fi

"$here/matmul-seeds.sh" --budget=2 --markdown="$file" 1 "$work/made-up"
expect '^## matmul-seeds.sh$'
expect "^\| 1 \| 0.875 (\| $number ){4}\| [a-z]+ \| [0-9]+ % \| \{.*\} \|$"
expect '^\* 0 of 1 reach 0.93 of OpenBLAS$'

for script in mm-cpu.sh matmul-seeds.sh; do
  if "$here/$script" --markdown=/nowhere/results.md 2>"$work/log"; then
    exit 1
  fi
done
