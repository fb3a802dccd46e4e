//===- Operands.h - A kernel's arguments in memory --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The placement of a candidate's arguments while it runs: on huge pages,
// between guard pages, at offsets that don't alias in the caches; and the
// descriptors that the kernel is called with.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_VERIFICATION_OPERANDS_H
#define BACO_VERIFICATION_OPERANDS_H

#include "baco/Verification/Inputs.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace baco::runtime {

/// The initial contents of each argument.
using InputViews = std::vector<std::span<const std::byte>>;

/// Puts the whole huge pages (2 MiB) of private, anonymous memory that holds
/// zeros on such, if the system grants these. The memory stays zero.
void useHugePages(std::span<std::byte> zeros);

/// Memory for one argument.
///
/// The mapping is a multiple of 2 MiB, aligned to that, so that it can consist
/// of huge pages (with small ones, the physical places that a process happens
/// to get bias its times by some 5 %), with an inaccessible page on either
/// side. The data lie at its end or at its beginning. The rest, up to the guard
/// pages, holds a pattern, of a page at most on either side, that a write
/// outside destroys, and that a read outside cannot miss.
class GuardedBuffer {
public:
  /// Nullopt if the system has no memory. The data begin at `stagger` modulo
  /// `modulus`, a power of two from 4096 to 2^21. `pattern` is repeated, least
  /// significant byte first; see patternOf.
  static std::optional<GuardedBuffer> create(size_t byteSize, size_t stagger,
                                             uint64_t pattern,
                                             size_t modulus = 4096,
                                             bool usesHugePages = true);

  GuardedBuffer(GuardedBuffer &&other) noexcept;
  GuardedBuffer &operator=(GuardedBuffer &&) = delete;
  ~GuardedBuffer();

  enum class End { Front, Back };
  /// Moves the data, which are not more than at first, to another place in the
  /// same pages, as near to that end as `stagger` allows; what they were is
  /// lost.
  void place(size_t stagger, size_t byteSize, End end = End::Back);
  std::byte *data() const { return begin; }
  /// The pages that may be accessed.
  std::span<std::byte> pages() const { return {start, innerBytes}; }
  /// Whether the bytes around the data are unchanged.
  bool isIntact() const;

private:
  GuardedBuffer() = default;

  /// The whole mapping, guard pages included.
  std::byte *mapping = nullptr;
  size_t mappedBytes = 0;
  /// The accessible part.
  std::byte *start = nullptr;
  size_t innerBytes = 0;
  size_t byteSize = 0, modulus = 0;
  std::byte *begin = nullptr;
  uint64_t pattern = 0;
  /// Pattern before and behind the data.
  std::array<std::byte *, 2> patterns{};
  std::array<size_t, 2> patternBytes{};
};

/// The bytes around an argument, eight at a time. For floats a NaN, so that it
/// shows in whatever is computed from it; a signalling one, as quiet ones stay
/// the same when something is added to them in place. For integers one that is
/// no plausible value.
uint64_t patternOf(ElementType type);

/// At which addresses arguments begin, all others being as likely as these.
enum class Addresses {
  /// Odd multiples of 64, other ones for each of sixteen arguments: operands
  /// that begin at the same offset within a page alias in the store buffer,
  /// which costs some kernels 20 %.
  Timed,
  /// Multiples of 4096, right behind an inaccessible page.
  Pages,
  /// They end right before an inaccessible page, as far as their alignment
  /// allows.
  Ends,
  /// With exactly the alignment that the kernel may assume, so that code that
  /// assumes more crashes.
  Least,
  /// Odd multiples of 128, 256, 512, 1024 or 2048.
  Powers,
};

/// All arguments of one call. Does not allocate once it is made: the kernel may
/// have destroyed the heap.
class Operands {
public:
  /// Null if the system has no memory. All references must stay valid.
  /// `staggers` as in Placement; `owners` are the numbers by which the
  /// arguments are named, if not their own. Inputs are set before they are
  /// filled, here or by `use`.
  static std::unique_ptr<Operands> create(const Signature &signature,
                                          InputViews inputs,
                                          std::span<const size_t> staggers = {},
                                          std::span<const size_t> owners = {},
                                          bool usesHugePages = true);
  static std::unique_ptr<Operands>
  create(const Signature &signature, const std::vector<ArgumentData> &inputs,
         std::span<const size_t> staggers = {}, bool usesHugePages = true);

