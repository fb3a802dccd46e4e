//===- GpuAccessesTest.cpp - Counted accesses and those of the emulator ---===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The static cost counts sectors of global memory, and cycles of accesses to
// global and shared memory, for a few warps and iterations. Here the emulator
// runs all threads, and each of their accesses is counted. They must be equal,
// since all addresses follow from the numbers of threads and iterations.
//
//===----------------------------------------------------------------------===//

#include "EmulatorCode.h"
#include "LoweredGpuKernels.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <map>
#include <set>

using namespace baco;
using namespace baco::driver::test;
using namespace baco::target;
using baco::runtime::AccessKind;
using baco::runtime::EmulatedAccess;
using baco::runtime::EmulatedBuffer;
using baco::runtime::LaunchSizes;

namespace {
constexpr size_t warpThreads = 32, sector = 32, line = 128, bank = 4;

/// Memory for a buffer, aligned as cudaMalloc's.
struct Memory {
  explicit Memory(size_t bytes)
      : bytes(bytes), data(static_cast<std::byte *>(
                          std::aligned_alloc(256, (bytes + 255) / 256 * 256))) {
    std::fill_n(data, bytes, std::byte(0));
  }
  ~Memory() { std::free(data); }
  Memory(const Memory &) = delete;

  size_t bytes;
  std::byte *data;
};

/// Counts what an observer of the emulator sees.
class AccessCounter {
public:
  explicit AccessCounter(const std::vector<std::unique_ptr<Memory>> &buffers)
      : buffers(buffers), sectors(buffers.size()) {}

  /// The n-th accesses of the threads of a warp by one instruction are one
  /// access of the warp.
  void add(const EmulatedAccess &access) {
    Place place = {access.block, access.thread / warpThreads, access.place,
                   access.kind};
    size_t &seen = executed[{place, access.thread}];
    accesses[{place, seen++}].push_back(access);
  }

  void count() {
    // Copies of 16 bytes read around the L1 cache.
    std::set<unsigned> reading, copying;
    for (auto &[key, ofWarp] : accesses)
      if (key.first.kind == AccessKind::Read && findBuffer(ofWarp[0]))
        reading.insert(key.first.instruction);
    for (auto &[key, ofWarp] : accesses)
      if (key.first.kind == AccessKind::Write && !findBuffer(ofWarp[0]) &&
          reading.contains(key.first.instruction))
        copying.insert(key.first.instruction);
    // Their lines of global memory and rounds of shared memory, of which the
    // more take as long, by block and instruction.
    std::map<std::pair<uint32_t, unsigned>, std::pair<size_t, size_t>> copies;
    std::map<Place, std::set<uintptr_t>> before;
    for (auto &[key, ofWarp] : accesses) {
      // Lanes arrive in any order.
      std::ranges::sort(ofWarp, {}, &EmulatedAccess::thread);
      // Instructions have at most 16 bytes, and their alignment.
      size_t bytes = ofWarp[0].bytes;
      size_t each = std::min({size_t(16), bytes, ofWarp[0].alignment});
      std::optional<size_t> buffer = findBuffer(ofWarp[0]);
      bool isCached = key.first.kind == AccessKind::Read &&
                      !copying.contains(key.first.instruction);
      std::set<uintptr_t> all;
      for (size_t first = 0; first < bytes; first += each) {
        std::set<uintptr_t> part, lines;
        for (const EmulatedAccess &access : ofWarp) {
          auto address = reinterpret_cast<uintptr_t>(access.address) + first;
          for (uintptr_t at = address; at < address + each; ++at) {
            part.insert(at / sector);
            lines.insert(at / line);
          }
        }
        size_t taken = buffer ? lines.size() : rounds(ofWarp, first, each);
        if (copying.contains(key.first.instruction)) {
          auto &copy = copies[{key.first.block, key.first.instruction}];
          (buffer ? copy.first : copy.second) += taken;
        } else {
          cycles += taken;
        }
        if (buffer && !isCached)
          sectors[*buffer] += part.size();
        all.insert(part.begin(), part.end());
      }
      if (!buffer || !isCached)
        continue;
      std::set<uintptr_t> &known = before[key.first];
      for (uintptr_t number : all)
        sectors[*buffer] += !known.contains(number);
      known = std::move(all);
    }
    for (const auto &[place, copy] : copies)
      cycles += std::max(copy.first, copy.second);
  }

private:
  struct Place {
    uint32_t block;
    size_t warp;
    unsigned instruction;
    AccessKind kind;
    auto operator<=>(const Place &) const = default;
  };

