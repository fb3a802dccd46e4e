//===- MachineCode.cpp - Machine code for this machine --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translation, LLVM's passes and ORC's LLJIT. The module gets one
// more function, the entry that the worker calls; everything else becomes
// internal. The kernel is not inlined into its callers: LLVM would optimize it
// again in each of them, which doubles the time of that step.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/MachineCode.h"
#include "KeepAssumptions.h"

#include "baco/CostModel/CpuCost.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/DiagnosticRecorder.h"
#include "baco/Runtime/Team.h"
#include "baco/Target/CPU/Optimize.h"
#include "baco/Target/Constants/ConstantPacking.h"
#include "baco/Verification/Placement.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/ObjectTransformLayer.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace baco;
using namespace baco::target;
using baco::runtime::CompiledKernel;
using llvm::orc::JITTargetMachineBuilder;
using llvm::orc::LLJIT;

namespace {
/// Collects LLVM's diagnostics, because its own handlers print or exit.
struct Reported {
  std::string first;

  void add(const std::string &message) {
    if (first.empty())
      first = message;
  }
  /// The diagnostic that was reported before `error`, if there is one, because
  /// it is more specific; else `error`.
  llvm::Error orElse(llvm::Error error) const {
    if (first.empty())
      return error;
    llvm::consumeError(std::move(error));
    return llvm::createStringError(first);
  }
};

/// Parts of the code other than its entry: calls of the team, a table of
/// variables (addStateTable), and one of copies (addCopyTable).
struct Features {
  bool isParallel, hasState, hasCopies;
};

/// The owner of a kernel's code.
struct LoadedCode {
  std::shared_ptr<Reported> reported;
  std::unique_ptr<LLJIT> jit;
};
} // namespace

static void recordDiagnostic(const llvm::DiagnosticInfo *info, void *reported) {
  // Warnings and remarks come with code that is valid.
  if (info->getSeverity() != llvm::DS_Error)
    return;
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info->print(printer);
  static_cast<Reported *>(reported)->add(text);
}

/// Adds `void name(ptr args)`, which calls `callee` with what `args[i]` points
/// to. Pointers in the signature of a C interface are memref descriptors.
/// Returns the name that the entry got.
static std::string addEntry(llvm::Module &module, llvm::Function &callee,
                            StringRef name) {
  llvm::IRBuilder<> builder(module.getContext());
  auto *type =
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  auto *entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                       name, module);
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "", entry));
  SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &parameter : callee.args()) {
    llvm::Value *slot = builder.CreateConstInBoundsGEP1_32(
        builder.getPtrTy(), entry->getArg(0), parameter.getArgNo());
    llvm::Value *pointer = builder.CreateLoad(builder.getPtrTy(), slot);
    llvm::Type *wanted = parameter.getType();
    arguments.push_back(
        wanted->isPointerTy() ? pointer : builder.CreateLoad(wanted, pointer));
  }
  builder.CreateCall(&callee, arguments);
  builder.CreateRetVoid();
  // LLVM renames the entry if the payload has a function of that name.
  return entry->getName().str();
}

/// The symbol of a table of the kernel's variables: how many there are, then
/// the address and the size of each.
static constexpr llvm::StringLiteral stateSymbol = "baco_state";

/// Whether `variable` is one of those, or a part into which LLVM has split one.
static bool isNamed(const llvm::GlobalVariable &variable,
                    ArrayRef<std::string> names) {
  return llvm::any_of(names, [&](StringRef name) {
    StringRef rest = variable.getName();
    return rest.consume_front(name) && (rest.empty() || rest.front() == '.');
  });
}

