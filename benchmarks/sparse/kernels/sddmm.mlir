// A(p) = B(i, j) sum of C(i, k) D(j, k) over k, for each entry p of B. Its
// number is a third coordinate of the entry, so that the output is dense.

#COO = #sparse_tensor.encoding<{
  map = (d0, d1, d2) ->
    (d0 : dense, d1 : compressed(nonunique), d2 : singleton(soa))
}>

func.func @kernel(
    %b: tensor<{{ROWS}}x{{COLUMNS}}x{{ENTRIES}}x{{T}}, #COO>,
    %c: tensor<{{ROWS}}x{{N}}x{{T}}>, %d: tensor<{{COLUMNS}}x{{N}}x{{T}}>)
    -> tensor<{{ENTRIES}}x{{T}}> {
  %zero = arith.constant 0.0 : {{T}}
  %empty = tensor.empty() : tensor<{{ENTRIES}}x{{T}}>
  %zeros = linalg.fill ins(%zero : {{T}})
    outs(%empty : tensor<{{ENTRIES}}x{{T}}>) -> tensor<{{ENTRIES}}x{{T}}>
  %a = linalg.generic {
    indexing_maps = [affine_map<(i, j, p, k) -> (i, j, p)>,
                     affine_map<(i, j, p, k) -> (i, k)>,
                     affine_map<(i, j, p, k) -> (j, k)>,
                     affine_map<(i, j, p, k) -> (p)>],
    iterator_types = ["reduction", "reduction", "parallel", "reduction"]
  } ins(%b, %c, %d : tensor<{{ROWS}}x{{COLUMNS}}x{{ENTRIES}}x{{T}}, #COO>,
                     tensor<{{ROWS}}x{{N}}x{{T}}>,
                     tensor<{{COLUMNS}}x{{N}}x{{T}}>)
    outs(%zeros : tensor<{{ENTRIES}}x{{T}}>) {
  ^bb0(%value: {{T}}, %left: {{T}}, %right: {{T}}, %sum: {{T}}):
    %scaled = arith.mulf %value, %left : {{T}}
    %product = arith.mulf %scaled, %right : {{T}}
    %next = arith.addf %sum, %product : {{T}}
    linalg.yield %next : {{T}}
  } -> tensor<{{ENTRIES}}x{{T}}>
  return %a : tensor<{{ENTRIES}}x{{T}}>
}
