#!/usr/bin/env bash
# Tunes a whole program and compares it with the original: what both print, and
# how long they run.
#
#   whole-program.sh [--build=FOLDER] [--runs=N] FILE.mlir [option of baco-tune-driver]...
#
# FILE.mlir has a function @main without arguments, which prints what it
# computes. The original is lowered by stock mlir-opt, after
# --baco-lower-front-ends, so that both have the same data in place of elided
# ones; the tuned module by baco-opt --baco-lower-to-cpu. clang -O3 compiles both
# to executables, which run in turns. What differs between two runs of the
# original, as times do, isn't compared; other numbers may differ by a thousandth
# of the largest one. Prints the median times and their ratio: of what the program
# prints behind the word "seconds", or else from start to end. Exit code 1 if the
# results differ, or something fails.
set -euo pipefail

fail() {
  echo "$(basename "$0"): error: $1" >&2
  exit 1
}

build=build/release runs=5
while [[ ${1:-} == --* ]]; do
  case $1 in
  --build=*) build=${1#*=} ;;
  --runs=*) runs=${1#*=} ;;
  *) fail "unknown option '$1'; there are --build=FOLDER and --runs=N" ;;
  esac
  shift
done
[[ $runs =~ ^[1-9][0-9]*$ ]] || fail "--runs must be a positive number, not '$runs'"
[[ $# -ge 1 && -f $1 ]] || fail "name a file with a program"
file=$1
shift
llvm=/usr/lib/llvm-22
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# compile NAME: makes an executable of NAME.llvm.mlir.
compile() {
  "$llvm/bin/mlir-translate" --mlir-to-llvmir "$work/$1.llvm.mlir" -o "$work/$1.ll" ||
    fail "the $1 program can't be translated to LLVM IR"
  "$llvm/bin/clang" -O3 -march=native -Wno-override-module "$work/$1.ll" -o "$work/$1" \
    -L"$llvm/lib" -Wl,-rpath,"$llvm/lib" -lmlir_runner_utils -lmlir_c_runner_utils -lm ||
    fail "the $1 program can't be compiled"
}

# run NAME: appends to NAME.times, and writes NAME.printed.
run() {
  local start=$EPOCHREALTIME
  # The exit code of a function without results is any number.
  "$work/$1" >"$work/$1.printed" || [[ $? -lt 128 ]] || fail "the $1 program crashes"
  local end=$EPOCHREALTIME
  awk -v whole=$((${end/./} - ${start/./})) '
    $1 == "seconds" { own += $2 * 1e6 }
    END { print (own > 0 ? own : whole) }' "$work/$1.printed" >>"$work/$1.times"
}

"$build/bin/baco-opt" "$file" --baco-lower-front-ends -o "$work/program.mlir" 2>"$work/log" ||
  fail "it can't be read: $(grep -m1 error "$work/log")"
"$llvm/bin/mlir-opt" "$work/program.mlir" -o "$work/original.llvm.mlir" \
  --one-shot-bufferize=bufferize-function-boundaries --convert-linalg-to-loops \
  --lower-affine --expand-strided-metadata --lower-affine --convert-vector-to-scf \
  --convert-math-to-llvm --convert-math-to-libm \
  --test-lower-to-llvm || fail "mlir-opt can't lower the original"
compile original
run original
mv "$work/original.printed" "$work/first.printed"
rm "$work/original.times"

"$build/bin/baco-tune-driver" "$work/program.mlir" --output-dir="$work/out" "$@" >"$work/log" 2>&1 ||
  fail "it can't be tuned: $(grep -m1 error "$work/log")"
[[ -f $work/out/program.schedule.mlir ]] || fail "nothing was tuned: $(grep -m1 remark "$work/log")"
"$build/bin/baco-opt" "$work/out/program.tuned.mlir" --baco-lower-to-cpu -o "$work/tuned.llvm.mlir" ||
  fail "the tuned program can't be lowered"
compile tuned

for ((i = 0; i < runs; ++i)); do
  run original
  run tuned
done

# Fields of three files side by side, one in a line.
for name in first original tuned; do
  sed 's/base@ = [^ ]*//' "$work/$name.printed" | tr -s ' ,[]' '\n' >"$work/$name.fields"
done
paste -d ' ' "$work"/{first,original,tuned}.fields | awk '
  function isNumber(text) { return text ~ /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/ }
  function size(x) { return x < 0 ? -x : x }
  NF > 0 && $1 == $2 {
    ++count
    expected[count] = $2
    got[count] = $3
    numbers += isNumber($2)
    if (isNumber($2) && size($2) > largest) largest = size($2)
  }
  END {
    for (i = 1; i <= count; ++i) {
      if (isNumber(expected[i]) && isNumber(got[i]))
        same = size(expected[i] - got[i]) <= 1e-3 * largest
      else
        same = expected[i] == got[i]
      if (!same && ++wrong == 1)
        first = "got " got[i] ", expected " expected[i]
    }
    if (numbers == 0) { print "results    none: the program prints no finite number"; exit 1 }
    if (wrong) { print "results    " wrong " of " count " differ, such as: " first; exit 1 }
    print "results    the same " count " words and numbers"
  }' || exit 1

median() { sort -n "$work/$1.times" | awk '{ t[NR] = $1 } END { print t[int((NR + 1) / 2)] }'; }
awk -v original="$(median original)" -v tuned="$(median tuned)" 'BEGIN {
  printf "original   %.1f ms\ntuned      %.1f ms\nspeed-up   %.2fx\n",
         original / 1000, tuned / 1000, original / tuned
}'
