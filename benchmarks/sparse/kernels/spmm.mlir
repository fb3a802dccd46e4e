// A = B C, with B in CSR.

#CSR = #sparse_tensor.encoding<{
  map = (d0, d1) -> (d0 : dense, d1 : compressed)
}>

func.func @kernel(%b: tensor<{{ROWS}}x{{COLUMNS}}x{{T}}, #CSR>,
                  %c: tensor<{{COLUMNS}}x{{N}}x{{T}}>)
    -> tensor<{{ROWS}}x{{N}}x{{T}}> {
  %zero = arith.constant 0.0 : {{T}}
  %empty = tensor.empty() : tensor<{{ROWS}}x{{N}}x{{T}}>
  %zeros = linalg.fill ins(%zero : {{T}})
    outs(%empty : tensor<{{ROWS}}x{{N}}x{{T}}>) -> tensor<{{ROWS}}x{{N}}x{{T}}>
  %a = linalg.generic {
    indexing_maps = [affine_map<(i, k, j) -> (i, k)>,
                     affine_map<(i, k, j) -> (k, j)>,
                     affine_map<(i, k, j) -> (i, j)>],
    iterator_types = ["parallel", "reduction", "parallel"]
  } ins(%b, %c : tensor<{{ROWS}}x{{COLUMNS}}x{{T}}, #CSR>,
                 tensor<{{COLUMNS}}x{{N}}x{{T}}>)
    outs(%zeros : tensor<{{ROWS}}x{{N}}x{{T}}>) {
  ^bb0(%value: {{T}}, %factor: {{T}}, %sum: {{T}}):
    %product = arith.mulf %value, %factor : {{T}}
    %next = arith.addf %sum, %product : {{T}}
    linalg.yield %next : {{T}}
  } -> tensor<{{ROWS}}x{{N}}x{{T}}>
  return %a : tensor<{{ROWS}}x{{N}}x{{T}}>
}
