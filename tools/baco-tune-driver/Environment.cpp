//===- Environment.cpp - Where results go ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "Complaint.h"

#include "baco/Driver/Outputs.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace baco::driver;

int prepareOutputDirectory(const std::string &outputDir) {
  if (std::error_code error = llvm::sys::fs::create_directories(
          outputDir, /*IgnoreExisting=*/true, llvm::sys::fs::perms::all_all))
    return complain(badEnvironment, "cannot make output directory '" +
                                        outputDir + "': " + error.message());
  if (!llvm::sys::fs::is_directory(outputDir))
    return complain(badEnvironment,
                    "output directory '" + outputDir + "' is a file");
  if (std::error_code error =
          llvm::sys::fs::access(outputDir, llvm::sys::fs::AccessMode::Write))
    return complain(badEnvironment, "cannot write to output directory '" +
                                        outputDir + "': " + error.message());
  return allDone;
}

static int checkEnvironment(const TuneOptions &options) {
  auto usable = options.checkEnvironment();
  return usable ? allDone : complain(usable.error());
}

/// Whether the journal is one of the files that are written at the end, which
/// would end it.
static bool isJournalAnOutput(const CommandLine &line) {
  llvm::StringRef database = line.tuning.database;
  llvm::StringRef folder = llvm::sys::path::parent_path(database);
  if (!llvm::sys::fs::equivalent(folder.empty() ? "." : folder, line.outputDir))
    return false;
  llvm::StringRef name = llvm::sys::path::filename(database);
  if (!name.consume_front(outputStem(line.inputFile) + "."))
    return false;
  return name == "tuned.mlir" || name == "schedule.mlir" ||
         name == "library.mlir" || name == "summary.json" ||
         name == "baco.lock" || name.ends_with("trials.jsonl");
}

static int checkJournalName(const CommandLine &line) {
  if (!isJournalAnOutput(line))
    return allDone;
  return complain(
      badInput, "--db: '" + line.tuning.database +
                    "' is one of the files with results: choose another name");
}

int prepareEnvironment(CommandLine &line) {
  if (int code = checkJournalName(line))
    return code;
  TuneOptions early = line.tuning;
  llvm::StringRef folder = llvm::sys::path::parent_path(early.database);
  // The journal may belong into that directory.
  if (!folder.empty() && !llvm::sys::fs::exists(folder))
    early.database.clear();
  if (int code = checkEnvironment(early))
    return code;
  if (int code = prepareOutputDirectory(line.outputDir))
    return code;
  // It may not have been there before.
  if (int code = checkJournalName(line))
    return code;
  if (line.tuning.database.empty()) {
    llvm::SmallString<256> path(line.outputDir);
    llvm::sys::path::append(path, outputStem(line.inputFile) + ".baco.db");
    line.tuning.database = path.str().str();
  }
  return checkEnvironment(line.tuning);
}

baco::Result<baco::database::FileLock> lockResults(const CommandLine &line) {
  std::string stem = outputStem(line.inputFile);
  llvm::SmallString<256> path(line.outputDir);
  llvm::sys::path::append(path, stem + ".baco.lock");
  return baco::database::FileLock::acquire(
      path.str().str(),
      "the results of '" + stem + "' in directory '" + line.outputDir +
          "' are being written",
      "wait for it, or choose another --output-dir");
}
