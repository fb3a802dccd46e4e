//===- ScheduleState.h - State of a LoopSchedule ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules in the form [c0, l1, c1, ..., ld, cd] (Kelly and Pugh; CHiLL's
// auxiliary loops): a statement's constants c are kept apart from the values l
// of its loops, which are a function of the instance.
//
// Inside the library failures are thrown; every public function catches.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_POLYHEDRAL_SCHEDULESTATE_H
#define BACO_POLYHEDRAL_SCHEDULESTATE_H

#include "baco/Polyhedral/Context.h"
#include "baco/Polyhedral/LoopSchedule.h"

#include <isl/map.h>
#include <isl/set.h>

#include <memory>
#include <set>

namespace baco::polyhedral {

struct Failure {
  Error error;
};

[[noreturn]] void fail(ErrorCode code, std::string message);

/// Marks a loop whose values are a non-decreasing function of other loops'
/// values: of a tiled loop, the beginnings of the tiles.
struct Rounding {
  /// The function's number. The function is the same for the same `id` and the
  /// same values of the loops with the ids `given`.
  unsigned id;
  std::vector<unsigned> given;
};

/// Properties of one loop of a statement.
struct Level {
  /// Statements that share a loop have the same number here.
  unsigned id = 0;
  /// The statement has no such loop: it runs once.
  bool unused = false;
  /// The loop over the tiles, or steps, of which this loop runs one.
  std::optional<unsigned> tileId = {};
  /// Size of the steps if this runs one step of an unrolled or vector loop.
  int64_t step = 0;
  bool unroll = false;
  bool vector = false;
  bool parallel = false;
  /// Number of iterations by which data are prefetched early; 0: no prefetches.
  int64_t prefetch = 0;
  /// Has it other values in Frame::since than in Frame::untiled?
  std::optional<Rounding> rounding = {};
};

/// A statement's part in one computation of dependences.
struct Frame {
  /// The statement that this was then; several, after a split. Nothing for
  /// statements that weren't there.
  std::optional<size_t> origin;
  /// { [loops then] -> [loops at the next computation, or now] }.
  isl::map since;
  /// The same, but loops over tiles (Level::rounding) have the values that were
  /// rounded. Nothing if they aren't known.
  std::optional<isl::map> untiled;
};

/// How a statement is scheduled.
struct Entry {
  /// Instances -> values of the loops; single-valued, on exactly the domain.
  isl::map loops;
  /// One more than there are loops.
  std::vector<int64_t> constants;
  std::vector<Level> levels;
  // Dependences and references are kept in terms of the loops as they were
  // when the dependences were computed: there, in contrast to the iterators of
  // the domain, tiles need no floors.
  /// For each computation of dependences; the last is the latest.
  std::vector<Frame> frames;
  // When the latest dependences were computed, all were respected. So pairs of
  // instances that the outermost loops told apart are in order as long as
  // nothing happens to those loops.
  /// Number of outermost loops that are as they were then.
  unsigned kept = 0;
  /// `constants` then, at least up to that behind the loops kept.
  std::vector<int64_t> constantsThen;
  /// { [loops at the latest computation] -> A[x] }, for each access.
  std::vector<isl::map> byLoops;
  /// Index of the write access of a reduction, if this is one.
  std::optional<size_t> reduction;

  unsigned depth() const { return levels.size(); }
  /// Changes the loops by a function of them that leaves the `numSame`
  /// outermost ones alone.
  void apply(const isl::map &change, unsigned numSame);
  /// The same for a function that does `untiled` to the loops before they were
  /// rounded.
  void apply(const isl::map &change, const std::optional<isl::map> &untiled,
             unsigned numSame);
  isl::map &since() { return frames.back().since; }
  const isl::map &since() const { return frames.back().since; }
  /// { [loops at that computation] -> [loops now] }.
  isl::map since(size_t frame) const;
  /// { [loops now] -> A[x] }.
  isl::map reference(size_t access) const {
    return since().reverse().apply_range(byLoops[access]);
  }
  /// The same as an affine function, but for its domain, if it has that simple
  /// form.
  std::optional<isl::map> plainReference(size_t access) const;
  /// Place of the loop with this id, from 0, or none.
  std::optional<unsigned> place(unsigned id) const;
};

/// The data from which a dependence between source and sink is computed on
/// demand.
struct Conflict {
  Entry source, sink;
  /// Accesses of source and sink to one array, one of them a write.
  std::vector<std::pair<size_t, size_t>> accesses;
  /// { [loops then] -> [loops then] }, once it was needed.
  std::optional<isl::map> relation;
};

/// Instances that must run in this order.
struct Dependence {
  std::string array;
  /// The actions of source and sink: "writes", "reads".
  const char *sourceDoes, *sinkDoes;
  /// Between two updates of one reduction.
  bool reduction = false;
  size_t source = 0, sink = 0;
  /// When it was found: an index into Entry::frames.
  size_t frame = 0;
  /// Shared by all copies of the dependence.
  std::shared_ptr<Conflict> conflict;

