//===- KernelObject.h - Compiled kernels for other processes ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CompiledKernel::object: what another process must know to call the code.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_KERNELOBJECT_H
#define BACO_TARGET_CPU_KERNELOBJECT_H

#include "baco/Sparse/Storage.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace baco::target {

/// `code`, which loadMachineCode reads, with the formats of its arguments.
std::string writeObject(llvm::StringRef code,
                        llvm::ArrayRef<sparse::StorageFormat> formats);

struct KernelObject {
  std::string code;
  std::vector<sparse::StorageFormat> formats;
};

/// The inverse of writeObject; nullopt for what that has not written.
std::optional<KernelObject> readObject(llvm::StringRef object);

} // namespace baco::target

#endif // BACO_TARGET_CPU_KERNELOBJECT_H