/// Adds that table if any of these variables is left. Called after LLVM's
/// passes, which remove some variables and split others.
static void addStateTable(llvm::Module &module,
                          ArrayRef<std::string> variables) {
  llvm::LLVMContext &context = module.getContext();
  auto *word = llvm::Type::getInt64Ty(context);
  SmallVector<llvm::Constant *> words;
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.isConstant() || variable.isThreadLocal() ||
        !variable.hasInitializer() || !isNamed(variable, variables))
      continue;
    words.push_back(llvm::ConstantExpr::getPtrToInt(&variable, word));
    words.push_back(llvm::ConstantInt::get(
        word,
        module.getDataLayout().getTypeAllocSize(variable.getValueType())));
  }
  if (words.empty())
    return;
  words.insert(words.begin(), llvm::ConstantInt::get(word, words.size() / 2));
  auto *type = llvm::ArrayType::get(word, words.size());
  new llvm::GlobalVariable(module, type, /*isConstant=*/true,
                           llvm::GlobalValue::ExternalLinkage,
                           llvm::ConstantArray::get(type, words), stateSymbol);
}

/// The symbol of a table with the address of the function that copies constant
/// arguments, and the address and the size of the memory with the copies.
static constexpr llvm::StringLiteral copiesSymbol = "baco_copies";

/// Adds that table for the function `prepare`, of which `entry` is the kernel.
static void addCopyTable(llvm::Module &module, StringRef prepare,
                         StringRef entry) {
  llvm::Function *function = module.getFunction(prepare);
  llvm::GlobalVariable *memory =
      module.getNamedGlobal((packedPrefix + entry).str());
  // LLVM may have found that the kernel needs no copy.
  if (!function || !memory)
    return;
  auto *word = llvm::Type::getInt64Ty(module.getContext());
  llvm::Constant *words[] = {
      llvm::ConstantExpr::getPtrToInt(function, word),
      llvm::ConstantExpr::getPtrToInt(memory, word),
      llvm::ConstantInt::get(word, module.getDataLayout().getTypeAllocSize(
                                       memory->getValueType()))};
  auto *type = llvm::ArrayType::get(word, std::size(words));
  new llvm::GlobalVariable(module, type, /*isConstant=*/true,
                           llvm::GlobalValue::ExternalLinkage,
                           llvm::ConstantArray::get(type, words), copiesSymbol);
}

/// The table of a linked module.
static std::vector<std::span<std::byte>> readStateTable(const uint64_t *table) {
  std::vector<std::span<std::byte>> state;
  for (uint64_t i = 0; i < table[0]; ++i)
    state.emplace_back(reinterpret_cast<std::byte *>(table[2 * i + 1]),
                       table[2 * i + 2]);
  return state;
}

/// How LLVM is to compile the function `entry` of `module`.
static llvm::Expected<TargetOptions> targetOptionsOf(ModuleOp module,
                                                     StringRef entry) {
  Operation *function = SymbolTable::lookupSymbolIn(module, entry);
  auto attribute =
      function
          ? function->getAttrOfType<DictionaryAttr>(BacoDialect::kTargetOptions)
          : DictionaryAttr();
  return attribute ? TargetOptions::read(attribute) : TargetOptions();
}

/// An error if `machine` lacks instructions that `options` ask for.
static llvm::Error checkInstructions(const TargetOptions &options,
                                     const llvm::TargetMachine &machine) {
  // LLVM ends the process at an instruction that it can't select.
  auto level = options.dotProducts.value_or(0);
  StringRef needed = level == 2 ? "amx-int8" : "avx512vnni";
  if (level == 0 ||
      (machine.getTargetTriple().isX86() &&
       machine.getMCSubtargetInfo()->checkFeatures(("+" + needed).str())))
    return llvm::Error::success();
  return llvm::createStringError("target option 'dot_products' needs a CPU "
                                 "with " +
                                 needed + ", unlike '" +
                                 machine.getTargetCPU() + "'");
}

