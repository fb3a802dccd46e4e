//===- MeasuredGpus.cpp - The GPUs of this machine that measure -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/MeasuredGpus.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace baco;
using namespace baco::driver;
using runtime::CudaDeviceFacts;

static Error badText(llvm::StringRef text, const std::string &why) {
  return {ErrorCode::InvalidArgument, "gpus=" + text.str() + ": " + why};
}

static std::string describe(size_t number, const CudaDeviceFacts &facts) {
  return "GPU " + std::to_string(number) + " (" + facts.name + ")";
}

/// The numbers in `text`.
static Result<llvm::SmallVector<size_t>> readNumbers(size_t numGpus,
                                                     llvm::StringRef text) {
  llvm::SmallVector<size_t> numbers;
  if (text == "all") {
    numbers.resize(numGpus);
    for (size_t i = 0; i < numGpus; ++i)
      numbers[i] = i;
    return numbers;
  }
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    size_t number = 0;
    if (part.trim().getAsInteger(10, number))
      return badText(text, "give all, or numbers of GPUs with commas between, "
                           "as 0,2");
    if (number >= numGpus)
      return badText(text,
                     "there is no GPU " + std::to_string(number) +
                         "; the NVIDIA driver has " +
                         (numGpus == 1
                              ? std::string("GPU 0")
                              : "GPUs 0 to " + std::to_string(numGpus - 1)));
    if (llvm::is_contained(numbers, number))
      return badText(text, "GPU " + std::to_string(number) + " is there twice");
    numbers.push_back(number);
  }
  return numbers;
}

Result<std::vector<CudaDeviceFacts>>
driver::selectGpus(llvm::ArrayRef<CudaDeviceFacts> gpus, llvm::StringRef text) {
  auto numbers = readNumbers(gpus.size(), text);
  if (!numbers)
    return numbers.error();
  std::vector<CudaDeviceFacts> selected;
  for (size_t number : *numbers) {
    const CudaDeviceFacts &gpu = gpus[number];
    if (!gpu.isSameModel(gpus[numbers->front()]))
      return badText(text, describe(numbers->front(), gpus[numbers->front()]) +
                               " and " + describe(number, gpu) +
                               " are different models, whose times can't be "
                               "compared; choose GPUs of one model");
    selected.push_back(gpu);
  }
  return selected;
}

Result<std::vector<CudaDeviceFacts>> driver::findGpus(llvm::StringRef chip,
                                                      llvm::StringRef text) {
  std::string target = "target cuda:" + chip.str() + ": ";
  auto all = runtime::CudaDevice::list();
  if (!all)
    return Error{all.error().code, target + all.error().message +
                                       "; --target=nvvm:" + chip.str() +
                                       " --evaluator=static needs no GPU"};
  auto selected = selectGpus(*all, text);
  if (!selected)
    return selected;
  const CudaDeviceFacts &facts = selected->front();
  std::string there = "sm_" + std::to_string(facts.capabilityMajor) +
                      std::to_string(facts.capabilityMinor);
  // A suffix allows instructions that only this very chip has.
  if (chip.rtrim("af") == there)
    return selected;
  return Error{ErrorCode::Unsupported, target + "the GPU '" + facts.name +
                                           "' is an " + there +
                                           "; use --target=cuda:" + there};
}
