//===- Contest.cpp - Kernels that compute the same ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs, comparison and turns.
//
//===----------------------------------------------------------------------===//

#include "Contest.h"
#include "MeasuredCpus.h"

#include "baco/Protocol/Clock.h"
#include "baco/Protocol/Samples.h"
#include "baco/Sparse/TensorSource.h"
#include "baco/Support/Random.h"
#include "baco/Verification/Verify.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>
#include <unistd.h>

using namespace baco;
using namespace baco::benchmarks;
using namespace baco::runtime;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

template <typename T>
static ArgumentData drawContents(const Argument &argument, bool isSolvable,
                                 Random random) {
  std::vector<T> values(argument.numElements());
  for (T &value : values)
    value = static_cast<T>(2 * random.uniform() - 1);
  if (isSolvable) {
    int64_t extent = argument.shape[0];
    for (int64_t i = 0; i < extent; ++i)
      for (int64_t j = 0; j < extent; ++j) {
        T &value = values[i * extent + j];
        value = i == j ? (3 + value) / 2 : value / static_cast<T>(extent);
      }
  }
  ArgumentData data(argument.byteSize());
  std::memcpy(data.data(), values.data(), data.size());
  return data;
}

static std::vector<ArgumentData> drawInputs(const Case &target,
                                            const Signature &signature) {
  constexpr uint64_t seed = 1;
  std::vector<ArgumentData> inputs;
  for (const Argument &argument : signature.arguments) {
    bool isSolvable = inputs.empty() && target.contents == Contents::Solvable;
    Random random(seed, inputs.size());
    inputs.push_back(argument.type == ElementType::F32
                         ? drawContents<float>(argument, isSolvable, random)
                         : drawContents<double>(argument, isSolvable, random));
  }
  return inputs;
}

llvm::Expected<std::unique_ptr<Contest>> Contest::create(const Case &target,
                                                         Signature signature) {
  ElementType wanted = target.isSingle ? ElementType::F32 : ElementType::F64;
  for (const Argument &argument : signature.arguments)
    if (!argument.isMemRef || argument.type != wanted)
      return llvm::createStringError("the operands of '" + target.payload +
                                     "' are not all memrefs of one type");
  if (target.threads > 1)
    if (llvm::Error error = startThreads(target.threads))
      return error;
  std::unique_ptr<Contest> contest(new Contest(target, std::move(signature)));
  if (llvm::Error error = contest->readSparse())
    return error;
  contest->inputs = drawInputs(target, contest->signature);
  // Programs get ordinary pages.
  contest->operands = Operands::create(contest->signature, contest->inputs,
                                       /*staggers=*/{},
                                       /*usesHugePages=*/false);
  if (!contest->operands)
    return llvm::createStringError("there is not enough memory");
  return contest;
}

//===----------------------------------------------------------------------===//
// The sparse operand
//===----------------------------------------------------------------------===//

/// The first `rank` dimensions of `tensor`, with values in [-1, 1): those of
/// files may all be 1.
static llvm::Expected<sparse::CoordinateTensor>
rebuild(const sparse::CoordinateTensor &tensor, size_t rank) {
  std::vector<int64_t> extents(tensor.extents().begin(),
                               tensor.extents().begin() + rank);
  auto builder = sparse::TensorBuilder::create(std::move(extents));
  if (!builder)
    return llvm::createStringError(builder.error().message);
  constexpr uint64_t seed = 1, stream = 1000;
  Random random(seed, stream);
  for (size_t entry = 0; entry < tensor.numEntries(); ++entry)
    builder->add(tensor.coordinates(entry).first(rank),
                 2 * random.uniform() - 1);
  return std::move(*builder).finish();
}

llvm::Error Contest::readSparse() {
  std::vector<Argument> &arguments = signature.arguments;
  if (target.tensor.empty())
    return llvm::Error::success();
  if (arguments.empty() || !arguments.front().isSparse)
    return llvm::createStringError("the first operand of '" + target.payload +
                                   "' is not sparse");
  auto read = sparse::readTensor(target.tensor);
  if (!read)
    return llvm::createStringError(read.error().message);
  arguments.erase(arguments.begin());
  auto forC = rebuild(*read, target.storage.size());
  if (!forC)
    return forC.takeError();
  tensor = std::move(*forC);
  if (read->rank() == target.storage.size())
    return llvm::Error::success();
  auto forPayload = rebuild(*read, read->rank());
  if (!forPayload)
    return forPayload.takeError();
  tensorOfPayload = std::move(*forPayload);
  return llvm::Error::success();
}

