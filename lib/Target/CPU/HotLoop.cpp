//===- HotLoop.cpp - The hottest loop of object code ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/MachineCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;
using namespace baco;

namespace {
struct Decoded {
  uint64_t address = 0;
  MCInst code;
  /// Of a direct branch.
  std::optional<uint64_t> target = std::nullopt;
  bool isArithmetic = false;
};

/// Instructions from `begin` to the branch before `end`.
struct CodeLoop {
  size_t begin, end;
  size_t depth = 0;
  bool isArithmetic = false;
  /// The same of its instructions that aren't in an inner loop; and how often
  /// one of these was the next to be executed.
  bool computes = false;
  size_t numSamples = 0;

  bool contains(const CodeLoop &other) const {
    return begin <= other.begin && other.end <= end;
  }
};

/// LLVM's tools for the machine code of one kind of CPU.
class Disassembler {
public:
  static Expected<Disassembler> create(const object::ObjectFile &file);

  /// The instructions of the code of a section; bytes that are none are passed
  /// over.
  std::vector<Decoded> read(ArrayRef<uint8_t> bytes) const;
  std::string print(const std::vector<Decoded> &code,
                    const CodeLoop &loop) const;

private:
  bool isArithmetic(const MCInst &code) const;

  std::unique_ptr<MCRegisterInfo> registers;
  std::unique_ptr<MCAsmInfo> syntax;
  std::unique_ptr<MCSubtargetInfo> features;
  std::unique_ptr<MCInstrInfo> instructions;
  std::unique_ptr<MCInstrAnalysis> analysis;
  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCDisassembler> reader;
  std::unique_ptr<MCInstPrinter> printer;
};
} // namespace

Expected<Disassembler> Disassembler::create(const object::ObjectFile &file) {
  // Workers compile for the CPU that they run on.
  auto host = baco::target::describeHost();
  if (!host)
    return host.takeError();
  static const bool isReady = !InitializeNativeTargetDisassembler();
  Triple triple = file.makeTriple();
  std::string error;
  const llvm::Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!isReady || !target)
    return createStringError("no disassembler for this machine: " + error);
  Disassembler made;
  made.registers.reset(target->createMCRegInfo(triple));
  made.syntax.reset(
      target->createMCAsmInfo(*made.registers, triple, MCTargetOptions()));
  made.features.reset(target->createMCSubtargetInfo(
      triple, host->getCPU(), host->getFeatures().getString()));
  made.instructions.reset(target->createMCInstrInfo());
  if (!made.registers || !made.syntax || !made.features || !made.instructions)
    return createStringError("no disassembler for " + triple.str());
  made.analysis.reset(target->createMCInstrAnalysis(made.instructions.get()));
  made.context = std::make_unique<MCContext>(
      triple, made.syntax.get(), made.registers.get(), made.features.get());
  made.reader.reset(
      target->createMCDisassembler(*made.features, *made.context));
  made.printer.reset(target->createMCInstPrinter(
      triple, made.syntax->getAssemblerDialect(), *made.syntax,
      *made.instructions, *made.registers));
  if (!made.analysis || !made.reader || !made.printer)
    return createStringError("no disassembler for " + triple.str());
  made.printer->setPrintImmHex(true);
  return made;
}

/// LLVM's names of instructions say what they do, such as VFMADD231PSZr and
/// FMLAv4f32; a description doesn't.
bool Disassembler::isArithmetic(const MCInst &code) const {
  StringRef name = instructions->getName(code.getOpcode());
  bool isFloatOrVector = name.starts_with("V") || name.starts_with("F") ||
                         (name.contains("SS") || name.contains("SD") ||
                          name.contains("PS") || name.contains("PD")) ||
                         name.starts_with("P");
  return isFloatOrVector &&
         llvm::any_of(ArrayRef<StringRef>{"MUL", "ADD", "SUB", "FML", "FMSUB",
                                          "DP", "DIV", "SQRT", "MAX", "MIN"},
                      [&](StringRef part) { return name.contains(part); });
}