  std::optional<size_t> findBuffer(const EmulatedAccess &access) const {
    for (size_t i = 0; i < buffers.size(); ++i)
      if (access.address >= buffers[i]->data &&
          access.address < buffers[i]->data + buffers[i]->bytes)
        return i;
    return std::nullopt;
  }

  /// The rounds in which shared memory serves a warp: in each, a bank gives one
  /// word, and 128 bytes are served at most.
  static size_t rounds(const std::vector<EmulatedAccess> &ofWarp, size_t first,
                       size_t each) {
    size_t together = warpThreads * bank / std::max(each, bank);
    size_t sum = 0;
    for (size_t begin = 0; begin < ofWarp.size(); begin += together) {
      std::map<uintptr_t, std::set<uintptr_t>> words;
      size_t end = std::min(ofWarp.size(), begin + together), most = 0;
      for (size_t i = begin; i < end; ++i) {
        auto address = reinterpret_cast<uintptr_t>(ofWarp[i].address) + first;
        for (uintptr_t at = address; at < address + each; ++at) {
          std::set<uintptr_t> &ofBank = words[at / bank % warpThreads];
          ofBank.insert(at / bank);
          most = std::max(most, ofBank.size());
        }
      }
      sum += most;
    }
    return sum;
  }

  const std::vector<std::unique_ptr<Memory>> &buffers;
  std::map<std::pair<Place, size_t>, size_t> executed;
  std::map<std::pair<Place, size_t>, std::vector<EmulatedAccess>> accesses;

public:
  /// By buffer, and of all memory.
  std::vector<size_t> sectors;
  size_t cycles = 0;
};

struct Counts {
  std::vector<double> sectors;
  double cycles = 0;
  bool operator==(const Counts &) const = default;
};

std::ostream &operator<<(std::ostream &out, const Counts &counts) {
  out << "sectors";
  for (double sectors : counts.sectors)
    out << ' ' << sectors;
  return out << ", cycles " << counts.cycles;
}
} // namespace

/// Runs a launch in the emulator. Buffers are zeros.
static Counts emulate(mlir::gpu::LaunchFuncOp launch) {
  auto binary = mlir::SymbolTable::lookupNearestSymbolFrom<mlir::gpu::BinaryOp>(
      launch, launch.getKernelModuleName());
  auto object = mlir::cast<mlir::gpu::ObjectAttr>(binary.getObjects()[0]);
  auto code =
      llvm::cantFail(EmulatorCode::create(object.getObject().getValue()));
  std::vector<std::unique_ptr<Memory>> memory;
  std::vector<void *> pointers, arguments;
  std::vector<EmulatedBuffer> buffers;
  mlir::DataLayout layout = mlir::DataLayout::closest(launch);
  for (mlir::Type type : launch.getKernelOperands().getTypes()) {
    auto memref = mlir::cast<mlir::MemRefType>(type);
    auto [strides, offset] = memref.getStridesAndOffset();
    int64_t elements = offset + 1;
    for (auto [size, stride] : llvm::zip_equal(memref.getShape(), strides))
      elements += (size - 1) * stride;
    memory.push_back(std::make_unique<Memory>(
        static_cast<size_t>(elements) *
        layout.getTypeSize(memref.getElementType()).getFixedValue()));
    pointers.push_back(memory.back()->data);
    buffers.push_back({"buffer", memory.back()->data, memory.back()->bytes});
  }
  for (void *&pointer : pointers)
    arguments.push_back(&pointer);
  auto extent = [](mlir::Value value) {
    return static_cast<unsigned>(*mlir::getConstantIntValue(value));
  };
  auto grid = launch.getGridSizeOperandValues();
  auto block = launch.getBlockSizeOperandValues();
  LaunchSizes shape = {{extent(grid.x), extent(grid.y), extent(grid.z)},
                       {extent(block.x), extent(block.y), extent(block.z)}};
  if (mlir::Value bytes = launch.getDynamicSharedMemorySize())
    shape.dynamicSharedBytes = extent(bytes);
  AccessCounter counter(memory);
  code->emulator().setObserver(
      [&](const EmulatedAccess &access) { counter.add(access); });
  if (llvm::Error error = code->launch(launch.getKernelName().getValue(), shape,
                                       arguments, buffers, {}))
    ADD_FAILURE() << llvm::toString(std::move(error));
  counter.count();
  Counts counts = {{}, static_cast<double>(counter.cycles)};
  for (size_t sectors : counter.sectors)
    counts.sectors.push_back(static_cast<double>(sectors));
  return counts;
}

