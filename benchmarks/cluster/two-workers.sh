#!/usr/bin/env bash
# How many more trials two workers do than one, by the real harness with random
# search. A worker compiles a candidate while it measures another one, so that
# two of them gain only if measuring takes long: the kernel is recurrences, 0.1 to
# 0.2 s each run. They wait for one result after the other, so that CPUs that share
# a core don't slow each other down; products of matrices do. One worker and two, in
# turns. `rate` counts all but the set-up of the first worker and the final
# comparison; `command` counts all.
#
# usage: benchmarks/cluster/two-workers.sh [ROUNDS] [BUDGET]    (3 rounds of 40)
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
rounds=${1:-3} budget=${2:-40}
export PATH=$root/build/release/bin:$PATH
folder=$(mktemp -d)
trap '"$root/scripts/cluster-up.sh" stop "$folder" >/dev/null 2>&1 || true
  rm -rf "$folder" "$folder.mlir"' EXIT
export BACO_CLUSTER_PORT=${BACO_CLUSTER_PORT:-4333}

{
  echo 'func.func @f('
  for i in 0 1 2 3; do
    echo "  %a$i: memref<64x8192xf32>, %s$i: memref<64xf32>$([[ $i == 3 ]] || echo ,)"
  done
  echo ') {'
  for i in 0 1 2 3; do
    cat <<END
  affine.for %t = 0 to 64 {
    affine.for %i = 0 to 64 {
      affine.for %j = 0 to 8192 {
        %0 = affine.load %a${i}[%i, %j] : memref<64x8192xf32>
        %1 = affine.load %s${i}[%i] : memref<64xf32>
        %2 = arith.mulf %1, %0 : f32
        %3 = arith.addf %2, %0 : f32
        affine.store %3, %s${i}[%i] : memref<64xf32>
      }
    }
  }
END
  done
  echo '  return'
  echo '}'
} >"$folder.mlir"

for round in $(seq "$rounds"); do
  for workers in 1 2; do
    rm -rf "$folder"
    "$root/scripts/cluster-up.sh" "$workers" "$folder" >/dev/null
    # Seconds of the whole command.
    TIMEFORMAT=%R
    seconds=$({ time baco-tune-driver "$folder.mlir" --engine=nats \
      --nats="tls://127.0.0.1:$BACO_CLUSTER_PORT" --nats-tls="$folder/tuner" \
      --optimizer=random --seed="$round" --budget="$budget" --trial-time=500 --final-time=2 \
      --output-dir="$folder/out" >"$folder/tune.log" 2>&1; } 2>&1)
    "$root/scripts/cluster-up.sh" stop "$folder" >/dev/null
    trials=$(sed -n 's/.*trials \([0-9.]*\) s.*/\1/p' "$folder/tune.log" | tail -1)
    echo "$workers $budget $trials $seconds"
  done
done | python3 -c '
import statistics, sys

rates, commands = {}, {}
for line in sys.stdin:
    print(line.rstrip(), flush=True)
    workers, budget, trials, seconds = line.split()
    rates.setdefault(workers, []).append(60 * float(budget) / float(trials))
    commands.setdefault(workers, []).append(60 * float(budget) / float(seconds))
for name, values in (("rate", rates), ("command", commands)):
    one, two = (statistics.median(values[n]) for n in ("1", "2"))
    pairs = sorted(b / a for a, b in zip(values["1"], values["2"]))
    print(f"{name}: 1 worker {one:.1f} trials a minute, 2 workers {two:.1f}: "
          f"{two / one:.2f} x ({pairs[0]:.2f} to {pairs[-1]:.2f})")'
