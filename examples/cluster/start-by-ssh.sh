#!/usr/bin/env bash
# Starts a worker on each of the machines, over ssh:
#
#   start-by-ssh.sh board1 board2 user@board3
#
# They need baco-worker, and the certificates of the role in ~/baco/worker.
set -euo pipefail

server=${BACO_NATS:-tls://nats.example.org:4222}
for machine in "$@"; do
  ssh "$machine" "nohup setsid baco-worker --nats=$server --nats-tls=baco/worker \
--slots=1 >baco-worker.log 2>&1 </dev/null &" &&
    echo "$machine: started; its log is baco-worker.log there"
done
