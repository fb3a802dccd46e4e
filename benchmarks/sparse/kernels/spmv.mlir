// y = B x, with B in CSR.

#CSR = #sparse_tensor.encoding<{
  map = (d0, d1) -> (d0 : dense, d1 : compressed)
}>

func.func @kernel(%b: tensor<{{ROWS}}x{{COLUMNS}}x{{T}}, #CSR>,
                  %x: tensor<{{COLUMNS}}x{{T}}>) -> tensor<{{ROWS}}x{{T}}> {
  %zero = arith.constant 0.0 : {{T}}
  %empty = tensor.empty() : tensor<{{ROWS}}x{{T}}>
  %zeros = linalg.fill ins(%zero : {{T}}) outs(%empty : tensor<{{ROWS}}x{{T}}>)
    -> tensor<{{ROWS}}x{{T}}>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>,
                     affine_map<(i, k) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%b, %x : tensor<{{ROWS}}x{{COLUMNS}}x{{T}}, #CSR>,
                 tensor<{{COLUMNS}}x{{T}}>)
    outs(%zeros : tensor<{{ROWS}}x{{T}}>) {
  ^bb0(%value: {{T}}, %factor: {{T}}, %sum: {{T}}):
    %product = arith.mulf %value, %factor : {{T}}
    %next = arith.addf %sum, %product : {{T}}
    linalg.yield %next : {{T}}
  } -> tensor<{{ROWS}}x{{T}}>
  return %y : tensor<{{ROWS}}x{{T}}>
}
