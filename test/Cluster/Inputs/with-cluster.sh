#!/usr/bin/env bash
# Runs a command with a cluster of N workers on this machine, in whose folder
# it is: scripts/cluster-up.sh. The command finds the options for tuners in
# $CLUSTER, those of the workers' role in $AS_WORKER.
#
# usage: with-cluster.sh FOLDER N COMMAND ARGUMENT...
set -euo pipefail

root=$(cd "$(dirname "$0")/../../.." && pwd)
folder=$1 workers=$2
shift 2
rm -rf "$folder"
# One that nobody has.
BACO_CLUSTER_PORT=$(python3 -c '
import socket
with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    print(s.getsockname()[1])')
export BACO_CLUSTER_PORT
"$root/scripts/cluster-up.sh" "$workers" "$folder" >/dev/null
trap '"$root/scripts/cluster-up.sh" stop "$folder" >/dev/null' EXIT
server=--nats=tls://127.0.0.1:$BACO_CLUSTER_PORT
export CLUSTER="$server --nats-tls=$folder/tuner"
export AS_WORKER="$server --nats-tls=$folder/worker"
export OF_NOBODY="$server"
cd "$folder"
"$@"
