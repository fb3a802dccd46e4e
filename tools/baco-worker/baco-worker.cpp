//===- baco-worker.cpp - Runs candidates ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The worker process: joins the measuring side of the harness with the
// compiler of lib/Target. Started by the tuner, not by people.
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Serve.h"
#include "baco/Target/ModuleCompiler.h"

int main(int argc, char **argv) {
  baco::target::ModuleCompiler compiler;
  return baco::runtime::serve(compiler) ? 0 : 1;
}
