//===- HandMadeStudy.h - A small study to report on -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_STUDYREPORT_HANDMADESTUDY_H
#define BACO_UNITTESTS_STUDYREPORT_HANDMADESTUDY_H

#include "baco/Database/KernelDetails.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/StudyReport/StudySummary.h"

#include <gtest/gtest.h>

#include <cmath>

namespace baco::test {

/// 16 configurations: tile in {1, ..., 8}, mode in {x, y}.
inline Space handMadeSpace() {
  Result<Parameter> tile = Parameter::integer("tile", 1, 8);
  Result<Parameter> mode =
      Parameter::categorical("mode", {std::string("x"), std::string("y")});
  Result<Space> space = Space::create({*tile, *mode});
  if (!space)
    ADD_FAILURE() << space.error().message;
  return *space;
}

inline database::StudyInfo handMadeInfo(const std::string &name,
                                        const std::string &key) {
  Result<std::string> space = writeSpace(handMadeSpace());
  database::StudyInfo info;
  info.key = key;
  info.name = name;
  info.space = space ? *space : "";
  info.metadata = R"({"optimizer":"baco","seed":7,"about":"of 8xf32"})";
  return info;
}

/// The same of a tuner that has recorded a bound of 155 ns by memory.
inline database::StudyInfo detailedInfo(const std::string &name,
                                        const std::string &key, double calls) {
  database::StudyInfo info = handMadeInfo(name, key);
  database::KernelDetails details{
      .calls = calls,
      .flops = 1000,
      .bytes = 1550,
      .flopsPerS = 20e9,
      .bytesPerS = 10e9,
      .listings = {{12, "0040: <nop>\n", TimeShares{0.5, 0.375, 0.125}}}};
  info.metadata =
      R"({"optimizer":"baco","seed":7,"about":"of 8xf32","kernel":)" +
      details.write() + "}";
  return info;
}

/// Compiling takes 2 s, and running 1 s.
inline database::Trial makeTrial(uint64_t number, int tile,
                                 const std::string &mode, double timeNs,
                                 Status status = Status::Ok) {
  database::Trial trial;
  trial.number = number;
  trial.configuration =
      R"({"tile":)" + std::to_string(tile) + R"(,"mode":")" + mode + "\"}";
  trial.outcome.emplace();
  trial.outcome->status = status;
  trial.outcome->timeNs = status == Status::Ok ? timeNs : std::nan("");
  trial.outcome->numSamples = 5;
  trial.outcome->compileNs = 2e9;
  trial.outcome->runNs = 1e9;
  if (isFailure(status))
    trial.outcome->message = "because of tile " + std::to_string(tile);
  return trial;
}

/// The times are 100 * tile (900 for tile 1), of mode y 50 more; from tile 5 on
/// mode y crashes, and the last trial is pending.
inline std::vector<database::Trial> handMadeTrials() {
  std::vector<database::Trial> trials;
  for (int tile : {1, 8, 7, 6, 5, 4, 3, 2})
    for (const char *mode : {"x", "y"}) {
      bool isY = mode[0] == 'y';
      trials.push_back(makeTrial(
          trials.size(), tile, mode, 100.0 * (tile == 1 ? 9 : tile) + 50 * isY,
          tile >= 5 && isY ? Status::Crashed : Status::Ok));
    }
  trials.back().outcome.reset();
  return trials;
}

/// Trial 12 (tile 3, mode x) was kept: 2 rounds of 310 ns, against 930 ns of
/// the default and 1240 ns of the plain lowering.
inline database::Final handMadeFinal() {
  database::Final final;
  final.numTrials = 15;
  final.kept = Kept::Tuned;
  final.winner = 12;
  final.confidence = 0.99;
  auto add = [&](std::optional<uint64_t> trial, double timeNs) {
    database::Finalist finalist;
    finalist.trial = trial;
    finalist.outcome.status = Status::Ok;
    finalist.outcome.timeNs = timeNs;
    finalist.outcome.numSamples = 8;
    finalist.roundsNs = {timeNs - 1, timeNs + 1};
    final.finalists.push_back(std::move(finalist));
  };
  add(0, 930);
  add(12, 310);
  add(std::nullopt, 1240);
  return final;
}

} // namespace baco::test

#endif // BACO_UNITTESTS_STUDYREPORT_HANDMADESTUDY_H