  /// { [loops then] -> [loops then] }; see Entry. Most are never needed.
  const isl::map &relation() const;
  /// The pairs of statements, out of `group`, that it is between. Most
  /// dependences have one, in many statements.
  std::vector<std::pair<unsigned, unsigned>>
  pairs(const std::vector<Entry> &entries,
        const std::vector<unsigned> &group) const;
};

/// The dependence that a loop carries, as pairs of instances of `source` and
/// `sink`. Without `dependence`, the loop carries none.
struct Carried {
  const Dependence *dependence = nullptr;
  const Entry *source = nullptr, *sink = nullptr;
  isl::map pairs;
};

/// A buffer is filled again in each iteration of these loops.
struct Region {
  std::set<unsigned> outerIds;
};

/// Whether the access is one to the array or buffer of this name.
inline bool refersTo(const Access &access, const std::string &array) {
  return access.relation.range_tuple_id().name() == array;
}

struct Box;
struct Copy;
struct Touched;

struct LoopSchedule::State {
  /// Some accesses of each statement.
  using References = std::vector<std::vector<size_t>>;

  Program program;
  LoopScheduleOptions options;
  std::vector<ScheduledStatement> statements;
  std::vector<Entry> entries;
  std::vector<Buffer> buffers;
  std::vector<Region> regions;
  std::vector<Dependence> dependences;
  unsigned nextId = 0;

  isl::ctx ctx() const { return program.context.ctx(); }
  unsigned depth() const { return entries.empty() ? 0 : entries[0].depth(); }

  /// Fails unless the statement, and the loop of it, exist.
  void checkStatement(unsigned statement) const;
  void checkLoop(unsigned statement, unsigned loop) const;
  /// Statements that share the constants c0 ... c[loop - 1] with `statement`,
  /// and so loop `loop` (from 1), in increasing order.
  std::vector<unsigned> sharing(unsigned statement, unsigned loop) const;
  /// Do all of them share the constants up to that of `last`'s body?
  bool isPerfect(const std::vector<unsigned> &group, unsigned last) const;
  /// Gives statements that lack loops some that run once, and drops innermost
  /// loops that all statements lack.
  void normalize();
  /// Makes room: of the statements that share loop `loop` - 1 with
  /// `statement`, those whose constant there is at least `from` move up.
  void shiftConstants(unsigned statement, unsigned loop, int64_t from,
                      int64_t amount);
  /// A tuple name that no statement and no array has.
  std::string uniqueName(const std::string &stem) const;
  const Array *findArray(std::string_view name) const;
  /// A reference that can be redirected to a buffer. Fails if it doesn't exist.
  const Access &access(unsigned statement, size_t reference) const;
  /// The nests around `statement`, or all of them, whose loops 1 ... numLoops
  /// are aligned: groups of statements that share loop 1.
  std::vector<std::vector<unsigned>>
  alignNests(std::optional<unsigned> statement, unsigned numLoops);
  unsigned buffersLoop(size_t buffer) const;
  std::vector<LoopInfo> loops(unsigned statement) const;

  //===--- Commands; each file says how -----------------------------------===//
  // Arguments are in the ranges of the table; statements and loops exist.