std::vector<Decoded> Disassembler::read(ArrayRef<uint8_t> bytes) const {
  std::vector<Decoded> code;
  for (uint64_t at = 0; at < bytes.size();) {
    Decoded next{at, {}};
    uint64_t size = 0;
    if (reader->getInstruction(next.code, size, bytes.slice(at), at, nulls()) ==
        MCDisassembler::Fail) {
      // Constants may lie between functions.
      at += std::max<uint64_t>(size, 1);
      continue;
    }
    uint64_t target = 0;
    if (analysis->isBranch(next.code) &&
        analysis->evaluateBranch(next.code, at, size, target))
      next.target = target;
    next.isArithmetic = isArithmetic(next.code);
    code.push_back(std::move(next));
    at += size;
  }
  return code;
}

/// The loops of the code, each with how many others it lies in. `starts`: the
/// addresses of functions, in their order.
static std::vector<CodeLoop> findLoops(const std::vector<Decoded> &code,
                                       ArrayRef<uint64_t> starts) {
  std::vector<CodeLoop> loops;
  for (auto [i, branch] : enumerate(code)) {
    if (!branch.target || *branch.target > branch.address)
      continue;
    // A call of a function in front, as the last thing that another one does.
    if (upper_bound(starts, *branch.target) !=
        upper_bound(starts, branch.address))
      continue;
    auto begin = partition_point(code, [&](const Decoded &other) {
      return other.address < *branch.target;
    });
    // Branches come in the order of their addresses, so that the last one is
    // the loop's end.
    auto known = find_if(loops, [&](const CodeLoop &loop) {
      return loop.begin == size_t(begin - code.begin());
    });
    if (known != loops.end())
      known->end = i + 1;
    else
      loops.push_back({size_t(begin - code.begin()), i + 1});
  }
  // Loops in machine code can overlap without one lying in the other; only
  // what lies in another one counts as deeper.
  for (CodeLoop &loop : loops) {
    loop.depth = count_if(
        loops, [&](const CodeLoop &other) { return other.contains(loop); });
    loop.isArithmetic =
        any_of(ArrayRef(code).slice(loop.begin, loop.end - loop.begin),
               [](const Decoded &one) { return one.isArithmetic; });
  }
  return loops;
}

/// The innermost loop with an instruction; null if there is none.
static CodeLoop *innermostAt(MutableArrayRef<CodeLoop> loops,
                             size_t instruction) {
  CodeLoop *found = nullptr;
  for (CodeLoop &loop : loops)
    if (loop.begin <= instruction && instruction < loop.end &&
        (!found || loop.depth > found->depth))
      found = &loop;
  return found;
}

namespace {
/// Counts samples by the loops that they are in.
class SampleCounter {
public:
  /// `loops` and `outside`, which stands for what is in none of them, get their
  /// counts.
  SampleCounter(const std::vector<Decoded> &code,
                MutableArrayRef<CodeLoop> loops, CodeLoop &outside)
      : code(code), loops(loops), outside(outside) {
    // Inner loops don't count: the code around them stores results, or packs
    // what they will read.
    for (auto [i, one] : enumerate(code))
      if (one.isArithmetic)
        regionOf(i).computes = true;
  }

  void add(uint64_t address) {
    // An interrupt comes between instructions, but constants, which were passed
    // over, may lie between functions.
    auto behind = partition_point(
        code, [&](const Decoded &one) { return one.address <= address; });
    if (behind != code.begin())
      ++regionOf(behind - code.begin() - 1).numSamples;
  }

private:
  CodeLoop &regionOf(size_t instruction) {
    CodeLoop *loop = innermostAt(loops, instruction);
    return loop ? *loop : outside;
  }

  const std::vector<Decoded> &code;
  MutableArrayRef<CodeLoop> loops;
  CodeLoop &outside;
};
} // namespace

