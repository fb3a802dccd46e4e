//===- FunctionFinder.h - Functions of a loaded library ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DEVICE_FUNCTIONFINDER_H
#define BACO_LIB_DEVICE_FUNCTIONFINDER_H

#include <dlfcn.h>

namespace baco::runtime {

/// Finds functions of a library that dlopen has loaded, and remembers the first
/// one that it lacks.
class FunctionFinder {
public:
  explicit FunctionFinder(void *library) : library(library) {}

  /// Sets `pointer` to the function `name`; null if there is none.
  template <typename Function>
  void operator()(Function *&pointer, const char *name) {
    pointer = reinterpret_cast<Function *>(dlsym(library, name));
    if (!pointer && !firstMissing)
      firstMissing = name;
  }

  /// The name of the first function that was looked for in vain; null if there
  /// is none.
  const char *missing() const { return firstMissing; }

private:
  void *library;
  const char *firstMissing = nullptr;
};

} // namespace baco::runtime

#endif // BACO_LIB_DEVICE_FUNCTIONFINDER_H