  /// Runs a complete command.
  void run(const LoopCommand &command);
  /// Puts loop `order[p]` at place p + 1, for the outermost `order.size()`
  /// loops; of the nest around the statement, or of all. A nest that isn't
  /// perfect is aligned first.
  void permute(std::optional<unsigned> statement,
               const std::vector<unsigned> &order);
  /// Tiles `loop` by `size`; the loop over tiles comes to level `outer` <=
  /// loop, and the levels from there on move up by one. Tiles start where the
  /// loop starts, if that is constant; in a tile, where the tile starts. Size
  /// 0: one tile (the new level runs once). Size 1: the loop moves to `outer`.
  /// An imperfect nest is aligned first.
  void tile(unsigned statement, unsigned loop, int64_t size, unsigned outer);
  /// Cuts the loop into steps, which get its level; one step becomes a loop
  /// inside of all others (but of a vector loop), marked to be unrolled or as a
  /// vector. Sizes 0 and 1: nothing.
  void strip(unsigned statement, unsigned loop, int64_t size, bool vector);
  /// Cuts `loop` in two: its statements keep the instances that satisfy
  /// `condition`, e.g. "L3 >= L1 + 16": an affine condition (also `and`, `=`)
  /// on the loops L1, L2, ... and the parameters. The other instances go to new
  /// statements, one for each statement and each of the joined conditions, in
  /// that order, with a loop of their own at this level: before the old one if
  /// the first of the loops `loop`, `loop` + 1, ... in the condition has a
  /// positive factor, else after it.
  void split(unsigned statement, unsigned loop, std::string_view condition);
  /// New loops = matrix * old loops, for the outermost n loops: `matrix` is n x
  /// n or n x (n + 1), the last column being constants; n rows. It must be
  /// invertible over the rationals; the code has strides if its determinant
  /// isn't +-1. Applies to the nest around the statement, or to all; an
  /// imperfect nest is aligned first.
  void nonsingular(std::optional<unsigned> statement,
                   const std::vector<std::vector<int64_t>> &matrix);
  /// loop := sum of coefficients[l - 1] * loop l, for as many loops as there
  /// are coefficients; that of `loop` itself must not be 0. So {1, 1} on loop
  /// 2 skews it by loop 1.
  void skew(unsigned statement, unsigned loop,
            const std::vector<int64_t> &coefficients);
  /// loop := factor * loop + amount, of the statements of the group.
  void affine(const std::vector<unsigned> &group, unsigned loop, int64_t factor,
              int64_t amount);
  /// Gives each of `statements` (all, if empty), which share loop `loop`, its
  /// own loop there, in an order that dependences allow. Fails if there is
  /// none.
  void distribute(const std::vector<unsigned> &statements, unsigned loop);
  /// Makes `statements` share the loops 1 ... loop, in their textual order.
  /// Loop 0: nothing.
  void fuse(const std::vector<unsigned> &statements, unsigned loop);
  /// Makes the loops first ... last of statements that share loop `first` a
  /// perfect nest: what comes before (after) an inner loop moves into its first
  /// (last) iteration, and neighboring loops are fused.
  void align(const std::vector<unsigned> &group, unsigned first, unsigned last);
  /// Copies to a buffer the elements that the reference, and references of
  /// equal subscripts, touch within loop `loop`, that is during one iteration
  /// of the loops outside it. `order` are the array's dimensions in the buffer,
  /// slowest first; empty: as in the array, but with dimension `index`, from
  /// the fastest one, as the fastest. `width` elements are copied at a time, as
  /// a vector; with 0 nothing is done. A statement that copies in is added
  /// before the loop if some element is read there before it is written, one
  /// that copies back just after it if elements are written. Their loops are
  /// the outer ones and then one for each dimension of the buffer.
  ///
  /// With `panel` > 0, up to 4096, columns of the buffer (its fastest
  /// dimension) are cut in panels of so many, each of which is contiguous:
  /// element [r, c] is at [c / panel, r, c % panel]. Code that reads whole
  /// panels then reads contiguous memory, as in Goto and van de Geijn's
  /// packing. Rows are filled one after the other.
  ///
  /// Fails if the order up to here isn't legal, if the size isn't bounded by a
  /// constant, or if other references within the loop touch elements that the
  /// copy writes, or write elements before these are read from the copy, which
  /// has what was there at first.
  void datacopy(unsigned statement, unsigned loop, size_t reference,
                unsigned index, std::vector<unsigned> order, int64_t width,
                int64_t panel);
  /// Copies the whole array of `reference` to a buffer of its shape, which all
  /// references in `loop` of the statements there use, also those that may be
  /// to any element. Nothing if it is a buffer already. Fails if the order up
  /// to here isn't legal, or if the array has no constant shape.
  void copyWhole(unsigned statement, unsigned loop, size_t reference,
                 int64_t width);
  /// Gives each iteration of `loop` elements of its own of the array that the
  /// reference refers to, so that iterations needn't wait for each other to
  /// have done with it: references of all statements in the loop go to a buffer
  /// with one dimension more, which is its slowest one. A statement that is
  /// added behind the loop copies back what the last iterations to write have
  /// written. CHiLL's scalar expansion. Fails if the order up to here isn't
  /// legal, if an iteration may read what it hasn't written before, or if no
  /// constant bounds how much is touched.
  void expand(unsigned statement, unsigned loop, size_t reference);
  void contract(unsigned statement, unsigned loop, size_t reference);
  /// Replaces the order by that of isl's scheduler (Pluto-like: Verdoolaege,
  /// "Integer Set Coalescing / isl manual", section Scheduling): short reuse
  /// distances, skewed if need be, bands of loops that may be tiled. Before any
  /// split or data copy. `fusion` is "min" (only statements that depend on each
  /// other in a cycle), "max" (all that dependences allow) or "smart" (where no
  /// loop of a band is lost).
  void autoSchedule(std::string_view fusion);

