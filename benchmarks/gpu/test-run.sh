#!/usr/bin/env bash
# All bars without a GPU: test-run.sh BIN FAKE-DRIVER FOLDER. Each has an answer.
set -euo pipefail
bin=$1 driver=$2 work=$3/run
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work/lib"
ln -s "$driver" "$work/lib/libcuda.so.1"
export LD_LIBRARY_PATH=$work/lib CUBLAS=$driver FAKE_CUDA_BLOCK=1000000
code=0
"$here/run.sh" "$bin" "$work/out" --reduced >"$work/log" 2>&1 || code=$?
if [[ $code != 1 || $(grep -cE '\| (met|missed) \|$' "$work/out/bars") != 12 ]]; then
  cat "$work/log" >&2
  exit 1
fi
grep -q '^| recorded space: those with a time | 4 | 1 | met |$' "$work/out/bars"
# Blocks take a millisecond each, whatever they compute: only the driver's copy is
# fast.
grep -q "^| copy: .* | .*e-0[0-9] | 0.9 | missed |$" "$work/out/bars"
# The space is one that searches are replayed on.
"$bin/baco-bench-search" --spaces="$work/out/space" --optimizers=random --seeds=2 \
  --budget=3 >"$work/search"
grep -q random "$work/search"

# So are the configurations that were measured on an H200.
mkdir "$work/h200"
"$bin/baco-opt" "$here/matmul-f32.mlir" --baco-expand-recipes -o "$work/h200/schedule.mlir"
"$bin/baco-opt" "$work/h200/schedule.mlir" -o /dev/null \
  --baco-extract-space=output="$work/h200/space.json"
"$here/record-space.py" "$here/results/nvidia-h200-matmul-f32.csv" "$work/h200/space.json" \
  >"$work/h200/measured.csv"
[[ $(wc -l <"$work/h200/measured.csv") == 513 ]]
"$bin/baco-bench-search" --spaces="$work/h200" --optimizers=random --seeds=2 --budget=30 \
  >"$work/search"
grep -q random "$work/search"

# The table, from numbers of which it is computed by hand: 2 * 1000^3 operations in
# 4 and 1.6 ms are 0.5 and 1.25 TFLOP/s, 8 * 1000^2 bytes in 10 us 800 GB/s.
fixed=$work/fixed
mkdir -p "$fixed"/{f32,tf32,f16,copy,mm,mm-expert,scal,scal-expert,asum,space}
cat >"$fixed/limits.csv" <<'EOF'
# A GPU
limit,value,unit
peak-tf32,1,TFLOP/s
peak-f16,2,TFLOP/s
copy,1000,GB/s
cublas-f32,0.1,ms
EOF
trial() { # FOLDER TIME
  echo "{\"status\": \"ok\", \"time_ns\": $2}" >>"$fixed/$1/x.trials.jsonl"
}
trial f32 200000
trial f32 110000
trial tf32 4e6
trial f16 1.6e6
trial copy 10000
trial mm 8
trial mm-expert 10
trial scal 10
trial scal-expert 8
echo '{"status": "wrong-result", "time_ns": null}' >"$fixed/asum/x.trials.jsonl"
printf 'BM,time,status\n1,2,ok\n2,,wrong-result\n' >"$fixed/space/measured.csv"
code=0
"$here/bars.py" "$fixed" 1000 1000 1000 3 >"$work/bars" || code=$?
[[ $code == 1 ]]
diff -u - "$work/bars" <<'EOF'
| bar | measured | at least | |
|---|---|---|---|
| f32: time of cuBLAS / ours | 0.909 | 0.9 | met |
| tf32: rate / peak rate of tensor cores | 0.5 | 0.6 | missed |
| f16: rate / peak rate of tensor cores | 0.625 | 0.6 | met |
| copy: bandwidth / that of the driver's copy | 0.8 | 0.9 | missed |
| mm: time of the expert / ours | 1.25 | 1.0 | met |
| asum: time of the expert / ours | - | 1.0 | no answer |
| scal: time of the expert / ours | 0.8 | 1.0 | missed |
| kmeans: time of the expert / ours | - | 1.0 | no answer |
| harris: time of the expert / ours | - | 1.0 | no answer |
| stencil: time of the expert / ours | - | 1.0 | no answer |
| recorded space: configurations | 2 | 3 | missed |
| recorded space: those with a time | 1 | 1 | met |
EOF
