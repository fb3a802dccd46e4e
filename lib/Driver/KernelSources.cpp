//===- KernelSources.cpp - Transfer sources of a kernel's search ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTuner.h"

#include "baco/Apply/Entry.h"
#include "baco/Study/Sources.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;

/// The structure of the kernel as entries of libraries have it.
std::string KernelTuner::structure() const {
  return apply::FunctionKey::of(
             kernel.payload.get().lookupSymbol<func::FuncOp>(kernel.name))
      .structure;
}

Result<std::vector<search::TransferSource>>
KernelTuner::findSources(StringRef key) const {
  study::Learner learner{*space, options.database, key.str()};
  learner.structure = structure();
  learner.libraries = options.libraries;
  return study::findSources(options.like.empty() ? "auto" : options.like,
                            learner);
}

LogicalResult KernelTuner::takeSources(StringRef key, bool isNew) {
  bool isRecorded = !metadata.sources.empty();
  // Sources that come later would change the search of a study.
  bool isFound = !options.like.empty() || (isNew && !options.libraries.empty());
  if (!isRecorded && !isFound)
    return success();
  Result<std::vector<search::TransferSource>> found =
      isRecorded ? study::readSources(metadata.sources) : findSources(key);
  if (!found)
    return fail(TuneFailure::Input,
                {found.error().code, "like: " + found.error().message});
  sources = std::move(*found);
  Result<std::string> written = study::writeSources(sources);
  if (!written)
    return fail(TuneFailure::Input, written.error());
  metadata.sources = std::move(*written);
  return success();
}