void **Contest::keep(std::vector<void *> pointers) {
  kept.push_back(std::make_unique<std::vector<void *>>(std::move(pointers)));
  return kept.back()->data();
}

llvm::Expected<PackedBuffers *>
Contest::pack(const sparse::CoordinateTensor &entries,
              const sparse::StorageFormat &format) {
  // Kernels that read the same format read the same memory: pages and places
  // in caches make a difference of a few percent.
  for (const Packed &each : packed)
    if (each.entries == &entries && each.format == format)
      return each.buffers.get();
  auto made = PackedBuffers::create(entries, format, target.isSingle);
  if (!made)
    return made.takeError();
  packed.push_back({&entries, format, std::move(*made)});
  return packed.back().buffers.get();
}

llvm::Expected<void **> Contest::operandsOfC() {
  if (ofC)
    return ofC;
  std::vector<void *> pointers;
  if (tensor) {
    sparse::StorageFormat format;
    format.positionWidth = format.coordinateWidth = 32;
    for (auto [d, letter] : llvm::enumerate(target.storage))
      format.levels.push_back({letter == 'd' ? sparse::LevelKind::Dense
                                             : sparse::LevelKind::Compressed,
                               d});
    auto buffers = pack(*tensor, format);
    if (!buffers)
      return buffers.takeError();
    pointers = (*buffers)->data();
  }
  for (size_t i = 0; i < signature.arguments.size(); ++i)
    pointers.push_back(static_cast<void **>(operands->pointers()[i])[1]);
  return ofC = keep(std::move(pointers));
}

