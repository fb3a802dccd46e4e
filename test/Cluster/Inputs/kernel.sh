#!/usr/bin/env bash
# Two workers tune a kernel; one of them is killed meanwhile.
set -euo pipefail
baco-tune-driver "$1" --engine=nats $CLUSTER --budget=16 --final-time=20 \
  --trial-time=10 --output-dir=out >tune.log 2>&1 &
tuner=$!
# As soon as there is a trial.
for _ in $(seq 600); do
  grep -q '1/16' tune.log && break
  kill -0 $tuner || break
  sleep 0.1
done
kill -9 "$(<worker-1.pid)"
wait $tuner
cat tune.log
baco cluster status $CLUSTER
baco study show out/*.baco.db
# A class that no machine has.
baco-tune-driver "$1" --engine=nats $CLUSTER --machines=none --wait=0.5 2>&1 || echo "exit code $?"
