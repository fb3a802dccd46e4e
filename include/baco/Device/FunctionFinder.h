//===- FunctionFinder.h - Functions of a loaded library ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DEVICE_FUNCTIONFINDER_H
#define BACO_DEVICE_FUNCTIONFINDER_H

#include <dlfcn.h>

namespace baco::runtime {

/// Finds functions of a library that dlopen has loaded, and remembers the first
/// one that it lacks. Members of a class that begins with one may be
/// `int (*f)(int) = find("f")`.
class FunctionFinder {
public:
  FunctionFinder() = default;
  explicit FunctionFinder(void *library) : library(library) {}

  /// A pointer to a function of the type that is wanted.
  struct Symbol {
    template <typename Function>
    operator Function *() const {
      return reinterpret_cast<Function *>(address);
    }
    void *address;
  };

  /// The function `name`; null if there is none, or no library.
  Symbol operator()(const char *name) {
    void *address = library ? dlsym(library, name) : nullptr;
    if (!address && !firstMissing)
      firstMissing = name;
    return {address};
  }

  /// The name of the first function that was looked for in vain; null if there
  /// is none.
  const char *missing() const { return firstMissing; }

private:
  void *library = nullptr;
  const char *firstMissing = nullptr;
};

} // namespace baco::runtime

#endif // BACO_DEVICE_FUNCTIONFINDER_H