/// The text of an error of the linker. Functions that it doesn't find are those
/// that the payload declares.
static std::string describeLinkError(llvm::Error error) {
  std::string names;
  error = llvm::handleErrors(
      std::move(error), [&](const llvm::orc::SymbolsNotFound &missing) {
        for (const llvm::orc::SymbolStringPtr &symbol : missing.getSymbols()) {
          StringRef name = *symbol;
          // The program declares the function without this prefix of its C
          // interface.
          name.consume_front("_mlir_ciface_");
          names += (names.empty() ? "'" : ", '") + name.str() + "'";
        }
      });
  if (error || names.empty())
    return llvm::toString(std::move(error));
  return "external functions are not found: " + names +
         "; give the libraries that have them with --shared-libs";
}

/// An empty process for code. Kernels have no static constructors, so no
/// platform to run them is set up. It takes LLVM IR only if `compiles`, because
/// a compiler takes as long to make as the rest.
static llvm::Expected<std::shared_ptr<LoadedCode>>
makeProcess(JITTargetMachineBuilder host, bool compiles,
            const std::shared_ptr<Reported> &reported) {
  // The builder would make a machine each time to ask it.
  static const std::optional<llvm::DataLayout> layout =
      llvm::expectedToOptional(host.getDefaultDataLayoutForTarget());
  llvm::orc::LLJITBuilder builder;
  builder.setJITTargetMachineBuilder(std::move(host))
      .setDataLayout(layout)
      .setPlatformSetUp(llvm::orc::setUpInactivePlatform);
  if (!compiles)
    builder.setCompileFunctionCreator([](const JITTargetMachineBuilder &) {
      return std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>();
    });
  auto jit = builder.create();
  if (!jit)
    return jit.takeError();
  auto code = std::make_shared<LoadedCode>();
  code->reported = reported;
  code->jit = std::move(*jit);
  // ORC's own reporter prints the errors, which leaves only "symbols failed to
  // materialize" for the caller.
  code->jit->getExecutionSession().setErrorReporter(
      [reported](llvm::Error error) {
        reported->add(describeLinkError(std::move(error)));
      });
  return code;
}

namespace {
/// Makes code begin at an offset within a page.
class PlaceCode final : public llvm::orc::ObjectLinkingLayer::Plugin {
public:
  explicit PlaceCode(size_t offset) : offset(offset) {}

