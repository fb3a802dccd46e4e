#!/usr/bin/env bash
# A program, a table, and what is refused.
set -uo pipefail
# "$@" would be a command of a shell.
tune() {
  baco tune "$@" --engine=nats $CLUSTER 2>&1 | grep -v 'best so far\|^wrote'
  echo "exit code ${PIPESTATUS[0]}"
}
# What is allowed, and tables give the same trials as without a cluster.
tune app.json --run="$PWD/app.sh {x}" --budget=12 --output-dir=allowed
baco tune app.json --run="$PWD/app.sh {x}" --budget=12 --output-dir=local --in-flight=4 \
  --final-time=0 >/dev/null 2>&1
tune app.json --replay=local/app.trials.jsonl --budget=12 --output-dir=table --in-flight=4 \
  --final-time=0
diff <(sed 's/"run_ns":[^,]*,\|"compile_ns":[^,]*,//g' local/app.trials.jsonl) \
  <(sed 's/"run_ns":[^,]*,\|"compile_ns":[^,]*,//g' table/app.trials.jsonl) && echo same trials
tune app.json --run='/bin/echo {x}' --output-dir=refused
tune app.json --run="$PWD/app.sh {x}; id" --output-dir=refused
tune app.json --run="$PWD/app.sh {x}" --output-dir=refused --machines=none --wait=0.5
tune app.json --run="$PWD/app.sh {x}" --output-dir=refused --cpu=0
ls refused
baco cluster status $AS_WORKER
baco cluster status $OF_NOBODY
baco cluster drain worker-1 $CLUSTER
baco cluster drain worker-9 $CLUSTER
for _ in $(seq 100); do
  grep -q left worker-1.log && break
  sleep 0.1
done
tail -1 worker-1.log
baco cluster purge $CLUSTER && baco cluster status $CLUSTER --format=json
