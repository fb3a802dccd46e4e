// A step of a breadth-first search, after Rodinia's: each node takes the least
// cost of its eight neighbors and one more, then the costs are replaced. Four
// knobs, 256 configurations.

#unroll = #baco.ordinal<[1, 2, 4, 8], log>

func.func @bfs(%edges: memref<1024x8xi32>,
               %cost: memref<1024xi32>, %next: memref<1024xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 1024 {
    affine.for %j = 0 to 8 {
      %e = affine.load %edges[%i, %j] : memref<1024x8xi32>
      %n = arith.index_cast %e : i32 to index
      %c = memref.load %cost[%n] : memref<1024xi32>
      %d = arith.addi %c, %one : i32
      %b = affine.load %next[%i] : memref<1024xi32>
      %m = arith.minsi %b, %d : i32
      affine.store %m, %next[%i] : memref<1024xi32>
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_copy<statement = 0, loop = 1, reference = 2,
                      width = #baco.knob<"copy_cost", #baco.ordinal<[0, 1]>, default = 0>, whole = 1>,
      #baco.loop_unroll<statement = 0, loop = 1, factor = #baco.knob<"unroll_nodes", #unroll, default = 1>>,
      #baco.loop_unroll<statement = 0, loop = 2, factor = #baco.knob<"unroll_edges", #unroll, default = 1>>,
      #baco.loop_unroll<statement = 1, loop = 1,
                        factor = #baco.knob<"unroll_update", #baco.ordinal<[1, 2, 4, 8, 16, 32, 64, 128], log>, default = 1>>],
    nests = 2>}
  affine.for %i = 0 to 1024 {
    %n = affine.load %next[%i] : memref<1024xi32>
    affine.store %n, %cost[%i] : memref<1024xi32>
  }
  return
}
