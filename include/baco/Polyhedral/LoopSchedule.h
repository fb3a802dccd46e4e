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
#include "baco/Polyhedral/Program.h"
#include "baco/Support/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
  /// Of this loop, wherever commands move it; statements that share the loop
  /// have the same number.
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

/// The statements that the automatic scheduler fuses.
enum class Fusion {
  /// Only statements that depend on each other in a cycle.
  Min,
  /// All that dependences allow.
  Max,
  /// isl's default: where no loop of a band is lost.
  Smart,
};

struct AutoScheduleOptions {
  Fusion fusion = Fusion::Smart;
  /// Prefer an outermost loop that is parallel to one with short reuse.
  bool outerParallel = false;
};

/// What the loops of a band are to be like.
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

  LoopSchedule(const LoopSchedule &);
  LoopSchedule(LoopSchedule &&) noexcept;
  LoopSchedule &operator=(const LoopSchedule &);
  LoopSchedule &operator=(LoopSchedule &&) noexcept;
  ~LoopSchedule();

  //===--- What there is --------------------------------------------------===//

  const Program &program() const;
  /// The program's statements in their order, then those that commands made.
  const std::vector<ScheduledStatement> &statements() const;
  const std::vector<Buffer> &buffers() const;
  /// The loops around a statement, outermost first.
  Result<std::vector<LoopInfo>> loops(unsigned statement) const;
  /// Number of loops around a statement, those that run once included.
  unsigned numLoops() const;
  /// `{ S0[i, j] -> [0, i, 0, j, 0] }` and so on, for people and tests.
  std::string str() const;
  /// The program that has this order as its original one: statements with the
  /// same numbers, whose iterators are these loops; buffers are arrays. Marks
  /// on loops are lost.
  Result<Program> asProgram() const;

  //===--- Commands -------------------------------------------------------===//
  // InvalidArgument for a statement, loop or size that doesn't exist; the
  // schedule is then as it was.

  /// Puts loop `order[p]` at place p + 1, for the outermost `order.size()`
  /// loops; of one statement's outermost loop, or of all statements. A nest
  /// that isn't perfect is aligned first (see align).
  Result<void> permute(std::optional<unsigned> statement,
                       std::span<const unsigned> order);
  /// Tiles `loop` by `size`; the loop over tiles comes to level `outerLoop`
  /// <= loop, and the levels from there on move up by one. Tiles start where
  /// the loop starts, if that is constant; in a tile, where the tile starts.
  /// Size 0: one tile (the new level runs once). Size 1: the loop moves to
  /// `outerLoop`. An imperfect nest is aligned first.
  Result<void> tile(unsigned statement, unsigned loop, int64_t size,
                    unsigned outerLoop = 1);
  /// Cuts `loop` in two: its statements keep the instances that satisfy
  /// `condition`, e.g. "L3 >= L1 + 16": an affine condition (also `and`, `=`)
  /// on the loops L1, L2, ... and the parameters. The other instances go to new
  /// statements, one for each statement and each of the joined conditions, in
  /// that order, with a loop of their own at this level: before the old one if
  /// the first of the loops `loop`, `loop` + 1, ... in the condition has a
  /// positive factor, else after it.
  Result<void> split(unsigned statement, unsigned loop,
                     std::string_view condition);
  /// New loops = matrix * old loops, for the outermost n loops: `matrix` is n
  /// x n or n x (n + 1), the last column being constants; n rows. It must be
  /// invertible over the rationals; the code has strides if its determinant
  /// isn't +-1. Of one statement's outermost loop, or of all statements. An
  /// imperfect nest is aligned first.
  Result<void> nonsingular(std::optional<unsigned> statement,
                           const std::vector<std::vector<int64_t>> &matrix);
  /// loop := sum of coefficients[l - 1] * loop l, for as many loops as there
  /// are coefficients; that of `loop` itself must not be 0. So {1, 1} on loop
  /// 2 skews it by loop 1.
  Result<void> skew(unsigned statement, unsigned loop,
                    std::span<const int64_t> coefficients);
  /// loop := loop + amount, for this statement only.
  Result<void> shift(unsigned statement, unsigned loop, int64_t amount);
  /// loop := factor * loop, factor != 0.
  Result<void> scale(unsigned statement, unsigned loop, int64_t factor);
  /// Runs the loop backwards.
  Result<void> reverse(unsigned statement, unsigned loop);
  /// Gives each of `statements` (all, if empty), which share loop `loop`, its
  /// own loop there, in an order that dependences allow. An error says which
  /// two depend on each other if there is none.
  Result<void> distribute(std::span<const unsigned> statements, unsigned loop);
  /// Makes `statements` share the loops 1 ... loop, in their textual order.
  /// Loop 0: nothing.
  Result<void> fuse(std::span<const unsigned> statements, unsigned loop);
  /// Makes the nest around `statement` perfect from `loop` on: what comes
  /// before (after) an inner loop moves into its first (last) iteration, and
  /// neighboring loops are fused.
  Result<void> align(unsigned statement, unsigned loop = 1);
  /// Unroll and jam: the loop takes steps of `factor`, and the iterations of
  /// a step become a loop inside of all others (but of a vector loop), marked
  /// to be unrolled. Levels keep their numbers. Factors 0 and 1: nothing.
  Result<void> unroll(unsigned statement, unsigned loop, int64_t factor);
  /// The loop takes steps of `width`, and the iterations of a step become the
  /// innermost loop, marked as a vector. Width 0: nothing.
  Result<void> vectorize(unsigned statement, unsigned loop, int64_t width);
  /// Marks the loop as parallel; checkLegal says if it isn't.
  Result<void> parallelize(unsigned statement, unsigned loop);
  /// Marks the loop: data that innermost loops in it read are prefetched
  /// `ahead` iterations ahead, from 0 (no prefetches) to 64.
  Result<void> prefetch(unsigned statement, unsigned loop, int64_t ahead);

  /// Copies what `accesses` (indices into this statement's) touch within loop
  /// `loop`, that is during one iteration of the loops outside it, to a
  /// buffer. `order` are the array's dimensions in the buffer, slowest first;
  /// empty: as in the array. `width` elements are copied at a time, as a
  /// vector; with 0 nothing is done. A statement that copies in is added before
  /// the loop if some element is read there before it is written, one that
  /// copies back just after it if elements are written. Their loops are the
  /// outer ones and then one for each dimension of the buffer.
  ///
  /// With `panel` > 0, up to 4096, columns of the buffer (its fastest
  /// dimension) are cut in panels of so many, each of which is contiguous:
  /// element [r, c] is at [c / panel, r, c % panel]. What reads whole panels
  /// then reads on and on, as in Goto and van de Geijn's packing. Rows are
  /// filled one after the other.
  ///
  /// The program with its copies is what later commands are checked against,
  /// so the order up to here must be legal: an error if it isn't, if the
  /// size isn't bounded by a constant, or if other references within the loop
  /// touch elements that the copy writes, or write elements before these are
  /// read from the copy, which has what was there at first.
  Result<void> datacopy(unsigned statement, unsigned loop,
                        std::span<const size_t> accesses,
                        std::span<const unsigned> order = {}, int64_t width = 1,
                        int64_t panel = 0);

  /// Gives each iteration of `loop` elements of its own of the array that
  /// access number `access` refers to, so that iterations needn't wait for each
  /// other to have done with it: references of all statements in the loop go to
  /// a buffer with one dimension more, which is its slowest one. A statement
  /// that is added behind the loop copies back what the last iterations to
  /// write have written. CHiLL's scalar expansion. What datacopy says of later
  /// commands holds here, too. An error if an iteration may read what it hasn't
  /// written before, or if no constant bounds how much is touched.
  Result<void> expand(unsigned statement, unsigned loop, size_t access);

  /// Replaces the order by that of isl's scheduler (Pluto-like: Verdoolaege,
  /// "Integer Set Coalescing / isl manual", section Scheduling): short reuse
  /// distances, skewed if need be, bands of loops that may be tiled. Before
  /// any split or data copy.
  Result<void> autoSchedule(const AutoScheduleOptions &options = {});

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
  /// What the loops first ... last of `statements` may be replaced by so that
  /// all of them share it, where they share the loops outside: the outermost
  /// band of isl's scheduler. It may have fewer loops. Nothing if isl finds
  /// none, or takes too long.
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
  explicit LoopSchedule(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace baco::polyhedral

#endif // BACO_POLYHEDRAL_LOOPSCHEDULE_H
