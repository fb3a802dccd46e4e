//===- OptionTable.cpp - Options of driver and pass -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/OptionTable.h"

#include "baco/GlobalOptimization/Winograd.h"

#include "llvm/ADT/SmallVector.h"

using namespace baco;
using namespace baco::driver;

#define GET_TuneOptionTable_IMPL
#include "baco/Driver/TuneOptionTable.inc"

llvm::ArrayRef<TuneOption> driver::tuneOptions() { return TuneOptionTable; }

Result<void> OptionValues::complete(bool isBudgetGiven) {
  std::optional<runtime::Caches> parsed = runtime::parseCaches(caches);
  if (!parsed)
    return {ErrorCode::InvalidArgument,
            "caches must be hot or flushed, but is '" + caches + "'"};
  tuning.measure.timing.caches = *parsed;
  llvm::StringRef percentage = llvm::StringRef(share).trim();
  percentage.consume_back("%");
  percentage = percentage.rtrim();
  double percent = 0;
  // Also refuses what isn't a number.
  if (percentage.getAsDouble(percent) || !(percent > 0 && percent <= 100))
    return {ErrorCode::InvalidArgument,
            "share must be a percentage above 0 and up to 100, but is '" +
                share + "'"};
  tuning.share = percent / 100;
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(sharedLibs).split(names, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef name : names)
    tuning.sharedLibs.push_back(name.trim().str());
  tuning.isBudgetPerKernel = !isBudgetGiven;
  if (!isBudgetGiven && !tuning.stop.empty())
    tuning.budget = UINT64_MAX;
  return {};
}

llvm::Expected<KernelOptions> OptionValues::kernelOptions() const {
  auto named = [](const char *option, llvm::Error error) {
    return llvm::createStringError(llvm::Twine(option) + ": " +
                                   toString(std::move(error)));
  };
  KernelOptions options = kernels;
  schedule::HostInfo detected = schedule::HostInfo::detect();
  if (tuning.machine) {
    const runtime::MachineDescription &machine = *tuning.machine;
    llvm::Expected<schedule::HostInfo> remote =
        schedule::HostInfo::parse(machine.host);
    if (!remote)
      return named("runner, engine: the worker's host", remote.takeError());
    detected = *remote;
    options.cpu = schedule::HostCpu::parse(machine.cpu, machine.features);
    if (threads == 0)
      return llvm::createStringError("threads: with a runner or a cluster, "
                                     "give their number instead of 0");
  }
  llvm::Expected<schedule::HostInfo> parsed =
      schedule::HostInfo::parse(host, detected);
  if (!parsed)
    return named("host", parsed.takeError());
  if (!parsed->cpu.empty() && !tuning.isEvaluatedBy(EvaluatorKind::Static))
    return llvm::createStringError(
        "host: cpu is for costs of a model, because candidates run on this "
        "machine's CPU; give --evaluator=static, or leave it out");
  if (llvm::Error error = parsed->useThreads(threads))
    return named("threads", std::move(error));
  auto target = TuningTarget::parse(tuning.target);
  if (!target)
    return llvm::createStringError(target.error().message);
  if (kernels.allowsTF32)
    if (Result<void> known = (*target)->checkTF32(); !known)
      return llvm::createStringError(known.error().message);
  Result<apply::Interface> parsedInterface = apply::parseInterface(interface);
  if (!parsedInterface)
    return llvm::createStringError(parsedInterface.error().message);
  options.interface = *parsedInterface;
  Result<globalopt::Layout> parsedLayout = globalopt::parseLayout(layout);
  if (!parsedLayout)
    return llvm::createStringError(parsedLayout.error().message);
  options.layout = *parsedLayout;
  auto parsedWinograd = globalopt::parseWinograd(winograd);
  if (!parsedWinograd)
    return llvm::createStringError(parsedWinograd.error().message);
  options.winograd = *parsedWinograd;
  options.target = *target;
  options.host = *parsed;
  if (host.empty() && !tuning.machine)
    options.costCpu = schedule::HostCpu::detect().name;
  else if (tuning.isEvaluatedBy(EvaluatorKind::Static) &&
           options.target->isCpu())
    // That which the costs are for.
    options.cpu =
        llvm::cantFail(schedule::HostCpu::named(options.host.codeCpu()));
  options.plans = tuning.planLimits();
  options.hasLibraries = !sharedLibs.empty();
  return options;
}
