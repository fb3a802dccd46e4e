//===- DebugOutput.cpp - Switch on LLVM_DEBUG -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/MachineCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <string>

static constexpr const char *variable = "BACO_DEBUG";

void baco::target::enableDebugOutput() {
  llvm::StringRef list = llvm::StringRef(std::getenv(variable));
  if (list.empty())
    return;
#ifdef NDEBUG
  llvm::errs() << "baco: " << variable
               << ": this build has no debug output; make one that has by "
                  "cmake --preset debug\n";
  // Workers needn't say it again.
  unsetenv(variable);
#else
  llvm::SmallVector<llvm::StringRef> names;
  list.split(names, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  auto types = llvm::map_to_vector(
      names, [](llvm::StringRef name) { return name.str(); });
  auto pointers = llvm::map_to_vector(
      types, [](const std::string &type) { return type.c_str(); });
  llvm::DebugFlag = true;
  // Copies them.
  llvm::setCurrentDebugTypes(pointers.data(), pointers.size());
#endif
}
