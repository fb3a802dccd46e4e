//===- baco.cpp - Everything besides tuning MLIR --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the subcommand. How it ends is in baco/Support/ExitCode.h.
//
//===----------------------------------------------------------------------===//

#include "CommandGroup.h"
#include "Commands.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <vector>

using namespace baco;
using namespace baco::tool;

static constexpr const char *usage = R"(usage: baco COMMAND ...

commands:
  tune       the parameters of any program, by a command that runs it
  serve      the same for a program that asks for candidates and tells results
  space      files of search spaces: count, sample, explain, check, convert
  study      databases of trials: list, show, best, compare, importance,
             export, merge, prune
  report     what a database of trials knows: as a page, text or JSON
  tensor     sparse tensors: show, write
  cluster    workers on other machines: status, drain, purge
  doctor     what limits measuring on this machine
  --version  prints the version
  --help     prints this text; see also baco COMMAND --help
)";

using CommandEntry =
    std::pair<std::string_view, int (*)(std::span<const std::string_view>)>;
static constexpr CommandEntry commands[] = {
    {"study", runStudyCommand},     {"report", runReportCommand},
    {"space", runSpaceCommand},     {"tensor", runTensorCommand},
    {"cluster", runClusterCommand}, {"doctor", runDoctorCommand},
    {"serve", runServeCommand},     {"tune", runTuneCommand}};

int main(int argc, char **argv) {
  // A closed pipe (`... | head`) isn't an error.
  std::signal(SIGPIPE, SIG_IGN);
  // A file size limit shows as an error of the write instead.
  std::signal(SIGXFSZ, SIG_IGN);
  std::vector<std::string_view> words(argv + 1, argv + argc);
  std::string_view command = words.empty() ? "" : words.front();
  const auto *found =
      std::ranges::find(commands, command, &CommandEntry::first);
  int code = allDone;
  if (found != std::end(commands)) {
    try {
      code = found->second(std::span(words).subspan(1));
    } catch (const Complaint &complaint) {
      code = complain(complaint.error);
    }
  } else if (command == "--version") {
    std::puts("baco " BACO_VERSION_STRING);
  } else if (command == "--help") {
    std::fputs(usage, stdout);
  } else if (words.empty()) {
    std::fputs(usage, stderr);
    code = badInput;
  } else {
    std::fprintf(stderr, "baco: error: unknown command '%s' (see --help)\n",
                 argv[1]);
    code = badInput;
  }
  return finishOutput(code);
}
