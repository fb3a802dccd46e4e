#!/usr/bin/env bash
# Compares the programs in a folder with themselves, and with made-up builds of
# which one schedules nothing and one has a mistake.
#
# usage: test-against.sh PROGRAMS FOLDER
set -euo pipefail
programs=$(cd "$1" && pwd)
work=$2/against
rm -rf "$work"
mkdir -p "$work/plain/bin" "$work/wrong"

compare() {
  "$programs/baco-bench-codegen" --small --row=softmax "$@" 2>&1 | tee "$work/log"
}
# expect TEXT: fails unless the last comparison said so.
expect() {
  grep -q -- "$1" "$work/log" || { echo "expected: $1"; exit 1; }
}

compare --against="$programs"
expect "same schedule, same default module"
compare --against="$programs" --compare=tuned --budget=2 --seed=3
expect "same tuned module\|old  *agrees"

# The plain lowering differs, and computes the same.
ln -s "$programs/baco-tune-driver" "$programs/baco-worker" "$work/plain/bin"
cat >"$work/plain/bin/baco-opt" <<EOF
#!/usr/bin/env bash
# usage: baco-opt INPUT -o OUTPUT OPTION...
exec "$programs/baco-opt" "\$1" "\$2" "\$3"
EOF
chmod +x "$work/plain/bin/baco-opt"
compare --against="$work/plain" --compare=default
expect "other schedule, other default module"
expect "old  *agrees"

# This one subtracts where it should add.
cp -r "$work/plain" "$work/wrong"
cat >"$work/wrong/plain/bin/baco-opt" <<EOF
#!/usr/bin/env bash
"$programs/baco-opt" "\$1" "\$2" "\$3" && sed -i 's/arith.addf/arith.subf/' "\$3"
EOF
if compare --against="$work/wrong/plain" --compare=default; then
  echo "expected: exit code 1"
  exit 1
fi
expect "error: the builds' results differ: argument"

if compare --against="$work/nowhere"; then
  echo "expected: exit code 2"
  exit 1
fi
expect "there is no program '.*/nowhere/baco-opt'"
