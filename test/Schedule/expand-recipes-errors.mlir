// RUN: baco-opt %s --baco-expand-recipes --split-input-file --verify-diagnostics

module attributes {transform.with_named_sequence} {
  func.func @f(%a: f32, %A: memref<64xf32>) {
    // expected-error @below {{'linalg.fill' op has a recipe, but the module already has a schedule; remove one of them}}
    linalg.fill {baco.recipe = #baco.recipe<[#baco.tile<sizes = [4]>]>} ins(%a : f32) outs(%A : memref<64xf32>)
    return
  }
  // expected-note @below {{the schedule is here}}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}

// -----

module {
  module @inner {
    func.func @f(%a: f32, %A: memref<64xf32>) {
      // expected-error @below {{'linalg.fill' op has a recipe, but is not in a func.func of the outermost module, so that a schedule can't find it}}
      linalg.fill {baco.recipe = #baco.recipe<[#baco.tile<sizes = [4]>]>} ins(%a : f32) outs(%A : memref<64xf32>)
      return
    }
  }
}

// -----

func.func @f(%a: tensor<64xf32>) -> tensor<64xf32> {
  // expected-note @below {{the other op is here}}
  %b = linalg.exp {baco.recipe = #baco.recipe<[#baco.tile<sizes = [4]>]>}
    ins(%a : tensor<64xf32>) outs(%a : tensor<64xf32>) -> tensor<64xf32>
  // expected-error @below {{'linalg.abs' op bufferizes the function before the recipe of another op is applied; put 'bufferize' into the recipe of the first op only, or begin all recipes with it}}
  %c = linalg.abs {baco.recipe = #baco.recipe<[#baco.tile<sizes = [4]>, #baco.bufferize<>]>}
    ins(%b : tensor<64xf32>) outs(%b : tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// -----

func.func @f(%a: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @below {{'linalg.exp' op has a recipe for tensors, but the recipe of another op of the function begins with 'bufferize'; begin this one with 'bufferize', too}}
  %b = linalg.exp {baco.recipe = #baco.recipe<[#baco.tile<sizes = [4]>]>}
    ins(%a : tensor<64xf32>) outs(%a : tensor<64xf32>) -> tensor<64xf32>
  // expected-note @below {{the other op is here}}
  %c = linalg.abs {baco.recipe = #baco.recipe<[#baco.bufferize<>, #baco.tile<sizes = [4]>]>}
    ins(%b : tensor<64xf32>) outs(%b : tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// -----

func.func @f(%a: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @below {{'linalg.exp' op bufferizes the function, which takes or returns tensors; begin the recipe with 'bufferize', or leave it out}}
  %b = linalg.exp {baco.recipe = #baco.recipe<[#baco.tile<sizes = [4]>, #baco.bufferize<>]>}
    ins(%a : tensor<64xf32>) outs(%a : tensor<64xf32>) -> tensor<64xf32>
  return %b : tensor<64xf32>
}
