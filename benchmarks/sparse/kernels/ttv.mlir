// A(i, j) = sum of B(i, j, k) c(k) over k, with B in CSF below dense rows.

#CSF = #sparse_tensor.encoding<{
  map = (d0, d1, d2) -> (d0 : dense, d1 : compressed, d2 : compressed)
}>

func.func @kernel(%b: tensor<{{I}}x{{J}}x{{K}}x{{T}}, #CSF>,
                  %c: tensor<{{K}}x{{T}}>) -> tensor<{{I}}x{{J}}x{{T}}> {
  %zero = arith.constant 0.0 : {{T}}
  %empty = tensor.empty() : tensor<{{I}}x{{J}}x{{T}}>
  %zeros = linalg.fill ins(%zero : {{T}})
    outs(%empty : tensor<{{I}}x{{J}}x{{T}}>) -> tensor<{{I}}x{{J}}x{{T}}>
  %a = linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>,
                     affine_map<(i, j, k) -> (k)>,
                     affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%b, %c : tensor<{{I}}x{{J}}x{{K}}x{{T}}, #CSF>, tensor<{{K}}x{{T}}>)
    outs(%zeros : tensor<{{I}}x{{J}}x{{T}}>) {
  ^bb0(%value: {{T}}, %factor: {{T}}, %sum: {{T}}):
    %product = arith.mulf %value, %factor : {{T}}
    %next = arith.addf %sum, %product : {{T}}
    linalg.yield %next : {{T}}
  } -> tensor<{{I}}x{{J}}x{{T}}>
  return %a : tensor<{{I}}x{{J}}x{{T}}>
}
