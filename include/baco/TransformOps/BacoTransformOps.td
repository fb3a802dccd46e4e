//===- BacoTransformOps.td - All transform ops of baco -----*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the ops for docs/generated/BacoTransformOps.md.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TRANSFORMOPS_BACOTRANSFORMOPS
#define BACO_TRANSFORMOPS_BACOTRANSFORMOPS

include "baco/TransformOps/GpuOps.td"
include "baco/TransformOps/NestOps.td"
include "baco/TransformOps/SparseOps.td"

#endif // BACO_TRANSFORMOPS_BACOTRANSFORMOPS
