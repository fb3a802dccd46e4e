#!/usr/bin/env bash
# The runner without a GPU: test-fake-driver.sh RUNNER FAKE-DRIVER FOLDER. Each
# way to fail is one row, and those behind it are measured all the same.
set -euo pipefail
runner=$1 driver=$2 work=$3/fake-driver
rm -rf "$work"
mkdir -p "$work"
# C += A B for matrices of 16 x 16, by any number of threads.
cat >"$work/right.ptx" <<'EOF'
.version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c)
{
  .local .align 8 .b8 unused[8];
  .shared .align 4 .b8 tile[4096];
  .reg .pred %p<3>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<16>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [c];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.y;
  mov.u32 %r3, %tid.y;
  mad.lo.u32 %r1, %r1, %r2, %r3;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r1, %r1, %r3, %r4;    // the element
  mul.lo.u32 %r2, %r2, %r3;
  mov.u32 %r3, %nctaid.x;
  mul.lo.u32 %r2, %r2, %r3;         // the number of threads
ELEMENT:
  setp.ge.u32 %p1, %r1, 256;
  @%p1 bra DONE;
  shr.u32 %r3, %r1, 4;
  mul.wide.u32 %rd4, %r3, 64;
  add.u64 %rd4, %rd1, %rd4;         // the row of A
  and.b32 %r4, %r1, 15;
  mul.wide.u32 %rd5, %r4, 4;
  add.u64 %rd5, %rd2, %rd5;         // the column of B
  mul.wide.u32 %rd6, %r1, 4;
  add.u64 %rd6, %rd3, %rd6;
  ld.global.f32 %r5, [%rd6];
  mov.u32 %r6, 0;
TERM:
  ld.global.f32 %r7, [%rd4];
  ld.global.f32 %r8, [%rd5];
  fma.rn.f32 %r5, %r7, %r8, %r5;
  add.u64 %rd4, %rd4, 4;
  add.u64 %rd5, %rd5, 64;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p2, %r6, 16;
  @%p2 bra TERM;
  st.global.f32 [%rd6], %r5;
  add.u32 %r1, %r1, %r2;
  bra ELEMENT;
DONE:
  ret;
}
EOF
# A term too few, an address that isn't there, a loop without an end, and no PTX.
sed 's/%r6, 16;/%r6, 15;/' "$work/right.ptx" >"$work/wrong.ptx"
sed 's/\[%rd6\], %r5/[%rd6+16777216], %r5/' "$work/right.ptx" >"$work/fault.ptx"
sed 's/setp.ge.u32 %p1, %r1, 256;/bra ELEMENT;/' "$work/right.ptx" >"$work/hang.ptx"
echo refused >"$work/refused.ptx"
# A block takes a millisecond. One of 64 threads ends its process.
export FAKE_CUDA_BLOCK=1000000 FAKE_CUDA=crash@64
cat >"$work/list" <<'EOF'
# A comment
first right.ptx k 3 1 1 16 16 1 0 0,1,2
swapped right.ptx k 3 1 1 16 16 1 0 1,0,2
wrong wrong.ptx k 3 1 1 16 16 1 0 0,1,2
refused refused.ptx k 3 1 1 16 16 1 0 0,1,2
threads right.ptx k 3 1 1 64 64 1 0 0,1,2
shared right.ptx k 3 1 1 16 16 1 228352 0,1,2
toomuch right.ptx k 3 1 1 16 16 1 228353 0,1,2
fault fault.ptx k 3 1 1 16 16 1 0 0,1,2
hang hang.ptx k 3 1 1 16 16 1 0 0,1,2
crash right.ptx k 3 1 1 8 8 1 0 0,1,2
last right.ptx k 7 1 1 16 16 1 0 0,1,2
short right.ptx k 1 1 1 16 16 1 0 0,1,2
EOF
cat >"$work/expected" <<'EOF'
# Fake GPU, sm_90, 1000 multiprocessors, 65536 bytes of L2, CUDA 13.0, clocks at most 1 and 1 MHz
id,status,milliseconds,least,largest,registers,local_bytes,shared_bytes,message
first,ok,3,3,3,62,8,4096,
swapped,wrong-result,,,,62,8,4096,row 0 of input 1 is wrong
wrong,wrong-result,,,,62,8,4096,row 0 of input 1 is wrong
refused,compile-failed,,,,0,0,0,cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX: ptxas Missing .version directive
threads,launch-failed,,,,62,8,4096,cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
shared,ok,3,3,3,62,8,4096,
toomuch,launch-failed,,,,62,8,4096,cuFuncSetAttribute: CUDA_ERROR_INVALID_VALUE
fault,device-fault,,,,62,8,4096,cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS
hang,timed-out,,,,0,0,0,more than 2 s
crash,crashed,,,,0,0,0,the process ended
last,ok,7,7,7,62,8,4096,
short,ok,1,1,1,62,8,4096,
EOF
"$runner" "$work/list" --size=16 --timeout=2 --driver="$driver" \
  >"$work/result" 2>"$work/errors"
