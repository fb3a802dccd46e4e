// Tunes a kernel in OpenCL C: the space and the launch are files, as for `baco
// tune --opencl`, and each candidate is built, checked and timed on the device.
//
// usage: opencl SPACE.json KERNEL.json

#include "baco/Format/KernelTask.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Search/Techniques/OptimizerFactory.h"
#include "baco/SourceKernel/KernelEvaluator.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>

using namespace baco;

static std::string read(const char *file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

static int fail(const Error &error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return fail({ErrorCode::InvalidArgument, "opencl SPACE.json KERNEL.json"});
  Result<Space> space = readSpace(read(argv[1]));
  if (!space)
    return fail(space.error());
  Result<KernelTask> task = readKernelTask(read(argv[2]), argv[2]);
  if (!task)
    return fail(task.error());
  auto kernel = kernels::KernelEvaluator::create(*space, *task, {});
  if (!kernel)
    return fail(kernel.error());
  std::printf("device %s\n", (*kernel)->device().c_str());

  double best = std::numeric_limits<double>::infinity();
  auto optimizer = search::makeOptimizer("baco", *space, {});
  if (!optimizer)
    return fail(optimizer.error());
  for (int i = 0; i < 10; ++i) {
    auto asked = (*optimizer)->ask();
    if (!asked || !*asked)
      break;
    Result<runtime::Samples> samples =
        (*kernel)->measure((*asked)->configuration);
    if (!samples)
      return fail(samples.error());
    const Outcome &outcome = samples->outcome;
    bool works = outcome.status == Status::Ok;
    if (works)
      best = std::min(best, outcome.timeNs);
    if (!(*optimizer)->tell((*asked)->trial, {outcome.timeNs, works}))
      return 1;
  }
  std::printf("best %.0f ns\n", best);
  return best < std::numeric_limits<double>::infinity() ? 0 : 1;
}