/// The first size of a block, a knob: what has none isn't tuned.
static const std::string knob =
    "#baco.knob<\"B\", #baco.ordinal<[16, 64, 256, 512]>>";

/// The counts of the model and of the emulator, of all blocks of the launches
/// of
/// `@f`: the sectors of each one's buffers, and all cycles.
static std::pair<Counts, Counts> countBoth(const std::string &text,
                                           int64_t firstSize) {
  std::pair<Counts, Counts> both;
  LoweredGpuKernels kernels(text);
  auto module = kernels.lower("f", {{"B", firstSize}});
  if (!module)
    return both;
  auto cycles = costOfLaunches(
      *module, *findNvidiaGpu("sm_90"),
      [&](mlir::gpu::LaunchFuncOp launch, const LaunchCost &cost) {
        auto blocks = static_cast<double>(cost.work.blocks);
        both.first.cycles += blocks * cost.work.accessCycles;
        for (size_t i = 0; i < launch.getNumKernelOperands(); ++i)
          both.first.sectors.push_back(blocks * cost.work.buffers[i].sectors);
        EXPECT_EQ(cost.work.buffers.back().sectors, 0);
        Counts emulated = emulate(launch);
        both.second.cycles += emulated.cycles;
        llvm::append_range(both.second.sectors, emulated.sectors);
      });
  EXPECT_TRUE(static_cast<bool>(cycles));
  if (!cycles)
    ADD_FAILURE() << llvm::toString(cycles.takeError());
  return both;
}

static void expectEqual(const std::string &text, int64_t firstSize = 64) {
  auto [model, emulator] = countBoth(text, firstSize);
  EXPECT_GT(model.cycles, 0);
  EXPECT_EQ(model, emulator) << text;
}

/// A product of `type` whose first operand is K x M if `isTransposed`.
static std::string product(const std::string &type, int m, int n, int k,
                           const std::string &steps,
                           const std::string &attributes = "",
                           bool isTransposed = false) {
  auto matrix = [](int rows, int columns, const std::string &element) {
    return "memref<" + std::to_string(rows) + "x" + std::to_string(columns) +
           "x" + element + ">";
  };
  std::string a = isTransposed ? matrix(k, m, type) : matrix(m, k, type);
  std::string b = matrix(k, n, type), c = matrix(m, n, "f32");
  std::string maps =
      isTransposed
          ? "indexing_maps = [affine_map<(m, n, k) -> (k, m)>, "
            "affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]"
          : "";
  return "func.func @f(%a: " + a + ", %b: " + b + ", %c: " + c +
         ") {\n  linalg.matmul " + maps + " {" + attributes +
         "baco.recipe = #baco.recipe<[" + steps + "]>} ins(%a, %b : " + a +
         ", " + b + ") outs(%c : " + c + ")\n  return\n}\n";
}

static std::string tiles(const std::string &columns, const std::string &depth,
                         const std::string &shared) {
  return "#baco.gpu_blocks<sizes = [" + knob + ", " + columns +
         ", 0]>, #baco.tile<sizes = [0, 0, " + depth +
         "]>, #baco.gpu_shared<operands = [0, 1], " + shared +
         ", limit = 232448>, ";
}

static const std::string threads =
    "#baco.gpu_threads<sizes = [4, 4, 0]>, #baco.tile<sizes = [0, 0, 4]>, "
    "#baco.vectorize<>, #baco.hoist<>";

// Rows of a tile are 64 bytes, which threads of a warp read with conflicts but
// for the padding.
TEST(GpuAccessesTest, ProductsOfF32) {
  for (const char *shared : {"width = 4, padding = 0", "width = 4, padding = 4",
                             "width = 1, padding = 0", "width = 2, padding = 4",
                             "width = 4, padding = 4, stages = 3",
                             "width = 1, padding = 4, stages = 2"})
    expectEqual(
        product("f32", 64, 64, 64, tiles("32", "16", shared) + threads));
}