diff -u "$work/expected" "$work/result"

# A kernel of 1 us, which the host takes 3 us to launch: 100 of them in a graph, of
# which the first one begins 9 us after the event.
echo "tiny right.ptx k 1 1 1 16 16 1 0 0,1,2" >"$work/tiny"
FAKE_CUDA_BLOCK=1000 FAKE_CUDA_LAUNCH=3000 FAKE_CUDA_LATENCY=6000 \
  "$runner" "$work/tiny" --size=16 --repeats=3 --driver="$driver" >"$work/result"
grep -q '^tiny,ok,0.00109,0.00109,0.00109,62,8,4096,$' "$work/result"

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
expect 1 "--limits takes no list" "$work/list" --limits
expect 2 "there is no NVIDIA driver" --limits --driver=libnothing.so
expect 1 "there is no option '--fast'" "$work/list" --fast
expect 1 "'--repeats' must be a number from 1 to 10000, but it is '0'" \
  "$work/list" --repeats=0
echo "a b" >"$work/bad"
expect 1 "line 1: a kernel has 11 words" "$work/bad"
echo "a right.ptx k 1 1 1 1 1 1 0 0,1,3" >"$work/bad"
expect 1 "line 1: an argument is a number from 0 to 2, but it is '3'" "$work/bad"
echo "a none.ptx k 1 1 1 1 1 1 0 0,1,2" >"$work/bad"
expect 1 "can't read '$work/none.ptx'" "$work/bad"

# What kernels are compared with, by hand: 1000 multiprocessors at 1 MHz make 2 * 128,
# 2 * 1024 and 2 * 2048 operations in a cycle; the driver copies a byte in 2 ps; a
# product takes 1 ns for each of its 16^3 and 32^3 additions.
"$runner" --limits --size=16 --tensor-size=32 --repeats=3 --driver="$driver" \
  --cublas="$driver" >"$work/limits"
diff -u - "$work/limits" <<'EOF'
# Fake GPU, sm_90, 1000 multiprocessors, 65536 bytes of L2, CUDA 13.0, clocks at most 1 and 1 MHz
limit,value,unit
peak-f32,0.256,TFLOP/s
peak-tf32,2.048,TFLOP/s
peak-f16,4.096,TFLOP/s
copy,1000,GB/s
cublas-f32,0.004096,ms
cublas-tf32,0.032768,ms
cublas-f16,0.032768,ms
EOF
"$runner" --limits --size=16 --tensor-size=32 --repeats=3 --driver="$driver" \
  --cublas=libnothing.so >"$work/limits"
grep -q '^# no cuBLAS: libnothing.so: ' "$work/limits"

# Rows get the configurations of their kernels, and their costs.
mkdir "$work/variants"
printf '{"BM":16,"V":1}\n{"BM":32,"V":4}\n' >"$work/variants/configurations.json"
printf 'v1 ../right.ptx k 5 1 1 16 16 1 0 0,1,2\n' >"$work/variants/kernels.list"
printf 'v0,99\nv1,1234\n' >"$work/variants/costs.csv"
BACO_BENCH_GPU=$runner "$(dirname "$0")/measure.sh" "$work/variants" "$work/results.csv" --size=16 \
  --driver="$driver"
grep -v '^#' "$work/results.csv" >"$work/rows"
diff -u - "$work/rows" <<'EOF'
BM,V,cost,status,milliseconds,least,largest,registers,local_bytes,shared_bytes,message
32,4,1234,ok,5,5,5,62,8,4096,
EOF
grep -q '^# Fake GPU, sm_90' "$work/results.csv"

# Assembled before: what the assembler refuses is left to the driver.
cp "$work/wrong.ptx" "$work/variants/refused.ptx"
printf '.target sm_80, debug\n' >"$work/variants/fine.ptx"
printf 'v0 refused.ptx k 5 1 1 16 16 1 0 0,1,2\n' >"$work/variants/kernels.list"
printf 'v1 fine.ptx k 5 1 1 16 16 1 0 0,1,2\n' >>"$work/variants/kernels.list"
cat >"$work/ptxas" <<EOF
#!/bin/sh
[ "\$1" = -arch=sm_80 ] && cp "$work/right.ptx" "\$4"
EOF
chmod +x "$work/ptxas"
PTXAS=$work/ptxas BACO_BENCH_GPU=$runner "$(dirname "$0")/measure.sh" "$work/variants" \
  "$work/results.csv" --size=16 --driver="$driver"
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
