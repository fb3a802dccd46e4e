//===- WorkerPath.h - Where the worker program is ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_WORKERPATH_H
#define BACO_DRIVER_WORKERPATH_H

#include "baco/Support/Result.h"

#include <string>

namespace baco::driver {

/// The worker program: `given` if not empty, else $BACO_WORKER, else
/// `baco-worker` beside this program or, in a plugin, beside or in `../bin` of
/// the plugin's own file. NotFound, naming what was tried, if that isn't an
/// executable file.
Result<std::string> findWorker(const std::string &given);

} // namespace baco::driver

#endif // BACO_DRIVER_WORKERPATH_H
