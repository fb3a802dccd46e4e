// The entries of a sparse argument say which version of the function is tuned,
// and what is legal.
// RUN: rm -rf %t && mkdir %t
// RUN: printf '%%%%%%%%MatrixMarket matrix coordinate pattern symmetric\n70000 70000 3\n1 1\n70000 7\n9 8\n' > %t/x.mtx
// RUN: baco-tune-driver %s --output-dir=%t --arg=spmm:0=@%t/x.mtx --emit-space=%t/x.json
// RUN: FileCheck %s --input-file=%t/x.json
// CHECK-DAG: coordinates up to 69999 that format 'csr' stores need 32 bits
// CHECK-DAG: "name": "order"
// Their number fits the fewest bits that are offered.
// CHECK-NOT: positions up to

// Attributes are read, too; their files are beside the module.
// RUN: sed 's|f64, #CSR>, %C|f64, #CSR> {baco.input = {tensor = "x.mtx"}}, %C|' %s > %t/attribute.mlir
// RUN: baco-tune-driver %t/attribute.mlir --output-dir=%t --emit-space=- \
// RUN:   | FileCheck %s --check-prefix=ATTRIBUTE
// ATTRIBUTE: coordinates up to 69999

// RUN: baco-tune-driver %s --output-dir=%t --emit-space=- \
// RUN:   '--arg=spmm:B=uniform(extents=900x800, entries=90000)' \
// RUN:   | FileCheck %s --check-prefix=MANY
// MANY: positions up to {{[0-9]+}}, the number of entries, need 32 bits

// RUN: baco-tune-driver %s --output-dir=%t --shape=spmm:0=100x200 --emit-space=- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DEFAULT
// DEFAULT: remark: the entries of argument 0 are made up by uniform(extents=100x200, entries=800); give them by --arg=spmm:0=@FILE
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @spmm(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x16xf64>,
                %A: tensor<?x16xf64>) -> tensor<?x16xf64> {
  %0 = linalg.matmul ins(%B, %C : tensor<?x?xf64, #CSR>, tensor<?x16xf64>)
    outs(%A : tensor<?x16xf64>) -> tensor<?x16xf64>
  return %0 : tensor<?x16xf64>
}
