//===- LoopSchedule.h - Reorder the loops of a program ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loop transformations as commands on schedules, in the style of CHiLL (Chen,
// Chame and Hall, "CHiLL: A framework for composing high-level loop
// transformations", 2008; Tiwari et al., "A scalable auto-tuning framework for
// compiler optimization", IPDPS 2009, section 4). Commands rewrite; whether
// the result means the same as the program is checked against its dependences,
// exactly, and once: steps on the way may be illegal, with the exception of
// data copies (see below).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_POLYHEDRAL_LOOPSCHEDULE_H
#define BACO_POLYHEDRAL_LOOPSCHEDULE_H

#include "baco/Polyhedral/GeneratedCode.h"
#include "baco/Polyhedral/LoopCommand.h"
#include "baco/Polyhedral/Program.h"
#include "baco/Support/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace baco::polyhedral {

struct LoopScheduleOptions {
  /// May the terms of reductions be combined in another order? Then a
  /// reduction's dependences on itself don't count (but for parallel loops,
  /// where they would race).
  bool reassociate = false;
  /// Steps of isl that one call may take; more is an error (TimedOut).
  unsigned long maxOperations = 20'000'000;
};

/// A temporary array that a data copy introduced.
struct Buffer {
  std::string name;
  /// The array of the program whose elements it holds.
  std::string array;
  /// Extents, slowest-varying dimension first; each at least 1.
  std::vector<int64_t> shape;
  /// It is filled again in each iteration of the loops 1 ... loop - 1 around
  /// it: if one of those is parallel, each of its iterations needs its own
  /// buffer.
  unsigned loop = 1;
};

/// A statement of the schedule.
struct ScheduledStatement {
  enum class Kind { Original, CopyIn, CopyOut };
  Kind kind = Kind::Original;
  /// Original: index into Program::statements (several statements have the
  /// same origin after a split). Else: index into buffers().
  size_t origin = 0;
  /// Instances. A copy's dimensions are its outer loops and then the
  /// subscripts of the array.
  isl::set domain;
  /// Original: those of the program, in their order, where a data copy may
  /// have replaced the array by a buffer. A copy's: the read, then the write.
  std::vector<Access> accesses;
};

/// A loop around a statement, as commands have left it.
struct LoopInfo {
  /// The loop's number, which commands don't change; statements that share the
  /// loop have the same number.
  unsigned id = 0;
  /// The loop runs over values of this iterator of the statement (from 0), or
  /// over tiles or steps of them; nullopt if it runs once, or over a
  /// combination of iterators.
  std::optional<unsigned> iterator;
  /// The id of the loop over the tiles or steps of which this loop runs one.
  std::optional<unsigned> tiles;
  /// Whether it runs over more than one value, as far as that can be told.
  bool varies = true;
  /// Whether it runs a step of an unrolled or vector loop.
  bool isStep = false;
};

/// The property that the loops of a band should have.
enum class BandGoal {
  /// Reuse distances are short, and all loops may be tiled together (Bondhugula
  /// et al., "A Practical Automatic Polyhedral Parallelizer and Locality
  /// Optimizer", PLDI 2008).
  Tilable,
  /// The outermost loop carries as many dependences as possible, so that loops
  /// inside of it are parallel (Feautrier, "Some Efficient Solutions to the
  /// Affine Scheduling Problem, Part I", 1992).
  InnerParallel,
};

/// Loops that statements may share, as functions of those that they have.
struct Band {
  /// rows[s][m]: loop m of the band for the statement number s of the group:
  /// the coefficients of the statement's loops, and a constant.
  std::vector<std::vector<std::vector<int64_t>>> rows;
};

/// The order in which the instances of a program run, and marks on its loops.
/// A value; copies are cheap and independent.
///
/// Statements are counted from 0 and loops (levels) of a statement from 1,
/// outermost first, as in CHiLL. All statements have equally many loops; those
/// that a shallow statement lacks run once. A command on a loop of a statement
/// affects every statement that shares the loop, unless said otherwise. A
/// loop's values are those of the original iterator, also in tiles: a loop
/// over tiles has the value of the first point of a tile.
class LoopSchedule {
public:
  /// The original order. Computes the dependences. InvalidArgument if a
  /// schedule isn't of the form that Statement describes.
  static Result<LoopSchedule> create(Program program,
                                     LoopScheduleOptions options = {});

  //===--- What there is --------------------------------------------------===//

  const Program &program() const;
  /// The program's statements in their order, then those that commands made.
  const std::vector<ScheduledStatement> &statements() const;
  const std::vector<Buffer> &buffers() const;
  /// The loops around a statement, outermost first.
  Result<std::vector<LoopInfo>> loops(unsigned statement) const;
  /// Number of loops around a statement, those that run once included.
  unsigned numLoops() const;
  /// The program that has this order as its original one: statements with the
  /// same numbers, whose iterators are these loops; buffers are arrays. Marks
  /// on loops are lost.
  Result<Program> asProgram() const;

  //===--- Commands -------------------------------------------------------===//

  /// Runs a command of the table, with numbers in place of all knobs. Errors
  /// are those of `complete`; InvalidArgument for a statement, loop, reference
  /// or size that doesn't exist; and what docs/Dialect.md says of the command.
  /// The schedule is then as it was.
  ///
  /// The program with its copies is what commands behind `datacopy` and
  /// `expand` are checked against, so the order up to these must be legal.
  Result<void> apply(LoopCommand command);

  //===--- Legality -------------------------------------------------------===//

  /// Does the order respect all dependences, and do marked loops? If not, the
  /// message names one that it breaks.
  Result<void> checkLegal() const;
  /// Is it certain that checkLegal would succeed if tiles, unrolled steps and
  /// vectors had any other sizes from 2 on? Says no where something was copied
  /// to buffers. Commands other than permute, tile, unroll, vectorize and
  /// parallelize must not depend on those sizes.
  bool isLegalForAnySize() const;
  /// May the iterations of the loop run at the same time?
  Result<bool> isParallel(unsigned statement, unsigned loop) const;
  /// May the loops first ... last be tiled together (and permuted freely)?
  Result<bool> canTile(unsigned statement, unsigned first, unsigned last) const;
  /// Must some instance of `source` run before one of `sink` in the same
  /// iteration of the `outer` loops around both?
  Result<bool> depends(unsigned source, unsigned sink, unsigned outer) const;
  /// The statements in groups that depend on each other in a cycle within the
  /// `outer` loops around all, in an order that dependences allow; as given
  /// where these don't care.
  Result<std::vector<std::vector<unsigned>>>
  components(std::span<const unsigned> statements, unsigned outer) const;
  /// Finds a band that may replace the loops first ... last of `statements`,
  /// which share the loops outside, so that all of them share the band, too:
  /// the outermost band of isl's scheduler. It may have fewer loops. Nothing if
  /// isl finds none, or takes too long.
  Result<std::optional<Band>> findBand(std::span<const unsigned> statements,
                                       unsigned first, unsigned last,
                                       BandGoal goal = BandGoal::Tilable) const;
  /// All legal orders of the outermost `loops` loops around the statement, in
  /// the form that permute takes, in lexicographic order.
  Result<std::vector<std::vector<unsigned>>> legalOrders(unsigned statement,
                                                         unsigned loops) const;

  //===--- Code -----------------------------------------------------------===//

  /// Loops that run the instances in this order. Doesn't check legality.
  Result<GeneratedCode> generate() const;

private:
  struct State;
  explicit LoopSchedule(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state;
};

} // namespace baco::polyhedral

#endif // BACO_POLYHEDRAL_LOOPSCHEDULE_H
