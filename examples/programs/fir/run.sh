#!/bin/sh
# Synthesizes the filter with yosys, places and routes it with nextpnr, and prints
# the nanoseconds for a result. Exit code 3: it doesn't fit the device.
# usage: run.sh FOLDER UNROLL PIPELINED DEVICE      DEVICE: hx1k or hx8k
set -e
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 unroll=$2 pipelined=$3 device=$4
case $device in hx1k) package=tq144 ;; *) package=ct256 ;; esac
cd "$folder"
cp "$here/fir.v" .
yosys -q -p "read_verilog fir.v; chparam -set UNROLL $unroll -set PIPELINED $pipelined fir
             synth_ice40 -top fir -json fir.json" >yosys.log 2>&1 || { cat yosys.log >&2 && exit 1; }
if ! nextpnr-ice40 "--$device" --package $package --json fir.json --seed 1 \
  --pcf-allow-unconstrained --timing-allow-fail >nextpnr.log 2>&1; then
  grep ERROR nextpnr.log >&2
  exit 3
fi
mhz=$(sed -n 's/.*Max frequency for clock.*: \([0-9.]*\) MHz.*/\1/p' nextpnr.log | tail -1)
awk -v cycles=$((16 / unroll + pipelined)) -v mhz="$mhz" 'BEGIN { print "ns:", cycles * 1000 / mhz }'
