//===- WorkerPath.cpp - Where the worker program is -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/WorkerPath.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <dlfcn.h>

using namespace baco;

static constexpr llvm::StringLiteral workerName = "baco-worker";

/// The file that this code was loaded from: the program, or a plugin.
static std::string ownFile() {
  static int anchor;
  Dl_info info;
  llvm::SmallString<256> path;
  if (dladdr(&anchor, &info) && info.dli_fname &&
      llvm::StringRef(info.dli_fname).ends_with(".so") &&
      !llvm::sys::fs::real_path(info.dli_fname, path))
    return path.str().str();
  return llvm::sys::fs::getMainExecutable(nullptr, &anchor);
}

Result<std::string> driver::findWorker(const std::string &given) {
  auto check = [](const std::string &path,
                  const char *source) -> Result<std::string> {
    if (llvm::sys::fs::can_execute(path))
      return path;
    return {ErrorCode::NotFound, "worker program '" + path + "' (from " +
                                     source + ") is not an executable file"};
  };
  if (!given.empty())
    return check(given, "the option 'worker'");
  if (std::optional<std::string> path =
          llvm::sys::Process::GetEnv("BACO_WORKER"))
    return check(*path, "$BACO_WORKER");

  std::string own = ownFile();
  llvm::StringRef folder = llvm::sys::path::parent_path(own);
  std::string tried;
  for (llvm::StringRef relative : {"", "../bin"}) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, relative, workerName);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    if (llvm::sys::fs::can_execute(path))
      return path.str().str();
    tried += (tried.empty() ? "'" : "' or '") + path.str().str();
  }
  return {ErrorCode::NotFound,
          "no worker program " + tried +
              "': build the target baco-worker, or set BACO_WORKER"};
}
