//===- ServeCommand.cpp - baco serve --------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "CommandGroup.h"
#include "ProgramSpace.h"
#include "StopSignals.h"

#include "baco/Command/StudyServer.h"

#include <algorithm>

using namespace baco;
using namespace baco::tool;

static constexpr const char *usage = R"(usage: baco serve SPACE [options]

A study as a service: clients ask for candidates of SPACE, a file as in 'baco space',
evaluate them, and tell the results, each as a line of JSON.

  --socket=PATH      serves any number of clients at a Unix socket, which is made for
                     this user only (default: one, at standard input and output)
  --optimizer=NAME   (baco; of a scenario, its own)
  --budget=N         candidates to give out, those of earlier runs included (60)
  --seed=N           (0)
  --objectives=LIST, --order=ORDER
                     candidates have several results, as in 'baco tune'
  --db=FILE          journal of all trials; the same command goes on from it
  --name=NAME        of the study in the journal (the name of SPACE)
  --subject=TEXT     what results depend on besides the configuration, such as the
                     version of a program: another text is another study

Requests and their answers:
  {"op": "ask"}                 {"trial": 0, "configuration": {"tile": 8}}, or
                                {"trial": null, "reason": "budget" or "exhausted"}
  {"op": "tell", "trial": 0, "result": 1.5}
  {"op": "tell", "trial": 0, "results": {"time": 1.5, "size": 40}}
  {"op": "tell", "trial": 0, "failure": "crashed", "message": "..."}
                                the best so far, as of
  {"op": "best"}                {"trial": 0, "configuration": {...}, "result": 1.5}
  {"op": "space"}               {"space": {...}}
  {"op": "quit"}                the best; the service ends

A request's "id" comes back with its answer; mistakes are answered by "error".

Exit codes: 0 done, 1 the input is wrong, 2 the environment fails, 130 interrupted.
)";

static int serve(const Arguments &arguments) {
  ProgramSpace input = readProgramSpace(arguments.positional().front());
  study::AskTellOptions options;
  options.optimizer =
      arguments.has("optimizer") ? arguments.get("optimizer") : input.optimizer;
  options.name = arguments.has("name") ? arguments.get("name") : input.name;
  options.database = arguments.get("db");
  options.subject = arguments.get("subject");
  options.objectives = readObjectives(arguments, input);
  auto seed = arguments.number("seed", 0),
       budget = arguments.number("budget", 1);
  options.seed = seed.value_or(0);
  study::AskTell study = need(study::AskTell::open(input.space, options));
  command::StudyServer server(study, budget.value_or(input.budget));
  stopBySignals(/*interruptsReads=*/true);
  need(command::serveStudy(server, arguments.get("socket"), &stopRequested));
  return stopRequested ? interrupted : allDone;
}

int tool::runServeCommand(std::span<const std::string_view> words) {
  return runCommand({"serve", serve,
                     "socket= optimizer= budget= seed= db= name= subject= "
                     "objectives= order=",
                     1, "the name of one file, a space"},
                    usage, words);
}
