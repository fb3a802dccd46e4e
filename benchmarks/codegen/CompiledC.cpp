//===- CompiledC.cpp - Baselines in C -------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Command lines, and dlopen.
//
//===----------------------------------------------------------------------===//

#include "CompiledC.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>

using namespace baco::benchmarks;
using llvm::StringRef;

/// The program, and the Debian package that it comes with.
static std::pair<const char *, const char *>
toolOf(CSource::Compiler compiler) {
  if (compiler == CSource::Gcc)
    return {"gcc", "gcc"};
  return {"clang-22", "clang-22"};
}

static std::vector<std::string> flagsOf(const CSource &source) {
  if (source.compiler == CSource::Strict)
    // Sums in the order of the source; multiplications and additions fuse where
    // they are written as one expression.
    return {"-O3", "-march=native", "-ffp-contract=on"};
  std::vector<std::string> flags = {"-O3", "-march=native"};
  if (source.isFast)
    flags.push_back("-ffast-math");
  // Polly is a part of clang-22: it needs no plugin, which would register its
  // options for a second time.
  if (source.compiler == CSource::Polly)
    flags.insert(flags.end(), {"-mllvm", "-polly"});
  if (source.usesVectorMath)
    flags.push_back("-fveclib=libmvec");
  flags.insert(flags.end(), source.flags.begin(), source.flags.end());
  return flags;
}

std::string CCompiler::describe(CSource::Compiler compiler) {
  CSource source;
  source.compiler = compiler;
  return std::string(toolOf(compiler).first) + " " +
         llvm::join(flagsOf(source), " ");
}

/// Runs the command; what it says goes to the file `log`.
static llvm::Error runProgram(StringRef program,
                              const std::vector<std::string> &arguments,
                              StringRef log) {
  llvm::SmallVector<StringRef> words = {program};
  words.append(arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {StringRef(), log, log};
  constexpr unsigned secondsToWait = 300;
  std::string message;
  int status = llvm::sys::ExecuteAndWait(program, words, std::nullopt,
                                         redirects, secondsToWait, 0, &message);
  if (status == 0)
    return llvm::Error::success();
  if (message.empty())
    if (auto text = llvm::MemoryBuffer::getFile(log))
      message = (*text)->getBuffer().split('\n').first;
  return llvm::createStringError(program + " failed: " + message);
}

llvm::Expected<CKernel> CCompiler::compile(const CSource &source,
                                           const Case &target, double flops) {
  auto [name, package] = toolOf(source.compiler);
  auto program = llvm::sys::findProgramByName(name);
  if (!program)
    return llvm::createStringError(std::string("there is no ") + name +
                                   ": apt install " + package);
  std::vector<std::string> arguments = flagsOf(source);
  arguments.insert(arguments.end(),
                   {"-shared", "-fPIC", "-w", "-fvisibility-inlines-hidden"});
  for (const auto &[size, value] : target.sizes)
    arguments.push_back("-D" + size + "=" + std::to_string(value));
  arguments.push_back(target.isSingle ? "-DT=float" : "-DT=double");
  arguments.push_back("-DFLOPS=" + std::to_string(static_cast<int64_t>(flops)));
  arguments.push_back(sourceDir + "/" + source.file);

  auto [entry, isNew] =
      loaded.try_emplace(*program + llvm::join(arguments, " "), nullptr);
  if (isNew) {
    std::string output = workDir + "/c" + std::to_string(loaded.size()) + ".so";
    arguments.insert(arguments.end(), {"-o", output});
    llvm::append_range(arguments, source.libraries);
    arguments.push_back("-lm");
    if (source.usesVectorMath)
      arguments.push_back("-lmvec");
    if (llvm::Error error = runProgram(*program, arguments, output + ".log")) {
      loaded.erase(entry);
      return error;
    }
    entry->second = dlopen(output.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (!entry->second)
    return llvm::createStringError("'" + source.file + "' can't be loaded");
  auto kernel =
      reinterpret_cast<CKernel>(dlsym(entry->second, source.function.c_str()));
  if (!kernel)
    return llvm::createStringError("'" + source.file + "' has no function '" +
                                   source.function + "'");
  return kernel;
}

llvm::Expected<CKernel> CCompiler::compileTaco(const TacoCode &code,
                                               const Case &target,
                                               const std::string &name) {
  auto tool = llvm::sys::findProgramByName("taco");
  if (!tool)
    return llvm::createStringError("there is no taco on the PATH");
  std::string file = workDir + "/" + name + "-taco.c";
  std::vector<std::string> arguments = {code.expression,
                                        "-write-source=" + file};
  for (const std::string &format : code.formats)
    arguments.push_back("-f=" + format);
  if (llvm::Error error = runProgram(*tool, arguments, file + ".log"))
    return error;
  if (!llvm::sys::fs::exists(file))
    return llvm::createStringError(*tool + " has not written '" + file + "'");
  CSource source{code.compiler, "taco.c", "kernel_" + code.kernel};
  source.flags = {"-DTACO_SOURCE=\"" + file + "\"", "-D" + code.kernel};
  return compile(source, target, target.flops);
}
