//===- Inputs.h - Inputs of a kernel ----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The initial contents of a kernel's arguments, seeded and bounded, and the
// place of its outputs in a block of memory.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_VERIFICATION_INPUTS_H
#define BACO_VERIFICATION_INPUTS_H

#include "baco/Support/Random.h"
#include "baco/Verification/Floats.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace baco::runtime {

/// The bytes of one argument's elements, in row-major order. For a sparse
/// argument: the coordinates of its entries, as int64_t, in lexicographic
/// order, and behind them the entries' elements.
using ArgumentData = std::vector<std::byte>;

/// The elements in the data of `argument`.
std::span<std::byte> elementsOf(const Argument &argument, ArgumentData &data);
std::span<const std::byte> elementsOf(const Argument &argument,
                                      const ArgumentData &data);

/// Which values arguments get; entries of sparse ones, those of a vector. In
/// all kinds, index arguments are in {0, ..., 3}, i1 in {0, 1}, integers for
/// which the kernel is defined in a range only in that range, and integer
/// scalars have the first of their values, or, if they have none, are in {1,
/// ..., 4}. Arguments with given elements have what their source says, in all
/// kinds.
enum class InputKind {
  /// For sums of products that are exact in any order, so that a comparison may
  /// insist on every term. Floats are multiples of 1/8 in (-1, 1), never zero:
  /// products are multiples of 1/64, whose sums f32 holds up to 2^18. If
  /// results are rounded to f16 or bf16, floats are 1/2 and -1/2. If sums have
  /// so many terms that they would be rounded all the same, just as many
  /// elements are zero as is needed (at most 31 of 32): every term is in some
  /// output. Other integers are in {-4, ..., 4}.
  Grid,
  /// The same without zeros: quotients are finite, and so are most functions
  /// with a pole at 0 or 1.
  DenseGrid,
  /// All digits of the significand, and the values that grids lack. Floats have
  /// either sign and magnitudes in [1/8, 1), but one in sixteen is zero (of
  /// either sign), as are one in sixteen rows, so that what is made of them
  /// vanishes, too; each 256th row is subnormal, at least one; and one row of
  /// each memref is about 2^12 (f16: 2^5) times as large. Only one, as a sum's
  /// tolerance grows with its largest term. (An element of a vector is a row.)
  /// Integers take all values, with a preference for the extreme ones and for
  /// powers of two, if the signature allows.
  Edge,
  /// The same without the large row and large integers: exponentials are
  /// finite.
  Moderate,
  /// The same without zeros and subnormal numbers, too.
  Rough,
  /// The same, but in square matrices of n rows the diagonal is in (1, 2), and
  /// all elements beside it are 1/n as large, or up to twice that. Solutions of
  /// arbitrary triangular systems grow exponentially (Viswanath and Trefethen,
  /// "Condition numbers of random triangular matrices", SIAM J. Matrix Anal.
  /// Appl. 19 (1998)), and roundings with them, until nothing can be compared;
  /// here solutions are as large as the right-hand sides. So are the factors of
  /// these matrices without any pivoting, and Cholesky's, which takes roots of
  /// the diagonal, has numbers. Elements of vectors are 1/n as large, too, as
  /// they may be those of a Toeplitz matrix.
  Dominant,
};

/// The contents of an output that the kernel doesn't read, before a run.
enum class Poison {
  /// NaN; large negative integers.
  NotANumber,
  /// Huge, but finite, for code that drops NaN, as a maximum may; large
  /// positive integers.
  Huge,
};

/// Whether an argument is sparse.
bool hasSparse(const Signature &signature);

/// The places of the entries of sparse arguments.
enum class EntryPlaces {
  /// The places that the source has.
  Given,
  /// Not more, at least one, for code that is wrong only at such places: the
  /// first row is empty, and so are some others, with rows in any dimension;
  /// one row and one column have entries in all that aren't, if the number
  /// allows; and there is an entry at the last place.
  Uneven,
  /// A single one, at the last place.
  Single,
};

/// Reads the files and tensors of the sources of `signature`. InvalidArgument,
/// with the argument and the file, if one can't be read, isn't what it was, or
/// has elements of another type or shape than the argument.
Result<void> loadSources(Signature &signature);

/// One entry per argument; outputs have initial contents, too, as kernels may
/// accumulate into them. The same seed gives the same bytes; the arguments are
/// independent of each other.
std::vector<ArgumentData>
generateInputs(const Signature &signature, uint64_t seed,
               InputKind kind = InputKind::Grid,
               Poison poison = Poison::NotANumber,
               EntryPlaces places = EntryPlaces::Given);

/// The coordinates of the entries of `argument`, which is sparse and loaded, in
/// lexicographic order. The same seed gives the same ones.
std::vector<int64_t> placesOf(const Argument &argument, EntryPlaces places,
                              uint64_t seed);

/// The given elements of `argument` in the inputs of `seed`. The
/// number of the argument counts, so that two of them differ. Files must be
/// loaded.
ArgumentData drawFromSource(const Argument &argument, size_t number,
                            uint64_t seed);

/// An integer near a power of two, of either sign, or below a random one: its
/// lower bits. Code that computes in a narrower type has another result for
/// most.
int64_t drawWideInteger(ElementType type, Random &random);

/// Makes all elements of `data`, those of `argument`, the integer `value`.
void setScalar(const Argument &argument, int64_t value, ArgumentData &data);

/// Moves every second float, on average, by one unit in the last place. The
/// seed determines which.
void perturb(const Signature &signature, uint64_t seed,
             std::vector<ArgumentData> &inputs);

/// How precise an output of type `type` is: as the least precise of its own
/// type and of those that the kernel rounds to.
FloatFormat resultFormat(const Signature &signature, ElementType type);

/// Whether the order of summing can decide which sums of the kernel overflow in
/// `format`: terms of about 1, each negligible compared with its largest
/// number, but not all of them together.
bool mayOverflowByOrder(const Signature &signature, const FloatFormat &format);

/// Sums of products of two floats of a Grid are multiples of `unit`, and exact
/// in any order for as long as the absolute values of their terms add up to
/// less than `bound`.
struct ExactSums {
  double unit, bound;
};
/// For an output of type `type`. The bound has some bits to spare, so that few
/// other numbers below it are multiples of the unit by chance.
ExactSums exactSums(const Signature &signature, ElementType type);

/// Replaces floats by their absolute values; integers stay.
void makeAbsolute(ElementType type, std::byte *data, size_t byteSize);
/// The same for all arguments without given elements.
void makeAbsolute(const Signature &signature,
                  std::vector<ArgumentData> &inputs);

/// The offsets of the output arguments when they are stored one after the
/// other.
class OutputLayout {
public:
  explicit OutputLayout(const Signature &signature);

  /// The byte offset of an output argument, a multiple of 64.
  size_t offset(size_t argument) const { return offsets[argument]; }
  /// Bytes of all outputs.
  size_t byteSize() const { return size; }

private:
  std::vector<size_t> offsets;
  size_t size = 0;
};

} // namespace baco::runtime

#endif // BACO_VERIFICATION_INPUTS_H