  void modifyPassConfig(llvm::orc::MaterializationResponsibility &,
                        llvm::jitlink::LinkGraph &,
                        llvm::jitlink::PassConfiguration &passes) override {
    // These passes run before the linker allocates memory by the blocks'
    // alignments.
    passes.PostPrunePasses.push_back([this](llvm::jitlink::LinkGraph &graph) {
      for (llvm::jitlink::Section &section : graph.sections())
        if ((section.getMemProt() & llvm::orc::MemProt::Exec) !=
            llvm::orc::MemProt::None)
          for (llvm::jitlink::Block *block : section.blocks())
            place(*block);
      return llvm::Error::success();
    });
  }
  llvm::Error
  notifyFailed(llvm::orc::MaterializationResponsibility &) override {
    return llvm::Error::success();
  }
  llvm::Error notifyRemovingResources(llvm::orc::JITDylib &,
                                      llvm::orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(llvm::orc::JITDylib &,
                                   llvm::orc::ResourceKey,
                                   llvm::orc::ResourceKey) override {}

private:
  /// Keeps the alignment that the block's code counts on.
  void place(llvm::jitlink::Block &block) const {
    uint64_t alignment = block.getAlignment();
    // Such a block has its place within a page already.
    if (alignment >= runtime::placementPageBytes)
      return;
    uint64_t aligned =
        offset / alignment * alignment + block.getAlignmentOffset();
    block.setAlignment(runtime::placementPageBytes);
    block.setAlignmentOffset(aligned);
  }

  size_t offset;
};
} // namespace

/// Sets the offset within a page at which code linked from now on begins.
static llvm::Error placeCode(LLJIT &jit, size_t offset) {
  // The only linker that LLJIT takes on the machines that we compile for.
  auto *layer =
      dyn_cast<llvm::orc::ObjectLinkingLayer>(&jit.getObjLinkingLayer());
  if (!layer)
    return llvm::createStringError("code can't be placed on this machine");
  layer->addPlugin(std::make_shared<PlaceCode>(offset));
  return llvm::Error::success();
}

/// The symbol that an object has if its code uses atomic operations.
static constexpr StringLiteral atomicsMark = "baco_uses_atomics";

/// Marks a module with atomic operations, so that the object tells, too.
static void markAtomics(llvm::Module &module) {
  bool hasAtomics = llvm::any_of(module, [](const llvm::Function &function) {
    return llvm::any_of(llvm::instructions(function),
                        [](const llvm::Instruction &instruction) {
                          return instruction.isAtomic();
                        });
  });
  if (!hasAtomics)
    return;
  llvm::Type *type = llvm::Type::getInt8Ty(module.getContext());
  new llvm::GlobalVariable(module, type, /*isConstant=*/true,
                           llvm::GlobalValue::ExternalLinkage,
                           llvm::ConstantInt::get(type, 0), atomicsMark);
}

/// Lets code call the team of threads.
static llvm::Error defineTeam(LLJIT &jit) {
  llvm::orc::SymbolMap symbols;
  for (auto [name, address] : runtime::teamSymbols())
    symbols[jit.mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  return jit.getMainJITDylib().define(
      llvm::orc::absoluteSymbols(std::move(symbols)));
}

/// Links what was added to `code` and finds the entry.
static llvm::Expected<CompiledKernel>
link(const std::shared_ptr<LoadedCode> &code, StringRef entryName,
     const Features &features) {
  // The lookup below links the code, which needs these symbols then.
  if (features.isParallel)
    if (llvm::Error error = defineTeam(*code->jit))
      return std::move(error);
  auto address = code->jit->lookup(entryName);
  if (!address)
    return code->reported->orElse(address.takeError());
  // A back end that reports an error goes on with whatever code it has.
  if (!code->reported->first.empty())
    return llvm::createStringError(code->reported->first);
  CompiledKernel kernel{address->toPtr<void (*)(void **)>(), code};
  kernel.isParallel = features.isParallel;
  if (features.hasState) {
    auto table = code->jit->lookup(stateSymbol);
    if (!table)
      return code->reported->orElse(table.takeError());
    kernel.state = readStateTable(table->toPtr<const uint64_t *>());
  }
  if (features.hasCopies) {
    auto table = code->jit->lookup(copiesSymbol);
    if (!table)
      return code->reported->orElse(table.takeError());
    const auto *words = table->toPtr<const uint64_t *>();
    kernel.prepare = reinterpret_cast<void (*)(void **)>(words[0]);
    kernel.copies = {reinterpret_cast<std::byte *>(words[1]), words[2]};
  }
  return kernel;
}

/// Generates code for `module` and links it into this process.
static llvm::Expected<CompiledKernel>
load(llvm::orc::ThreadSafeModule module, StringRef entryName,
     JITTargetMachineBuilder host, const std::shared_ptr<Reported> &reported) {
  auto code = makeProcess(std::move(host), /*compiles=*/true, reported);
  if (!code)
    return code.takeError();
  // The entry's name, a zero, and the file.
  std::string object = entryName.str() + '\0';
  (*code)->jit->getObjTransformLayer().setTransform(
      [&object](std::unique_ptr<llvm::MemoryBuffer> file)
          -> llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> {
        object += file->getBuffer();
        return std::move(file);
      });
  // The module is the JIT's once it is added, so all questions about it come
  // before.
  Features features = module.withModuleDo([](llvm::Module &code) {
    return Features{code.getFunction(runtime::teamForkSymbol) != nullptr,
                    code.getNamedGlobal(stateSymbol) != nullptr,
                    code.getNamedGlobal(copiesSymbol) != nullptr};
  });
  bool hasAtomics = module.withModuleDo([](llvm::Module &code) {
    return code.getNamedGlobal(atomicsMark) != nullptr;
  });
  if (llvm::Error error = (*code)->jit->addIRModule(std::move(module)))
    return reported->orElse(std::move(error));
  auto kernel = link(*code, entryName, features);
  if (kernel) {
    kernel->object = std::move(object);
    kernel->hasAtomics = hasAtomics;
  }
  // It must not be called when `object` is gone.
  (*code)->jit->getObjTransformLayer().setTransform({});
  return kernel;
}

void baco::target::prepareToLink() {
  auto host = describeHost();
  auto code = host ? makeProcess(std::move(*host), /*compiles=*/false,
                                 std::make_shared<Reported>())
                   : host.takeError();
  // Kernels report what is wrong with this machine.
  if (!code)
    llvm::consumeError(code.takeError());
}

llvm::Expected<CompiledKernel>
baco::target::loadMachineCode(const std::string &object,
                              std::optional<size_t> codeOffset) {
  auto [entryName, file] = StringRef(object).split('\0');
  auto host = describeHost();
  if (!host)
    return host.takeError();
  auto code = makeProcess(std::move(*host), /*compiles=*/false,
                          std::make_shared<Reported>());
  if (!code)
    return code.takeError();
  if (codeOffset)
    if (llvm::Error error = placeCode(*(*code)->jit, *codeOffset))
      return std::move(error);
  if (llvm::Error error = (*code)->jit->addObjectFile(
          llvm::MemoryBuffer::getMemBufferCopy(file, "kernel")))
    return (*code)->reported->orElse(std::move(error));
  // They are in the table of symbols that the object needs, or has.
  auto kernel = link(*code, entryName,
                     {file.contains(runtime::teamForkSymbol),
                      file.contains(stateSymbol), file.contains(copiesSymbol)});
  if (kernel)
    kernel->hasAtomics = file.contains(atomicsMark);
  return kernel;
}

/// LLVM IR of `module`; an error names the op that has none.
static llvm::Expected<std::unique_ptr<llvm::Module>>
translate(ModuleOp module, llvm::LLVMContext &context,
          const llvm::Triple &triple) {
  std::string upstream = "the module has no translation to LLVM IR";
  {
    DiagnosticRecorder recorder(module.getContext());
    auto code = translateModuleToLLVMIR(module, context);
    if (code && succeeded(checkIntrinsics(module, *code, triple)))
      return code;
    upstream = recorder.message(upstream);
  }
  DiagnosticRecorder recorder(module.getContext());
  if (Operation *op = findUntranslatable(module))
    op->emitError() << "'" << op->getName()
                    << "' has no lowering to LLVM IR; replace it by ops of "
                       "arith, math, memref, linalg or loops before tuning";
  return llvm::createStringError(recorder.message(upstream));
}

namespace {
/// A kernel before code is generated for it.
struct OptimizedCode {
  std::shared_ptr<Reported> reported;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  /// That of the function that makes copies is empty if there is none.
  std::string entryName, prepareName;
  JITTargetMachineBuilder builder;
  std::unique_ptr<llvm::TargetMachine> machine;
};
} // namespace

/// Translates a module and runs LLVM's passes over it.
static llvm::Expected<OptimizedCode>
optimizeCode(ModuleOp module, StringRef entry, PhaseClock *clock,
             JITTargetMachineBuilder builder) {
  auto reported = std::make_shared<Reported>();
  auto context = std::make_unique<llvm::LLVMContext>();
  context->setDiagnosticHandlerCallBack(recordDiagnostic, reported.get());
  // The translation outlines parallel regions, and LLVM removes assumptions
  // from what it outlines.
  hideAssumptions(module);
  llvm::Expected<std::unique_ptr<llvm::Module>> translated =
      translate(module, *context, builder.getTargetTriple());
  if (!translated)
    return translated.takeError();
  std::unique_ptr<llvm::Module> code = std::move(*translated);
  // The assumptions come back before LLVM's passes, which use them.
  showAssumptions(*code);
  llvm::Function *callee = code->getFunction(("_mlir_ciface_" + entry).str());
  if (!callee || callee->isDeclaration())
    return llvm::createStringError("function '" + entry +
                                   "' has no C interface");
  llvm::Expected<TargetOptions> options = targetOptionsOf(module, entry);
  if (!options)
    return options.takeError();
  Pipeline pipeline = choosePipeline(*code, *options);
  builder.setCodeGenOptLevel(codegenLevel(pipeline, *options));
  auto machine = builder.createTargetMachine();
  if (!machine)
    return machine.takeError();
  if (llvm::Error error = checkInstructions(*options, **machine))
    return error;
  code->setDataLayout((*machine)->createDataLayout());
  code->setTargetTriple((*machine)->getTargetTriple());
  for (llvm::Function &function : *code)
    if (!function.isDeclaration())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  // The entries come behind that loop, and so stay external.
  std::string entryName = addEntry(*code, *callee, "baco_entry"), prepareName;
  std::string prepare = (preparePrefix + entry).str();
  if (llvm::Function *copies = code->getFunction("_mlir_ciface_" + prepare))
    prepareName = addEntry(*code, *copies, "baco_prepare");
  // Inlined, the kernel would be optimized again in each of its callers.
  for (StringRef name : {entry, StringRef(prepare)})
    if (llvm::Function *function = code->getFunction(name))
      function->addFnAttr(llvm::Attribute::NoInline);
  PhaseClock::lap(clock, "translate");
  if (lacksBF16(**machine))
    expandBF16(*code);
  applyTargetOptions(*code, *options);
  optimize(*code, **machine, pipeline, *options);
  return OptimizedCode{std::move(reported),    std::move(context),
                       std::move(code),        std::move(entryName),
                       std::move(prepareName), std::move(builder),
                       std::move(*machine)};
}

llvm::Expected<CompiledKernel> baco::target::compileToMachineCode(
    ModuleOp module, StringRef entry, PhaseClock *clock,
    ArrayRef<std::string> variables, StringRef cpu) {
  llvm::Expected<JITTargetMachineBuilder> host = describeHost(cpu);
  if (!host)
    return host.takeError();
  auto code = optimizeCode(module, entry, clock, std::move(*host));
  if (!code)
    return code.takeError();
  markAtomics(*code->module);
  addStateTable(*code->module, variables);
  if (!code->prepareName.empty())
    addCopyTable(*code->module, code->prepareName, entry);
  // Blocks have their last size behind LLVM's passes; and the options have to
  // hold until code is generated.
  ScopedOptions limits;
  limitCodeGeneration(*code->module, limits);
  PhaseClock::lap(clock, "optimize");
  auto kernel = load({std::move(code->module), std::move(code->context)},
                     code->entryName, std::move(code->builder), code->reported);
  PhaseClock::lap(clock, "generate and link");
  return kernel;
}

llvm::Expected<CompiledKernel>
baco::target::findCostOfCode(ModuleOp module, StringRef entry,
                             const schedule::HostInfo &host, StringRef cpu) {
  llvm::Expected<JITTargetMachineBuilder> model = describeHost(host.codeCpu());
  if (!model)
    return model.takeError();
  auto costMachine = model->createTargetMachine();
  if (!costMachine)
    return costMachine.takeError();
  llvm::Expected<JITTargetMachineBuilder> builder =
      describeHost(cpu.empty() ? host.codeCpu() : cpu);
  if (!builder)
    return builder.takeError();
  auto code =
      optimizeCode(module, entry, /*clock=*/nullptr, std::move(*builder));
  if (!code)
    return code.takeError();
  ScopedOptions limits;
  limitCodeGeneration(*code->module, limits);
  auto cost =
      costOfCode(*code->module, *code->module->getFunction(code->entryName),
                 *code->machine, **costMachine, host);
  if (!cost)
    return code->reported->orElse(cost.takeError());
  if (!code->reported->first.empty())
    return llvm::createStringError(code->reported->first);
  CompiledKernel kernel;
  kernel.staticCost = cost->cycles;
  kernel.note = std::move(cost->note);
  return kernel;
}
