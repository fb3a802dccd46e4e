//===- baco-worker.cpp - Runs candidates ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The worker process: joins the measuring side of the harness with the
// compiler of lib/Target, or plans nests. Started by the tuner, or by a command
// that connects it to one.
//
//===----------------------------------------------------------------------===//

#include "baco/CandidateCompiler/ModuleCompiler.h"
#include "baco/CandidateCompiler/PlanMessages.h"
#include "baco/Protocol/Relay.h"
#include "baco/Runtime/Serve.h"
#include "baco/Target/CPU/DebugOutput.h"
#include "baco/Target/CPU/DescribeMachine.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

using namespace baco;

static int complain(const llvm::Twine &message) {
  llvm::errs() << "baco-worker: error: " << message << "\n";
  return 1;
}

int main(int argc, char **argv) {
  target::enableDebugOutput();
  std::string cpu, host;
  bool plans = false;
  for (llvm::StringRef argument : llvm::ArrayRef(argv, argc).drop_front()) {
    if (argument == target::planArgument)
      plans = true;
    else if (argument.consume_front("--target-cpu="))
      cpu = argument.str();
    else if (argument.consume_front("--host="))
      host = argument.str();
    else
      return complain("unknown option '" + argument +
                      "'; there are --target-cpu=CPU and "
                      "--host=KEY=VALUE,...");
  }
  llvm::Expected<runtime::MachineDescription> machine =
      target::describeMachine(cpu, host);
  if (!machine)
    return complain((cpu.empty() ? "--host: " : "--target-cpu, --host: ") +
                    toString(machine.takeError()));
  if (!runtime::hasWorkerSocket()) {
    if (plans || !runtime::isOnStandard())
      return complain("no connection to a tuner, which starts this program; "
                      "run baco-tune-driver instead");
    Result<std::optional<int>> split = runtime::splitRelay();
    if (!split)
      return complain(split.error().message);
    if (*split)
      return **split;
  }
  if (plans)
    return target::servePlans() ? 0 : 1;
  target::ModuleCompiler compiler;
  compiler.setCpu(cpu);
  return runtime::serve(compiler, {.machine = std::move(*machine)}) ? 0 : 1;
}
