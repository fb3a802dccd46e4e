// A(i, j) = sum of B(i, k, l, m) C(k, j) D(l, j) E(m, j) over k, l and m, with
// B in CSF below dense rows.

#CSF = #sparse_tensor.encoding<{
  map = (d0, d1, d2, d3) ->
    (d0 : dense, d1 : compressed, d2 : compressed, d3 : compressed)
}>

func.func @kernel(%b: tensor<{{I}}x{{K}}x{{L}}x{{M}}x{{T}}, #CSF>,
                  %c: tensor<{{K}}x{{N}}x{{T}}>, %d: tensor<{{L}}x{{N}}x{{T}}>,
                  %e: tensor<{{M}}x{{N}}x{{T}}>) -> tensor<{{I}}x{{N}}x{{T}}> {
  %zero = arith.constant 0.0 : {{T}}
  %empty = tensor.empty() : tensor<{{I}}x{{N}}x{{T}}>
  %zeros = linalg.fill ins(%zero : {{T}})
    outs(%empty : tensor<{{I}}x{{N}}x{{T}}>) -> tensor<{{I}}x{{N}}x{{T}}>
  %a = linalg.generic {
    indexing_maps = [affine_map<(i, k, l, m, j) -> (i, k, l, m)>,
                     affine_map<(i, k, l, m, j) -> (k, j)>,
                     affine_map<(i, k, l, m, j) -> (l, j)>,
                     affine_map<(i, k, l, m, j) -> (m, j)>,
                     affine_map<(i, k, l, m, j) -> (i, j)>],
    iterator_types = ["parallel", "reduction", "reduction", "reduction",
                      "parallel"]
  } ins(%b, %c, %d, %e : tensor<{{I}}x{{K}}x{{L}}x{{M}}x{{T}}, #CSF>,
                         tensor<{{K}}x{{N}}x{{T}}>, tensor<{{L}}x{{N}}x{{T}}>,
                         tensor<{{M}}x{{N}}x{{T}}>)
    outs(%zeros : tensor<{{I}}x{{N}}x{{T}}>) {
  ^bb0(%value: {{T}}, %f: {{T}}, %g: {{T}}, %h: {{T}}, %sum: {{T}}):
    %first = arith.mulf %value, %f : {{T}}
    %second = arith.mulf %first, %g : {{T}}
    %third = arith.mulf %second, %h : {{T}}
    %next = arith.addf %sum, %third : {{T}}
    linalg.yield %next : {{T}}
  } -> tensor<{{I}}x{{N}}x{{T}}>
  return %a : tensor<{{I}}x{{N}}x{{T}}>
}