  //===--- Copies ---------------------------------------------------------===//
  // The present loops are those of references; the first `numOuter` are outer.

  /// Makes that so, with at least `numLoops` loops. Fails if the order isn't
  /// legal; `what` says what must not be done then.
  void prepareCopy(const char *what, unsigned numLoops);
  /// The array of `reference`. Fails if it is a buffer; `change` is what can't
  /// be done with it then, as in "expanded".
  const Array &arrayOf(unsigned statement, size_t reference,
                       const char *change) const;
  /// Fails if access `a` of statement `s` may touch several elements.
  void requireOneElement(unsigned s, size_t a, const Array &array,
                         const char *change) const;
  /// Fails if an iteration of `loop` may read elements with a chosen access
  /// that no chosen access of the iteration wrote before.
  void requireWrittenFirst(const References &chosen, unsigned numOuter,
                           unsigned loop, const Array &array,
                           const char *change) const;
  /// The box around `touched`, { [outer] -> A[x] } with x in `elements`. Fails
  /// if no constant bounds it.
  Box findBox(const isl::map &touched, const isl::set &elements,
              const std::string &array, unsigned statement,
              unsigned loop) const;
  /// The elements that `chosen` accesses of a statement touch. Fails if other
  /// references in the same loop prevent copying them.
  Touched touchedBy(unsigned statement, std::span<const size_t> chosen,
                    const Copy &copy) const;
  /// Does a chosen access read elements that other accesses wrote earlier in
  /// the same outer iteration? The copy has the values from before.
  bool readsLater(unsigned statement, std::span<const size_t> chosen,
                  const Copy &copy) const;
  /// { [loops] -> [[outer] -> A[x]] } of access `a` of statement `s`.
  isl::map perOuter(unsigned s, size_t a, unsigned numOuter) const;
  /// The same for instances of `s`: what access `b` of `t` touches before them
  /// in the same outer iteration.
  isl::map writtenBefore(unsigned s, unsigned t, size_t b,
                         unsigned numOuter) const;
  /// { [outer] -> A[x] } of chosen reads that come before all chosen writes of
  /// their element in the same outer iteration; null if there are none.
  isl::map readFirst(const References &chosen, unsigned numOuter) const;
  /// Redirects references to a new buffer, which is filled in each iteration of
  /// the outer loops of `statement`.
  void useBuffer(const References &chosen, unsigned statement, const Copy &copy,
                 Buffer buffer);
  /// Adds the statement that copies `elements`, { [outer] -> A[x] }, to the
  /// last buffer before loop copy.numOuter + 1 of `statement`, or back behind
  /// it.
  void addCopy(const Copy &copy, const isl::map &elements, bool in,
               unsigned statement);