  /// Sets the inputs and the addresses of the arguments, whose contents are
  /// undefined until they are filled. Not while they are protected. Memrefs of
  /// rank 1 may have fewer elements in `current` than the signature had that
  /// the operands were made for; else it is the same one.
  void use(const Signature &current, const InputViews &others,
           Addresses addresses);
  void use(const std::vector<ArgumentData> &others, Addresses addresses);
  /// Puts the inputs (their absolute values if `absolute`) into all arguments.
  void fill(bool absolute);
  /// Restores the inputs of the arguments that the kernel may write.
  void restoreOutputs();
  /// Makes the memory that the kernel may not write read-only, or writable
  /// again. In a confined process, only after these pages were admitted.
  void protect(bool isReadOnly);
  /// The pages that may be protected.
  std::vector<std::span<std::byte>> protectable() const;
  /// Prepares for an execution that must not find everything as the one before
  /// has left it: gives one element of each of the first three arguments that
  /// are only read and have no source another value, floats half of their own,
  /// integers that of another one, if the signature allows. An element of each
  /// of the first three outputs whose contents nobody reads is as it was at
  /// first. From one time to the next these are others, at sixteen places.
  /// Takes nanoseconds. The same after each `fill`.
  void vary();
  /// The inputs that vary() changes have their values again.
  void settle();
  /// The elements that the last vary() has changed.
  std::vector<std::span<std::byte>> variedElements() const;
  /// How many arguments vary() changes.
  size_t numVaried() const { return varied.size(); }
  /// Takes all arguments, and `others`, out of all caches.
  void flush(std::span<std::byte> others = {});
  /// Copies the outputs to `block`, in their OutputLayout.
  void copyOutputs(std::byte *block) const;
  /// The first argument with changed bytes around it, by its owner; -1 if there
  /// is none.
  int firstDamaged() const;
  /// The first argument that the kernel may only read and that does not hold
  /// its input any more, by its owner; -1 if there is none. Not after
  /// `fill(true)`.
  int firstChanged() const;
  /// Finds the argument whose guard pages or protected pages contain `address`,
  /// and whether the address is in the argument itself. Safe in signal
  /// handlers.
  struct Place {
    int argument;
    bool isInside;
  };
  std::optional<Place> placeOf(const void *address) const;
  /// Whether the outputs are those in `block`, bit by bit.
  bool holdOutputs(const std::byte *block) const;
  /// How many floats of the outputs are subnormal, infinite or NaN.
  int64_t countAbnormal() const;

  /// The arguments that the kernel may write.
  std::vector<std::span<std::byte>> writable() const;

  /// For CompiledKernel::entry.
  void **pointers() { return arguments.data(); }

  /// The memory that the arguments take.
  static size_t usedBytes(const Signature &signature);
  /// The address space that the arguments take.
  static size_t mappedBytes(const Signature &signature);

private:
  Operands(const Signature &signature, InputViews inputs,
           std::span<const size_t> owners);
  bool allocate(std::span<const size_t> staggers, bool usesHugePages);
  void place(Addresses addresses);
  int ownerOf(size_t argument) const {
    return static_cast<int>(owners.empty() ? argument : owners[argument]);
  }
  void chooseVaried();

  /// A power of two, as it divides while the kernel is timed.
  static constexpr size_t numPlaces = 16;
  /// An argument that differs between executions in one element.
  struct Varied {
    /// An element with its bits, as they are in the inputs and otherwise.
    struct Place {
      std::byte *at;
      uint64_t bits, other;
    };
    std::array<Place, numPlaces> places;
    int size;
    /// The bits of `other` that change when all places have been used.
    uint64_t mask;
    /// An output, which the kernel writes itself.
    bool isOutput;
  };
  std::optional<Varied> varyArgument(size_t argument) const;

  /// The current one.
  const Signature *signature;
  InputViews inputs;
  std::vector<size_t> owners;
  OutputLayout layout;
  std::vector<GuardedBuffer> buffers;
  /// Memref descriptors as words: allocated, aligned, offset, sizes, strides.
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<void *> arguments;
  /// The offset in a page at which each argument begins while it is timed.
  std::vector<size_t> timedStaggers;
  std::vector<Varied> varied;
  uint64_t variation = 0;
};

} // namespace baco::runtime

#endif // BACO_VERIFICATION_OPERANDS_H
