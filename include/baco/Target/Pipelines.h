//===- Pipelines.h - From memrefs to the LLVM dialect --------- -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline `baco-lower-to-cpu`, and registration of the passes of
// Passes.td. The former lowers what a schedule leaves behind and what was never
// scheduled alike, so that both are compared on equal terms.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_PIPELINES_H
#define BACO_TARGET_PIPELINES_H

#include "baco/Target/CPU/Workspace.h"
#include "baco/Target/Constants/ConstantPacking.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace baco::target {

struct LowerToCPUOptions : public mlir::PassPipelineOptions<LowerToCPUOptions> {
  Option<Workspace> workspace{
      *this, "workspace",
      llvm::cl::desc("Where the memory of a public function's temporaries "
                     "comes from (baco-plan-workspace)"),
      llvm::cl::init(Workspace::Alloc), workspaceValues()};
  Option<ConstantPacking> packing{
      *this, "packing",
      llvm::cl::desc("Who owns the copies of a public function's constant "
                     "arguments (baco-pack-constants)"),
      llvm::cl::init(ConstantPacking::Caller), constantPackingValues()};
  Option<std::string> constants{
      *this, "constants",
      llvm::cl::desc("The file that the data of large constants go to "
                     "(baco-store-constants)")};
};

/// Appends the passes that take a module of linalg, affine, scf, vector, math
/// and memref ops to the LLVM dialect. Public functions get a C interface
/// (`llvm.emit_c_interface`). Tensors are bufferized, sparse ones by the pass
/// `baco-lower-sparse`.
void buildLowerToCPUPipeline(mlir::OpPassManager &manager,
                             const LowerToCPUOptions &options = {});

} // namespace baco::target

#endif // BACO_TARGET_PIPELINES_H
