#!/usr/bin/env bash
# The runner without a GPU: test-fake-driver.sh RUNNER FAKE-DRIVER FOLDER. Each
# way to fail is one row, and those behind it are measured all the same.
set -euo pipefail
runner=$1 driver=$2 work=$3/fake-driver
rm -rf "$work"
mkdir -p "$work"
for word in right wrong refused fault hang crash; do
  echo $word >"$work/$word.ptx"
done
cat >"$work/list" <<'EOF'
# A comment
first right.ptx k 3 1 1 16 16 1 0 0,1,2
swapped right.ptx k 3 1 1 16 16 1 0 1,0,2
wrong wrong.ptx k 3 1 1 16 16 1 0 0,1,2
refused refused.ptx k 3 1 1 16 16 1 0 0,1,2
threads right.ptx k 3 1 1 64 64 1 0 0,1,2
shared right.ptx k 3 1 1 16 16 1 232448 0,1,2
toomuch right.ptx k 3 1 1 16 16 1 232449 0,1,2
fault fault.ptx k 3 1 1 16 16 1 0 0,1,2
hang hang.ptx k 3 1 1 16 16 1 0 0,1,2
crash crash.ptx k 3 1 1 16 16 1 0 0,1,2
last right.ptx k 7 1 1 16 16 1 0 0,1,2
short right.ptx k 1 1 1 16 16 1 0 0,1,2
EOF
cat >"$work/expected" <<'EOF'
# Fake GPU, sm_90, 1000 multiprocessors, 1000 bytes of L2, CUDA 13.0, clocks at most 1 and 1 MHz
id,status,milliseconds,least,largest,registers,local_bytes,shared_bytes,message
first,ok,3,3,3,62,8,4096,
swapped,wrong-result,,,,62,8,4096,row 0 of input 1 is wrong
wrong,wrong-result,,,,62,8,4096,row 5 of input 1 is wrong
refused,compile-failed,,,,0,0,0,cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX: ptxas fatal : too much shared data
threads,launch-failed,,,,62,8,4096,cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
shared,ok,3,3,3,62,8,4096,
toomuch,launch-failed,,,,62,8,4096,cuFuncSetAttribute: CUDA_ERROR_INVALID_VALUE
fault,device-fault,,,,62,8,4096,cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS
hang,timed-out,,,,0,0,0,more than 2 s
crash,crashed,,,,0,0,0,the process ended
last,ok,7,7,7,62,8,4096,
short,ok,1,1,1,62,8,4096,
EOF
"$runner" "$work/list" --size=64 --timeout=2 --driver="$driver" \
  >"$work/result" 2>"$work/errors"
diff -u "$work/expected" "$work/result"

# Mistakes, and machines without a GPU: one line, and an exit code.
expect() { # CODE TEXT ARGUMENT...
  local code=$1 text=$2 got=0
  shift 2
  "$runner" "$@" >"$work/result" 2>"$work/errors" || got=$?
  if [[ $got != "$code" || $(wc -l <"$work/errors") != 1 ]] ||
    ! grep -qF -- "$text" "$work/errors"; then
    echo "$*: expected exit code $code and '$text', but got $got:" >&2
    cat "$work/errors" >&2
    exit 1
  fi
}
expect 2 "there is no NVIDIA driver" "$work/list" --driver=libnothing.so
expect 2 "the NVIDIA driver is too old: libm.so.6 has no cuInit" \
  "$work/list" --driver=libm.so.6
FAKE_NO_DEVICE=1 expect 2 "the NVIDIA driver finds no GPU" \
  "$work/list" --driver="$driver"
expect 2 "there is no GPU 1" "$work/list" --driver="$driver" --device=1
expect 1 "can't read 'nowhere'" nowhere
expect 1 "no list is given"
expect 1 "there is no option '--fast'" "$work/list" --fast
expect 1 "'--repeats' must be a number from 1 to 10000, but it is '0'" \
  "$work/list" --repeats=0
echo "a b" >"$work/bad"
expect 1 "line 1: a kernel has 11 words" "$work/bad"
echo "a right.ptx k 1 1 1 1 1 1 0 0,1,3" >"$work/bad"
expect 1 "line 1: an argument is a number from 0 to 2, but it is '3'" "$work/bad"
echo "a none.ptx k 1 1 1 1 1 1 0 0,1,2" >"$work/bad"
expect 1 "can't read '$work/none.ptx'" "$work/bad"

# Rows get the configurations of their kernels, and their costs.
mkdir "$work/variants"
printf '{"BM":16,"V":1}\n{"BM":32,"V":4}\n' >"$work/variants/configurations.json"
printf 'v1 ../right.ptx k 5 1 1 16 16 1 0 0,1,2\n' >"$work/variants/kernels.list"
printf 'v0,99\nv1,1234\n' >"$work/variants/costs.csv"
BACO_BENCH_GPU=$runner "$(dirname "$0")/run.sh" "$work/variants" "$work/results.csv" --size=64 \
  --driver="$driver"
grep -v '^#' "$work/results.csv" >"$work/rows"
diff -u - "$work/rows" <<'EOF'
BM,V,cost,status,milliseconds,least,largest,registers,local_bytes,shared_bytes,message
32,4,1234,ok,5,5,5,62,8,4096,
EOF
grep -q '^# Fake GPU, sm_90' "$work/results.csv"

# Assembled before: what the assembler refuses is left to the driver.
printf '.target sm_90\n' >"$work/variants/refused.ptx"
printf '.target sm_80, debug\n' >"$work/variants/fine.ptx"
printf 'v0 refused.ptx k 5 1 1 16 16 1 0 0,1,2\n' >"$work/variants/kernels.list"
printf 'v1 fine.ptx k 5 1 1 16 16 1 0 0,1,2\n' >>"$work/variants/kernels.list"
cat >"$work/ptxas" <<'EOF'
#!/bin/sh
[ "$1" = -arch=sm_80 ] && echo right >"$4"
EOF
chmod +x "$work/ptxas"
PTXAS=$work/ptxas BACO_BENCH_GPU=$runner "$(dirname "$0")/run.sh" "$work/variants" \
  "$work/results.csv" --size=64 --driver="$driver"
grep -v '^#' "$work/results.csv" >"$work/rows"
diff -u - "$work/rows" <<'EOF'
BM,V,cost,status,milliseconds,least,largest,registers,local_bytes,shared_bytes,message
16,1,99,wrong-result,,,,62,8,4096,row 0 of input 1 is wrong
32,4,1234,ok,5,5,5,62,8,4096,
EOF

# How costs rank times: equal ones share a rank, and what failed doesn't count. By
# hand: ranks of costs 1 2.5 2.5 4, of times 2 1 3 4, so that rho is 3 divided by
# the root of 4.5 * 5.
cat >"$work/ranked.csv" <<'EOF'
# A comment
BM,cost,status,milliseconds
1,10,ok,0.2
2,20,ok,0.1
3,20,ok,0.3
4,40,ok,0.4
5,5,wrong-result,
EOF
"$(dirname "$0")/rank.py" "$work/ranked.csv" | tail -n 1 >"$work/row"
diff -u - "$work/row" <<'EOF'
| ranked | 4 | 0.63 | 0.1 | 2.50 | 2.00 | 2 | 1.00 |
EOF