TEST(GpuAccessesTest, TransposedProducts) {
  for (const char *shared :
       {"width = 4, padding = 0", "width = 4, padding = 4, stages = 3"})
    expectEqual(product("f32", 64, 64, 64, tiles("32", "16", shared) + threads,
                        "", true));
}

TEST(GpuAccessesTest, ProductsOnTensorCores) {
  for (const char *shared : {"width = 8, padding = 0", "width = 8, padding = 8",
                             "width = 8, padding = 0, stages = 2",
                             "width = 8, padding = 8, stages = 3",
                             "width = 2, padding = 8, stages = 4"})
    for (const char *type : {"f16", "bf16"})
      expectEqual(product(type, 64, 64, 128,
                          tiles("64", "32", shared) +
                              "#baco.gpu_mma<sizes = [32, 16, 0]>"));
  for (const char *shared :
       {"width = 4, padding = 0", "width = 4, padding = 4, stages = 3"})
    expectEqual(product("f32", 64, 64, 64,
                        tiles("64", "16", shared) +
                            "#baco.gpu_mma<sizes = [32, 32, 0]>",
                        "baco.tf32, "));
}

// Four parts of the sum; another launch adds these. Each block sets its tile to
// zeros, and reads and writes it once.
TEST(GpuAccessesTest, PartsOfASum) {
  const std::string parts = "#baco.gpu_blocks<sizes = [" + knob +
                            ", 64, 0]>, #baco.gpu_split<sizes = [0, 0, 32]>, "
                            "#baco.tile<sizes = [0, 0, 16]>, "
                            "#baco.gpu_shared<operands = [0, 1], width = 4, "
                            "padding = 4, stages = 2>, ";
  const std::string text =
      product("f32", 64, 64, 128,
              parts + "#baco.gpu_threads<sizes = [8, 4, 0]>, #baco.tile<sizes "
                      "= [0, 0, 4]>, #baco.vectorize<>, #baco.hoist<>");
  expectEqual(text);
  // The operands of both launches: A, B, the parts; C, the parts.
  std::vector<double> sectors = countBoth(text, 64).first.sectors;
  constexpr double tile = 64 * 64 * 4 / 32;
  std::ranges::sort(sectors);
  EXPECT_EQ(sectors, (std::vector<double>{2 * tile, 2 * tile, 2 * tile,
                                          4 * tile, 4 * 3 * tile}));
}

// Rows of the left operand are 61 elements, which no vector divides: two
// vectors are loaded for each, and their sectors are read once.
TEST(GpuAccessesTest, UnalignedVectors) {
  for (const char *shared : {"width = 8, padding = 8", "width = 4, padding = 8",
                             "width = 2, padding = 8"})
    expectEqual(product("f16", 64, 64, 61,
                        "#baco.gpu_pad<extents = [0, 0, 64]>, " +
                            tiles("64", "64", shared) +
                            "#baco.gpu_mma<sizes = [32, 32, 0]>"));
}

// Rows begin at odd elements: every second one is copied by words, and sums
// change places in shared memory, so that a warp adds to one row at a time.
TEST(GpuAccessesTest, OddRows) {
  auto matrix = [](const std::string &element) {
    return "memref<64x64x" + element + ", strided<[67, 1]>>";
  };
  for (const std::string type : {"f16", "bf16"})
    for (const char *shared :
         {"width = 8, padding = 8, stages = 2", "width = 2, padding = 8",
          "width = 2, padding = 8, stages = 2"}) {
      std::string a = matrix(type), c = matrix("f32");
      expectEqual("func.func @f(%a: " + a + ", %b: " + a + ", %c: " + c +
                  ") {\n  linalg.matmul {baco.recipe = #baco.recipe<[" +
                  tiles("64", "32", shared) +
                  "#baco.gpu_mma<sizes = [32, 32, 0]>]>} ins(%a, %b : " + a +
                  ", " + a + ") outs(%c : " + c + ")\n  return\n}\n");
    }
}

