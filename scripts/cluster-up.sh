#!/usr/bin/env bash
# A cluster on this machine, to try it out or to test: a server of NATS with
# JetStream, certificates, and N workers, each on a CPU of its own. Prints what
# tuners are to be given. Its files, logs included, are in FOLDER; the second
# form ends all of it.
#
# usage: scripts/cluster-up.sh N [FOLDER]         (FOLDER: ./baco-cluster)
#        scripts/cluster-up.sh stop [FOLDER]
#
# BACO_CLUSTER_PORT is the server's port (4222); BACO_WORKER the program that is
# started (baco-worker of the build, or on the PATH); what BACO_WORKER_OPTIONS
# has goes to each worker, such as --allow-command=./app.
set -euo pipefail

complain() {
  echo "cluster-up: $1" >&2
  exit "${2:-1}"
}

root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(realpath -m "${2:-baco-cluster}")
port=${BACO_CLUSTER_PORT:-4222}

stop_all() {
  local file pid
  for file in "$folder"/worker-*.pid "$folder/server.pid"; do
    [[ -e $file ]] || continue
    pid=$(<"$file")
    # Workers finish what they have.
    kill "$pid" 2>/dev/null || true
    for _ in $(seq 100); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
    kill -9 "$pid" 2>/dev/null || true
    rm -f "$file"
  done
}

case ${1:-} in
stop)
  [[ -e $folder/server.pid ]] || complain "no cluster runs in $folder"
  stop_all
  echo "cluster-up: the cluster in $folder has ended"
  exit
  ;;
[1-9] | [1-9][0-9] | [1-9][0-9][0-9]) ;;
*) complain "give the number of workers, from 1 to 999, or stop" ;;
esac
[[ ! -e $folder/server.pid ]] ||
  complain "a cluster is in $folder already: scripts/cluster-up.sh stop $folder"

PATH=$PATH:/usr/sbin
for tool in nats-server openssl; do
  command -v $tool >/dev/null ||
    complain "$tool is missing: run scripts/setup.sh --all" 2
done
worker=${BACO_WORKER:-$root/build/release/bin/baco-worker}
[[ -x $worker ]] || worker=$(command -v baco-worker) ||
  complain "baco-worker is missing: build it, or set BACO_WORKER" 2

# Certificates: one authority, and one key for each role.
umask 077
mkdir -p "$folder"
cd "$folder"
if [[ ! -e ca.pem ]]; then
  mkdir -p server tuner worker
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
    -keyout ca.key -out ca.pem -days 365 -subj /CN=baco-authority 2>/dev/null
  for role in server tuner worker; do
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
      -keyout $role/key.pem -out $role/request.pem -subj /CN=baco-$role \
      2>/dev/null
    openssl x509 -req -in $role/request.pem -CA ca.pem -CAkey ca.key \
      -CAcreateserial -days 365 -out $role/cert.pem 2>/dev/null \
      -extfile <(echo "subjectAltName=DNS:localhost,DNS:$(hostname),IP:127.0.0.1")
    cp ca.pem $role/ca.pem
    rm $role/request.pem
  done
fi
sed "s|0.0.0.0:4222|127.0.0.1:$port|" "$root/examples/cluster/nats.conf" >nats.conf

trap 'stop_all' ERR
setsid nohup nats-server -c nats.conf >server.log 2>&1 </dev/null &
echo $! >server.pid
for _ in $(seq 100); do
  grep -q 'Server is ready' server.log && break
  kill -0 "$(<server.pid)" 2>/dev/null || break
  sleep 0.1
done
grep -q 'Server is ready' server.log || {
  tail -3 server.log >&2
  stop_all
  complain "nats-server did not start: see above, and $folder/server.log" 2
}

mapfile -t cpus < <(taskset -cp $$ | sed 's/.*: //; s/,/\n/g' |
  awk -F- '{ for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print i }')
server=tls://127.0.0.1:$port
read -ra options <<<"${BACO_WORKER_OPTIONS:-}"
for ((i = 1; i <= $1; i++)); do
  cpu=${cpus[$(((i - 1) % ${#cpus[@]}))]}
  setsid nohup taskset -c "$cpu" "$worker" --nats="$server" \
    --nats-tls="$folder/worker" --id="worker-$i" --cache="$folder/cache" \
    "${options[@]}" >"worker-$i.log" 2>&1 </dev/null &
  echo $! >"worker-$i.pid"
done
((${#cpus[@]} >= $1)) ||
  echo "cluster-up: $1 workers share ${#cpus[@]} CPUs: times will be wrong" >&2
echo "cluster-up: $1 workers; give tuners"
echo "  --engine=nats --nats=$server --nats-tls=$folder/tuner"
