//===- baco-worker.cpp - Runs candidates ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The worker process: joins the measuring side of the harness with the
// compiler of lib/Target, or plans nests. Started by the tuner, not by people.
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Channel.h"
#include "baco/Runtime/Serve.h"
#include "baco/Target/DebugOutput.h"
#include "baco/Target/ModuleCompiler.h"
#include "baco/Target/PlanMessages.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>

int main(int argc, char **argv) {
  baco::target::enableDebugOutput();
  if (fcntl(baco::runtime::workerSocket, F_GETFD) < 0) {
    llvm::errs() << "baco-worker: error: no connection to a tuner, which "
                    "starts this program; run baco-tune-driver instead\n";
    return 1;
  }
  if (argc == 2 && llvm::StringRef(argv[1]) == baco::target::planArgument)
    return baco::target::servePlans() ? 0 : 1;
  baco::target::ModuleCompiler compiler;
  return baco::runtime::serve(compiler) ? 0 : 1;
}