/// The sectors of all operands of a product of f16 with two stages.
static double sectorsOfDepth(int k) {
  Counts model = countBoth(product("f16", 64, 64, k,
                                   tiles("64", "32",
                                         "width = 8, padding = 8, stages = 2") +
                                       "#baco.gpu_mma<sizes = [32, 32, 0]>"),
                           64)
                     .first;
  return model.sectors[0] + model.sectors[1];
}

// A block reads 64 rows and columns of K elements of two bytes, once.
TEST(GpuAccessesTest, SectorsOfCopiesGrowWithDepth) {
  for (int k : {64, 256, 1024})
    EXPECT_EQ(sectorsOfDepth(k), 2.0 * 64 * k * 2 / 32) << k;
}

/// The cycles of a product of f16 of 1024 with three stages.
static double cyclesOfProduct(const std::string &padding) {
  LoweredGpuKernels kernels(
      product("f16", 1024, 1024, 1024,
              tiles("64", "32", "width = 8, stages = 3, padding = " + padding) +
                  "#baco.gpu_mma<sizes = [32, 16, 0]>"));
  auto module = kernels.lower("f", {{"B", int64_t(64)}});
  return module
             ? llvm::cantFail(costOfLaunches(*module, *findNvidiaGpu("sm_90")))
             : 0;
}

// On an H200, such a product takes 50.2 us without padding, and 15.1 us with
// it.
TEST(GpuAccessesTest, ConflictsOfBanksCost) {
  double padded = cyclesOfProduct("8");
  EXPECT_GT(padded, 0);
  EXPECT_GT(cyclesOfProduct("0"), 2 * padded);
}

TEST(GpuAccessesTest, Transposition) {
  for (const char *sizes : {"[1, 1]", "[1, 4]", "[4, 1]", "[2, 2]"})
    expectEqual(
        "func.func @f(%x: memref<64x128xf32>, %y: memref<128x64xf32>) {\n"
        "linalg.transpose ins(%x : memref<64x128xf32>) outs(%y : "
        "memref<128x64xf32>) permutation = [1, 0] {baco.recipe = "
        "#baco.recipe<[#baco.gpu_blocks<sizes = [" +
            knob + ", 32]>, #baco.gpu_threads<sizes = " + sizes +
            ">]>}\nreturn\n}\n",
        16);
}

/// y = x + 1 for each element of y, where x has `stride` times as many.
static std::string elements(int stride, const std::string &steps) {
  return "func.func @f(%x: memref<" + std::to_string(4096 * stride) +
         "xf32>, %y: memref<4096xf32>) {\n"
         "linalg.generic {baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes "
         "= [" +
         knob + "]>, " + steps + "]>, indexing_maps = [affine_map<(i) -> (" +
         std::to_string(stride) +
         " * i)>, affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]} "
         "ins(%x : memref<" +
         std::to_string(4096 * stride) +
         "xf32>) outs(%y : memref<4096xf32>) {\n^bb0(%u: f32, %v: f32):\n"
         "%w = arith.addf %u, %u : f32\nlinalg.yield %w : f32\n}\nreturn\n}\n";
}

TEST(GpuAccessesTest, ElementsAndStrides) {
  for (int stride : {1, 2, 3, 16})
    for (const char *steps :
         {"#baco.gpu_threads<sizes = [1]>", "#baco.gpu_threads<sizes = [8]>"})
      expectEqual(elements(stride, steps), 256);
  expectEqual(elements(1, "#baco.gpu_threads<sizes = [8]>, #baco.vectorize<>"),
              512);
}

// Each thread walks along a row: of eight iterations, one reads new sectors.
TEST(GpuAccessesTest, SumsOfRows) {
  expectEqual("func.func @f(%x: memref<128x256xf32>, %y: memref<128xf32>) {\n"
              "linalg.generic {baco.recipe = #baco.recipe<[#baco.gpu_blocks<"
              "sizes = [" +
              knob +
              ", 0]>, #baco.gpu_threads<sizes = [1, 0]>]>, "
              "indexing_maps = [affine_map<(i, j) -> (i, j)>, "
              "affine_map<(i, j) -> (i)>], iterator_types = [\"parallel\", "
              "\"reduction\"]} ins(%x : memref<128x256xf32>) outs(%y : "
              "memref<128xf32>) {\n^bb0(%u: f32, %s: f32):\n"
              "%w = arith.addf %u, %s : f32\nlinalg.yield %w : f32\n}\n"
              "return\n}\n");
}