  //===--- Dependences ----------------------------------------------------===//
  /// Makes the present loops those of references and, next, dependences. The
  /// order must be legal.
  void rebase();
  /// Adds the dependences through these arrays, in terms of the present loops,
  /// which must be those of the references.
  void addDependences(const std::set<std::string> &arrays);
  bool counts(const Dependence &dependence) const {
    return !dependence.reduction || !options.reassociate;
  }
  /// reach[u][v]: does a statement of units[v] depend on one of units[u] in one
  /// iteration of the `outer` loops around both, maybe by way of others?
  std::vector<std::vector<bool>>
  reachability(const std::vector<std::vector<unsigned>> &units,
               unsigned outer) const;
  /// Indices of units that depend on each other in a cycle, in an order that
  /// dependences allow; as given where these don't care.
  std::vector<std::vector<size_t>>
  components(const std::vector<std::vector<unsigned>> &units,
             unsigned outer) const;
  void checkLegal() const;
  void checkOrder() const;
  bool isLegalForAnySize() const;
  /// A dependence that keeps iterations of `loop`, which the group shares, from
  /// running at the same time, or as lanes of vectors; of those at the same
  /// time, `sumsInParts` excepts what isScalarSum says.
  Carried findRace(const std::vector<unsigned> &group, unsigned loop,
                   bool lanes, bool sumsInParts = false) const;
  /// Is the dependence between updates of a single element, X = X op v?
  /// Parallel iterations then have elements of their own, which are combined
  /// afterwards.
  bool isScalarSum(const Dependence &dependence, const Entry &source,
                   const Entry &sink) const;
  bool canTile(unsigned statement, unsigned first, unsigned last) const;
  std::optional<Band> findBand(std::span<const unsigned> statements,
                               unsigned first, unsigned last,
                               BandGoal goal) const;
  std::vector<std::vector<unsigned>> legalOrders(unsigned statement,
                                                 unsigned loops) const;

  Program asProgram() const;
  GeneratedCode generate() const;
};

/// Fails if it isn't an integer of 64 bits.
int64_t number(const isl::val &value);
/// L1, ..., Ld.
std::vector<std::string> loopNames(unsigned depth);
/// `[L1, ..., Ld]`.
std::string tuple(unsigned depth);
/// { [L1, ..., Ld] -> [values] }; values are texts over the loops.
isl::map functionOfLoops(isl::ctx ctx, unsigned depth,
                         const std::vector<std::string> &values);
/// The values of the loops first ... last (from 1) among `depth`.
isl::map selectLoops(isl::ctx ctx, unsigned depth, unsigned first,
                     unsigned last);
/// The union; `left` may be null.
template <typename T>
T unite(const T &left, const T &right) {
  return left.is_null() ? right : left.unite(right);
}
/// The only value of a dimension, if it is plain that there is one.
std::optional<int64_t> fixedValue(const isl::set &set, unsigned dim);
/// The first `count` dimensions.
isl::set outermost(const isl::set &set, unsigned count);
/// With further dimensions, of any values, so that there are `count`.
isl::set extended(const isl::set &set, unsigned count);
/// `range_product`, flat and without a tuple name.
isl::map join(const isl::map &left, const isl::map &right);
/// The pairs, { [l] -> [l'] }, that have the same values of the `count`
/// outermost loops.
isl::map shareLoops(const isl::map &pairs, unsigned count);
/// The pairs, { [l] -> [l'] }, with l' greater than l in loop `level` (from 0),
/// or less if `sign` is negative, or equal if it is 0.
isl::map compareLoops(const isl::map &pairs, unsigned level, int sign);
/// The pairs for which those equalities hold that mention no floors; all, if
/// the map has several pieces.
isl::map equalities(const isl::map &map);
/// Adds an innermost loop that runs once.
void appendUnused(Entry &entry, unsigned &nextId);
/// { [l] -> [l'] } of pairs of dependent instances, with the loops of `source`
/// and of `sink`, which the dependence is between.
isl::map carriedBetween(const Dependence &dependence, const Entry &source,
                        const Entry &sink);
/// { [l] -> [l'] } of instances of `a` that run before instances of `b`, but
/// for the domains.
isl::map runsBefore(const Entry &a, const Entry &b);
/// { [outer loops] -> array element } of what { [loops] -> array element }
/// touches.
isl::map touched(const isl::map &reference, unsigned numOuter);
std::string tupleName(const isl::set &set);
isl::set named(const isl::set &set, const std::string &name);

} // namespace baco::polyhedral

#endif // BACO_POLYHEDRAL_SCHEDULESTATE_H