llvm::Expected<void **> Contest::operandsOf(const CompiledKernel &kernel) {
  std::vector<void *> pointers;
  if (tensor) {
    if (kernel.formats.size() != 1)
      return llvm::createStringError("the kernel takes no sparse operand");
    auto buffers = pack(tensorOfPayload ? *tensorOfPayload : *tensor,
                        kernel.formats.front());
    if (!buffers)
      return buffers.takeError();
    pointers = (*buffers)->descriptors();
  }
  for (size_t i = 0; i < signature.arguments.size(); ++i)
    pointers.push_back(operands->pointers()[i]);
  return keep(std::move(pointers));
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// The first element that is off by more than roundings explain, by the size of
/// the largest one: sums of random numbers cancel.
template <typename T>
static std::optional<std::string> compareValues(const std::byte *expectedBytes,
                                                const std::byte *gotBytes,
                                                int64_t count, double factor) {
  auto *expected = reinterpret_cast<const T *>(expectedBytes);
  auto *got = reinterpret_cast<const T *>(gotBytes);
  double largest = 0;
  for (int64_t i = 0; i < count; ++i)
    largest = std::max<double>(largest, std::abs(expected[i]));
  double tolerance = factor * std::numeric_limits<T>::epsilon() * largest;
  for (int64_t i = 0; i < count; ++i)
    // A NaN is not within the tolerance, either.
    if (!(std::abs(double(got[i]) - double(expected[i])) <= tolerance))
      return llvm::formatv("element {0} is {1}, not {2} (tolerance {3:e1})", i,
                           got[i], expected[i], tolerance)
          .str();
  return std::nullopt;
}

static std::vector<std::byte> takeOutputs(const Signature &signature,
                                          const Operands &operands) {
  std::vector<std::byte> outputs(OutputLayout(signature).byteSize());
  operands.copyOutputs(outputs.data());
  return outputs;
}

void Contest::setReference(const std::function<void()> &kernel) {
  operands->fill(/*absolute=*/false);
  kernel();
  expected = takeOutputs(signature, *operands);
}

std::optional<std::string>
Contest::findDifference(const std::function<void()> &kernel, double &timeNs) {
  operands->fill(/*absolute=*/false);
  timeNs = timeOnce(kernel, 1);
  if (int damaged = operands->firstDamaged(); damaged >= 0)
    return llvm::formatv("writes outside argument {0}", damaged).str();
  if (int changed = operands->firstChanged(); changed >= 0)
    return llvm::formatv("writes to argument {0}", changed).str();
  std::vector<std::byte> got = takeOutputs(signature, *operands);
  OutputLayout layout(signature);
  // Time steps count as terms, but their errors don't grow.
  constexpr int64_t longest = 10000;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (!argument.isOutput)
      continue;
    double factor =
        toleranceFactor(std::min(signature.reductionLength, longest),
                        resultFormat(signature, argument.type));
    auto compare = argument.type == ElementType::F32 ? compareValues<float>
                                                     : compareValues<double>;
    size_t offset = layout.offset(i);
    if (auto difference = compare(expected.data() + offset, got.data() + offset,
                                  argument.numElements(), factor))
      return llvm::formatv("argument {0}: {1}", i, *difference).str();
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

double Contest::timeOnce(const std::function<void()> &kernel,
                         int64_t executions) {
  if (target.isInPlace)
    operands->restoreOutputs();
  auto clock = target.threads > 1 ? nowNs : threadCpuNs;
  int64_t start = clock();
  for (int64_t i = 0; i < executions; ++i)
    kernel();
  return std::max<double>(1, clock() - start) / executions;
}

/// Idle threads of libraries look for work for a while, which takes a CPU from
/// whoever is next: waits until they sleep, then wakes those of `kernel`.
static void settleThreads(const std::function<void()> &kernel) {
  constexpr useconds_t calmUs = 50000;
  usleep(calmUs);
  kernel();
}

std::vector<Times>
Contest::takeTurns(const std::vector<std::function<void()>> &kernels,
                   std::vector<double> estimates, double seconds) {
  // Clocks, interruptions and what others left in caches and branch predictors
  // don't matter to a sample of that length.
  constexpr double sampleNs = 10e6;
  // So much slower than the first, and for so long, that one time is enough;
  // and so long that it is a mean of everything that can happen.
  constexpr double farSlower = 10, longNs = 100e6, veryLongNs = 3e9;
  // Fewer than six give no interval for the median of ratios.
  constexpr int minRounds = 7, maxRounds = 201;

  size_t count = kernels.size();
  std::vector<Times> times(count);
  std::vector<int64_t> executions(count, 1);
  for (size_t i = 0; i < count; ++i) {
    if (estimates[i] == 0)
      estimates[i] = timeOnce(kernels[i], 1);
    // That was a cold one.
    if (estimates[i] < longNs)
      estimates[i] = timeOnce(kernels[i], 1);
  }
  double roundNs = 0;
  for (size_t i = 0; i < count; ++i) {
    if (estimates[i] > veryLongNs ||
        (estimates[i] > longNs && estimates[i] > farSlower * estimates[0])) {
      times[i] = {estimates[i]};
      continue;
    }
    if (!target.isInPlace)
      executions[i] = std::ceil(std::max(1.0, sampleNs / estimates[i]));
    roundNs += executions[i] * estimates[i];
  }
  int rounds = std::clamp<double>(seconds * 1e9 / std::max(roundNs, 1.0),
                                  minRounds, maxRounds);
  std::vector<size_t> regulars;
  for (size_t i = 0; i < count; ++i)
    if (times[i].empty())
      regulars.push_back(i);
  for (int round = 0; round < rounds; ++round)
    for (size_t turn = 0; turn < regulars.size(); ++turn) {
      // Everybody follows upon everybody else.
      size_t step = round % 2 ? regulars.size() - 1 - turn : turn;
      size_t i = regulars[(step + round / 2) % regulars.size()];
      if (target.threads > 1)
        settleThreads(kernels[i]);
      times[i].push_back(timeOnce(kernels[i], executions[i]));
    }
  return times;
}

llvm::Expected<std::vector<Times>>
Contest::measure(const std::vector<std::function<void()>> &kernels,
                 std::vector<double> estimates, const ContestOptions &options) {
  operands->fill(/*absolute=*/false);
  auto cpus = MeasuredCpus::take(target.threads > 1 ? -1 : options.cpu);
  if (!cpus)
    return cpus.takeError();
  return takeTurns(kernels, std::move(estimates), options.seconds);
}

Ratio baco::benchmarks::compareTimes(const Times &ours, const Times &theirs) {
  if (ours.size() != theirs.size() || ours.size() < 2) {
    double ratio = median(theirs) / median(ours);
    return {ratio, ratio, ratio, ratio, ratio};
  }
  std::vector<double> ratios;
  for (size_t i = 0; i < ours.size(); ++i)
    ratios.push_back(theirs[i] / ours[i]);
  constexpr double confidence = 0.95;
  double middle = median(ratios);
  Interval interval = medianInterval(ratios, confidence);
  if (!std::isfinite(interval.high))
    interval = {middle, middle};
  return {middle, quantile(ratios, 0.25), quantile(ratios, 0.75), interval.high,
          interval.low};
}
