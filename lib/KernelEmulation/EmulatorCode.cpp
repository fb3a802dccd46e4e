//===- EmulatorCode.cpp - Kernels in LLVM IR for the emulator -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled for this CPU by LLVM's JIT.
//
//===----------------------------------------------------------------------===//

#include "EmulatorCode.h"

#include "baco/Target/CPU/MachineCode.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace baco::target;
using namespace baco::runtime;

struct EmulatorCode::Linked {
  std::unique_ptr<orc::LLJIT> jit;
};

EmulatorCode::EmulatorCode() = default;
EmulatorCode::~EmulatorCode() = default;

static Expected<std::unique_ptr<orc::LLJIT>>
makeJit(orc::JITTargetMachineBuilder host, DataLayout layout) {
  auto jit = orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(host))
                 .setDataLayout(std::move(layout))
                 .setPlatformSetUp(orc::setUpInactivePlatform)
                 .create();
  if (!jit)
    return jit;
  // The lookup fails, too.
  (*jit)->getExecutionSession().setErrorReporter(
      [](llvm::Error error) { consumeError(std::move(error)); });
  orc::SymbolMap symbols;
  for (auto [name, address] : emulatorSymbols())
    symbols[(*jit)->mangleAndIntern(name)] = {
        orc::ExecutorAddr::fromPtr(address),
        JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  if (llvm::Error error = (*jit)->getMainJITDylib().define(
          orc::absoluteSymbols(std::move(symbols))))
    return std::move(error);
  return jit;
}

Expected<std::unique_ptr<EmulatorCode>>
EmulatorCode::create(StringRef bitcode) {
  auto context = std::make_unique<LLVMContext>();
  auto module = parseBitcodeFile(MemoryBufferRef(bitcode, "kernels"), *context);
  if (!module)
    return module.takeError();
  std::unique_ptr<EmulatorCode> code(new EmulatorCode());
  auto contents = instrumentForEmulator(**module, code->machine);
  if (!contents)
    return contents.takeError();
  auto host = describeHost();
  if (!host)
    return host.takeError();
  // How fast code is doesn't matter, as most time goes into the emulator.
  host->setCodeGenOptLevel(CodeGenOptLevel::Less);
  auto machine = host->createTargetMachine();
  if (!machine)
    return machine.takeError();
  (*module)->setTargetTriple((*machine)->getTargetTriple());
  (*module)->setDataLayout((*machine)->createDataLayout());
  if (lacksBF16(**machine))
    expandBF16(**module);
  auto jit = makeJit(std::move(*host), (*module)->getDataLayout());
  if (!jit)
    return jit.takeError();
  if (llvm::Error error = (*jit)->addIRModule(
          orc::ThreadSafeModule(std::move(*module), std::move(context))))
    return std::move(error);
  for (const EmulatorContents::Kernel &kernel : contents->kernels) {
    auto address = (*jit)->lookup(kernel.entry);
    if (!address)
      return address.takeError();
    code->entries[kernel.name] = {address->toPtr<void (*)(void **)>(),
                                  kernel.numArguments};
  }
  for (const auto &[name, bytes] : contents->variables) {
    auto address = (*jit)->lookup(name);
    if (!address)
      return address.takeError();
    code->variables.push_back(
        {"variable '" + name + "'", address->toPtr<std::byte *>(), bytes});
  }
  code->linked = std::make_unique<Linked>(std::move(*jit));
  return code;
}

llvm::Error EmulatorCode::launch(StringRef kernel, const LaunchSizes &launch,
                                 ArrayRef<void *> arguments,
                                 ArrayRef<EmulatedBuffer> buffers,
                                 const EmulatedOrder &order) {
  auto found = entries.find(kernel);
  if (found == entries.end())
    return createStringError("there is no kernel '" + kernel + "'");
  const Entry &entry = found->second;
  if (entry.numArguments != arguments.size())
    return createStringError(
        "kernel '" + kernel + "' takes " + Twine(entry.numArguments) +
        " arguments, but it is launched with " + Twine(arguments.size()));
  std::vector<EmulatedBuffer> all = variables;
  all.insert(all.end(), buffers.begin(), buffers.end());
  auto failure = machine.launch(
      kernel.str(),
      [&] { entry.address(const_cast<void **>(arguments.data())); }, launch,
      all, order);
  if (failure)
    return createStringError(failure->message);
  return llvm::Error::success();
}