std::string Disassembler::print(const std::vector<Decoded> &code,
                                const CodeLoop &loop) const {
  constexpr size_t maxLines = 200;
  std::string text;
  raw_string_ostream stream(text);
  for (size_t i = loop.begin; i < loop.end; ++i) {
    if (i - loop.begin == maxLines) {
      stream << "... " << loop.end - i << " more\n";
      break;
    }
    std::string line;
    raw_string_ostream lineStream(line);
    printer->printInst(&code[i].code, code[i].address, "", *features,
                       lineStream);
    std::replace(line.begin(), line.end(), '\t', ' ');
    // Printers disagree on what a distance counts from.
    if (code[i].target)
      line.replace(line.rfind(' ') + 1, std::string::npos,
                   formatv("{0:x-4}", *code[i].target));
    stream << formatv("{0:x-4}: ", code[i].address) << StringRef(line).trim()
           << "\n";
  }
  return text;
}

namespace {
/// The addresses of functions in a section.
struct Functions {
  /// In their order.
  std::vector<uint64_t> starts;
  std::optional<uint64_t> entry;
};
} // namespace

static Expected<Functions> findFunctions(const object::ObjectFile &file,
                                         const object::SectionRef &section,
                                         StringRef entryName) {
  Functions found;
  for (const object::SymbolRef &symbol : file.symbols()) {
    Expected<object::SymbolRef::Type> type = symbol.getType();
    if (!type)
      return type.takeError();
    if (*type != object::SymbolRef::ST_Function ||
        !section.containsSymbol(symbol))
      continue;
    Expected<uint64_t> address = symbol.getValue();
    if (!address)
      return address.takeError();
    found.starts.push_back(*address);
    Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    if (*name == entryName)
      found.entry = *address;
  }
  sort(found.starts);
  return found;
}

Expected<runtime::CodeListing>
baco::target::listHotLoop(StringRef code, ArrayRef<int64_t> places) {
  auto [entryName, fileContents] = code.split('\0');
  // A copy, because the file begins at an even address there.
  auto bytes = MemoryBuffer::getMemBufferCopy(fileContents);
  auto file = object::ObjectFile::createObjectFile(bytes->getMemBufferRef());
  if (!file)
    return file.takeError();
  Expected<Disassembler> disassembler = Disassembler::create(**file);
  if (!disassembler)
    return disassembler.takeError();
  runtime::CodeListing listing;
  std::tuple<size_t, bool, size_t, size_t> highest = {};
  size_t computing = 0, moving = 0;
  for (const object::SectionRef &section : (*file)->sections()) {
    if (!section.isText())
      continue;
    Expected<StringRef> contents = section.getContents();
    if (!contents)
      return contents.takeError();
    std::vector<Decoded> decoded =
        disassembler->read(arrayRefFromStringRef(*contents));
    Expected<Functions> functions = findFunctions(**file, section, entryName);
    if (!functions)
      return functions.takeError();
    std::vector<CodeLoop> loops = findLoops(decoded, functions->starts);
    CodeLoop outside{0, decoded.size()};
    SampleCounter counter(decoded, loops, outside);
    // The addresses of other sections, once loaded, aren't known.
    if (functions->entry)
      for (int64_t place : places)
        if (uint64_t address = *functions->entry + place;
            address < contents->size())
          counter.add(address);
    // Small kernels are unrolled as a whole, and have no loop.
    (outside.computes ? computing : moving) += outside.numSamples;
    for (const CodeLoop &loop : loops) {
      (loop.computes ? computing : moving) += loop.numSamples;
      // A loop that moves data only, such as packing, may be deeper.
      std::tuple heat(loop.numSamples, loop.isArithmetic, loop.depth,
                      loop.end - loop.begin);
      if (heat <= highest)
        continue;
      highest = heat;
      listing.text = disassembler->print(decoded, loop);
    }
  }
  // The other samples are in another library, or in the system.
  if (!places.empty()) {
    auto share = [&](size_t count) {
      return double(count) / double(places.size());
    };
    listing.shares = {share(computing), share(moving),
                      share(places.size() - computing - moving)};
  }
  return listing;
}
