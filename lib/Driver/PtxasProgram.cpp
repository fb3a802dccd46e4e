//===- PtxasProgram.cpp - Where ptxas is ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/PtxasProgram.h"

#include "baco/Device/Ptxas.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <map>
#include <mutex>
#include <optional>
#include <tuple>

using namespace baco;
using namespace baco::driver;

namespace sys = llvm::sys;

/// The file that `auto` stands for.
static std::optional<std::string> findByEnvironment() {
  if (auto onPath = sys::findProgramByName("ptxas"))
    return *onPath;
  std::optional<std::string> home = sys::Process::GetEnv("CUDA_HOME");
  if (!home || home->empty())
    return std::nullopt;
  llvm::SmallString<128> path(*home);
  sys::path::append(path, "bin", "ptxas");
  if (!sys::fs::can_execute(path))
    return std::nullopt;
  return path.str().str();
}

/// The version in the output of `ptxas --version`.
static llvm::StringRef findVersion(llvm::StringRef text) {
  size_t at = text.rfind(", V");
  if (at == llvm::StringRef::npos)
    return "";
  return text.substr(at + 2).take_until([](char c) { return isspace(c); });
}

/// Returns the output of `ptxas -arch=CHIP --version`; `code` becomes its exit
/// code.
static Result<std::string> askVersion(const std::string &file,
                                      const std::string &chip, int &code) {
  llvm::SmallString<128> output;
  if (std::error_code error =
          sys::fs::createTemporaryFile("baco-ptxas", "txt", output))
    return Error{ErrorCode::IOError,
                 "ptxas: no temporary file can be made: " + error.message()};
  llvm::FileRemover remover(output);
  constexpr unsigned timeoutSeconds = 60;
  std::string arch = "-arch=" + chip, message;
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), output.str(),
                                                output.str()};
  code = sys::ExecuteAndWait(file, {file, arch, "--version"},
                             /*Env=*/std::nullopt, redirects, timeoutSeconds,
                             /*MemoryLimit=*/0, &message);
  if (code < 0)
    return Error{ErrorCode::IOError,
                 "ptxas: '" + file + "' can't be run: " +
                     (message.empty() ? "it crashes" : message)};
  auto text = llvm::MemoryBuffer::getFile(output);
  return text ? (*text)->getBuffer().str() : std::string();
}

/// Runs the program `file`, an absolute path.
static Result<PtxasProgram> identify(const std::string &file,
                                     const std::string &chip) {
  int code = 0;
  Result<std::string> text = askVersion(file, chip, code);
  if (!text)
    return text.error();
  if (code != 0)
    return Error{ErrorCode::Unsupported,
                 "ptxas: '" + file + "' doesn't assemble for " + chip + ": " +
                     runtime::findPtxasError(*text)};
  llvm::StringRef version = findVersion(*text);
  if (version.empty())
    return Error{ErrorCode::Unsupported,
                 "ptxas: '" + file +
                     "' doesn't say its version, as ptxas "
                     "does; give the file of ptxas"};
  return PtxasProgram{file, version.str()};
}

/// identify, once for all kernels of this process: it takes some milliseconds
/// from a disk, and seconds from some networks. Another file, also of the same
/// name, is identified anew.
static Result<PtxasProgram> identifyOnce(const std::string &file,
                                         const std::string &chip) {
  using Key = std::tuple<std::string, std::string, sys::TimePoint<>, uint64_t>;
  static std::mutex mutex;
  static std::map<Key, PtxasProgram> known;
  sys::fs::file_status status;
  if (std::error_code error = sys::fs::status(file, status))
    return Error{ErrorCode::IOError,
                 "ptxas: '" + file + "': " + error.message()};
  Key key(file, chip, status.getLastModificationTime(), status.getSize());
  std::lock_guard<std::mutex> lock(mutex);
  if (auto found = known.find(key); found != known.end())
    return found->second;
  Result<PtxasProgram> program = identify(file, chip);
  if (program)
    known.emplace(std::move(key), *program);
  return program;
}

Result<PtxasProgram> driver::findPtxas(const std::string &option,
                                       const std::string &chip) {
  if (option.empty())
    return PtxasProgram{};
  std::optional<std::string> found =
      option == "auto" ? findByEnvironment() : option;
  if (!found)
    return Error{ErrorCode::NotFound,
                 "ptxas: there is none on PATH or in CUDA_HOME/bin; give its "
                 "file by --ptxas=FILE, or leave the option out"};
  if (!sys::fs::can_execute(*found))
    return Error{ErrorCode::NotFound,
                 "ptxas: '" + *found + "' is no program that can be run"};
  // The worker may have another folder.
  llvm::SmallString<128> path(*found);
  if (std::error_code error = sys::fs::make_absolute(path))
    return Error{ErrorCode::IOError,
                 "ptxas: '" + *found + "': " + error.message()};
  return identifyOnce(path.str().str(), chip);
}
