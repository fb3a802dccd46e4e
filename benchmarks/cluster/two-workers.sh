#!/usr/bin/env bash
# How many more trials two workers do than one, by the real harness: a product of
# matrices on two CPUs, half a second for each measurement, by random search. One
# worker and two, in turns. `rate` counts all but the set-up of the first worker
# and the final comparison; `command` counts all.
#
# usage: benchmarks/cluster/two-workers.sh [ROUNDS] [BUDGET]    (3 rounds of 60)
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
rounds=${1:-3} budget=${2:-60}
export PATH=$root/build/release/bin:$PATH
folder=$(mktemp -d)
trap '"$root/scripts/cluster-up.sh" stop "$folder" >/dev/null 2>&1 || true
  rm -rf "$folder" "$folder.mlir"' EXIT
export BACO_CLUSTER_PORT=${BACO_CLUSTER_PORT:-4333}

cat >"$folder.mlir" <<'END'
func.func @f(%a: memref<800x800xf32>, %b: memref<800x800xf32>, %c: memref<800x800xf32>) {
  linalg.matmul ins(%a, %b : memref<800x800xf32>, memref<800x800xf32>)
    outs(%c : memref<800x800xf32>)
  return
}
END

for round in $(seq "$rounds"); do
  for workers in 1 2; do
    rm -rf "$folder"
    "$root/scripts/cluster-up.sh" "$workers" "$folder" >/dev/null
    # Seconds of the whole command.
    TIMEFORMAT=%R
    seconds=$({ time baco-tune-driver "$folder.mlir" --engine=nats \
      --nats="tls://127.0.0.1:$BACO_CLUSTER_PORT" --nats-tls="$folder/tuner" \
      --optimizer=random --seed="$round" --budget="$budget" --trial-time=500 \
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
