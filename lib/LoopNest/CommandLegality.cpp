//===- CommandLegality.cpp - Which knobs of loop commands are legal -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Depth first over the commands: the first command that names a knob without
// value branches over the values, so that the commands before it are followed
// once.
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/CommandLegality.h"

#include "RestructureBy.h"
#include "baco/IR/LoopCommands.h"
#include "baco/Polyhedral/Context.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/DebugLog.h"

#include <map>

#define DEBUG_TYPE "baco-judge-commands"

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;
using polyhedral::LoopSchedule;

/// Tiles and steps of these sizes are alike: neither none, nor single
/// iterations, nor more than every command takes.
static constexpr int64_t minSize = 2, largestSize = 1024;

/// Whether the result is unknown, because the check would take too long.
static bool isOutOfReach(const Error &error) {
  return error.code == ErrorCode::TimedOut ||
         error.code == ErrorCode::OutOfMemory;
}

namespace {
class Judge {
public:
  Judge(const Nest &nest, ArrayRef<Attribute> commands,
        ArrayRef<CommandKnob> knobs, const JudgeOptions &options)
      : nest(nest), commands(commands), knobs(knobs), options(options),
        chosen(knobs.size()), indices(knobs.size()),
        isSize(knobs.size(), false) {
    findSizes();
  }

  CommandLegality run(const LoopSchedule &schedule) {
    (void)follow(0, schedule);
    if (numTilings > options.maxTilings)
      dropTilings();
    if (!verdict.tilings.empty())
      verdict.references = findReferences(nest);
    return std::move(verdict);
  }

private:
  using Node = CommandLegality::Node;
  /// A node, and whether all below is legal whatever the sizes of tiles are.
  struct Judgment {
    size_t node;
    bool forAnySize = false;
  };

  void findSizes();
  void dropTilings() {
    verdict.tilings.clear();
    for (Node &node : verdict.nodes)
      node.tiling.reset();
  }
  /// The first knob of `command` without value.
  std::optional<size_t> openKnob(Attribute command) const;
  Attribute resolve(Attribute command) const;

  std::optional<unsigned> noteTileSize(size_t next,
                                       const LoopSchedule &schedule);
  Judgment follow(size_t next, const LoopSchedule &schedule);
  Judgment branch(size_t next, size_t knob, const LoopSchedule &schedule);
  Judgment check(const LoopSchedule &schedule);
  Judgment refuse(std::string key, const Error &error, std::string reason);
  size_t intern(Node node);
  /// A leaf that allows the chosen values.
  size_t allow(const LoopSchedule &schedule);

  const Nest &nest;
  ArrayRef<Attribute> commands;
  ArrayRef<CommandKnob> knobs;
  const JudgeOptions &options;
  /// The values that the knobs have here.
  SmallVector<Attribute> chosen;
  /// The indices of these values, for knobs that aren't sizes.
  SmallVector<std::optional<size_t>> indices;
  /// Knobs that are sizes of tiles or steps, and nothing else.
  SmallVector<bool> isSize;
  /// The sizes of the loops over tiles here, by the ids of these loops.
  std::map<unsigned, TileSize> tileSizes;
  unsigned numSteps = 0, numTilings = 0;
  CommandLegality verdict;
  std::map<std::tuple<size_t, SmallVector<size_t>, size_t, size_t>, size_t>
      interned;
  std::map<std::string, size_t> refusalOf;
};
} // namespace

/// Whether `command` names `knob` other than as a size.
static bool namesBesidesSize(LoopCommandAttr command, StringRef knob) {
  return llvm::any_of(
      llvm::zip_equal(command.getInfo().arguments(), command.getArguments()),
      [&](auto pair) {
        const auto &[argument, field] = pair;
        auto name = dyn_cast<StringAttr>(field);
        return name && name.getValue() == knob &&
               argument.kind != polyhedral::LoopArgument::Kind::Size;
      });
}

/// Only of commands whose effect on the order is the same for all sizes.
void Judge::findSizes() {
  if (!llvm::all_of(commands, [](Attribute command) {
        return cast<LoopCommandAttr>(command).getInfo().isLegalForAnySize;
      }))
    return;
  for (auto [index, knob] : llvm::enumerate(knobs))
    isSize[index] =
        llvm::none_of(commands, [&, &knob = knob](Attribute command) {
          return namesBesidesSize(cast<LoopCommandAttr>(command), knob.name);
        });
}

std::optional<size_t> Judge::openKnob(Attribute command) const {
  std::optional<size_t> open;
  (void)resolveKnobNames(command, [&](StringRef name) {
    for (auto [index, knob] : llvm::enumerate(knobs))
      if (!open && knob.name == name && !chosen[index])
        open = index;
    return Attribute();
  });
  return open;
}

Attribute Judge::resolve(Attribute command) const {
  return resolveKnobNames(command, [&](StringRef name) {
    for (auto [knob, value] : llvm::zip_equal(knobs, chosen))
      if (knob.name == name)
        return value;
    return Attribute();
  });
}

size_t Judge::intern(Node node) {
  auto isSame = [&](size_t child) { return child == node.children.front(); };
  if (node.knob && llvm::all_of(node.children, isSame))
    return node.children.front();
  constexpr size_t none = -1;
  auto [found, isNew] = interned.try_emplace(
      {node.knob.value_or(none), node.children, node.refusal.value_or(none),
       node.tiling.value_or(none)},
      verdict.nodes.size());
  if (isNew)
    verdict.nodes.push_back(std::move(node));
  return found->second;
}

/// `error` refuses the chosen values; `key` is the same for errors with the
/// same `reason`.
Judge::Judgment Judge::refuse(std::string key, const Error &error,
                              std::string reason) {
  // The result is unknown if the check takes too long.
  if (isOutOfReach(error)) {
    constexpr unsigned stepsPerTimeout = 50;
    numSteps += stepsPerTimeout;
    verdict.isPartial = true;
    return {intern({})};
  }
  auto [found, isNew] =
      refusalOf.try_emplace(std::move(key), verdict.refusals.size());
  if (isNew) {
    CommandRefusal refusal;
    refusal.reason = std::move(reason);
    StringRef text = refusal.reason;
    auto mention = [&](std::string name, Location location) {
      size_t at = text.find(name);
      if (at == StringRef::npos)
        return;
      StringRef rest = text.drop_front(at + name.size());
      if (rest.empty() || !llvm::isDigit(rest.front()))
        refusal.names.emplace_back(std::move(name), location);
    };
    for (auto [index, statement] : llvm::enumerate(nest.statements))
      mention("S" + std::to_string(index), statement.location);
    for (auto [index, array] : llvm::enumerate(nest.arrays))
      mention("A" + std::to_string(index), array.memref.getLoc());
    verdict.refusals.push_back(std::move(refusal));
  }
  Node leaf;
  leaf.refusal = found->second;
  return {intern(std::move(leaf))};
}

size_t Judge::allow(const LoopSchedule &schedule) {
  Node leaf;
  if (options.findTilings && numTilings++ < options.maxTilings) {
    TiledNest tiling = findTiledLoops(nest, schedule, tileSizes);
    auto found = llvm::find(verdict.tilings, tiling);
    leaf.tiling = found - verdict.tilings.begin();
    if (found == verdict.tilings.end())
      verdict.tilings.push_back(std::move(tiling));
  }
  return intern(std::move(leaf));
}

Judge::Judgment Judge::check(const LoopSchedule &schedule) {
  if (schedule.isLegalForAnySize())
    return {allow(schedule), /*forAnySize=*/true};
  Result<void> legal = schedule.checkLegal();
  if (legal)
    return {allow(schedule)};
  // The example of two instances is another one for each order.
  std::string reason = legal.error().message;
  size_t example = reason.find(": S", reason.find(": S") + 1);
  if (example != std::string::npos)
    reason.resize(example);
  return refuse(reason, legal.error(), reason);
}

Judge::Judgment Judge::branch(size_t next, size_t knob,
                              const LoopSchedule &schedule) {
  auto isAlike = [&](Attribute value) {
    auto size = dyn_cast<IntegerAttr>(value);
    return isSize[knob] && size && size.getValue().sge(minSize) &&
           size.getValue().sle(largestSize);
  };
  Node node;
  node.knob = knob;
  Judgment result = {0, /*forAnySize=*/true};
  std::optional<size_t> shared;
  for (auto [index, value] : llvm::enumerate(knobs[knob].values)) {
    if (shared && isAlike(value)) {
      node.children.push_back(*shared);
      continue;
    }
    chosen[knob] = value;
    if (!isSize[knob])
      indices[knob] = index;
    // Other values don't matter. To ask takes time, too.
    bool isExcluded = !isSize[knob] && numSteps < options.maxSteps &&
                      options.isExcluded && options.isExcluded(indices);
    numSteps += isExcluded;
    Judgment child = isExcluded ? Judgment{intern({}), /*forAnySize=*/true}
                                : follow(next, schedule);
    if (child.forAnySize && isAlike(value))
      shared = child.node;
    result.forAnySize &= child.forAnySize;
    node.children.push_back(child.node);
  }
  chosen[knob] = Attribute();
  indices[knob].reset();
  result.node = intern(std::move(node));
  return result;
}

/// If command number `next`, which has led to `schedule`, has tiled a loop: the
/// id of the loop over tiles, whose size is noted.
std::optional<unsigned> Judge::noteTileSize(size_t next,
                                            const LoopSchedule &schedule) {
  using polyhedral::LoopCommand;
  LoopCommand written = toLoopCommand(cast<LoopCommandAttr>(commands[next]));
  if (!options.findTilings || written.kind != polyhedral::LoopCommandKind::Tile)
    return std::nullopt;
  LoopCommand command =
      toLoopCommand(cast<LoopCommandAttr>(resolve(commands[next])));
  auto loops = schedule.loops(std::get<int64_t>(command["statement"]));
  const auto *outer = std::get_if<int64_t>(&command["outer"]);
  size_t place = outer ? *outer - 1 : 0;
  if (!loops || place >= loops->size())
    return std::nullopt;
  TileSize noted{std::get<int64_t>(command["size"]), std::nullopt};
  if (noted.constant > 0)
    for (auto [index, knob] : llvm::enumerate(knobs))
      if (written["size"] == polyhedral::LoopValue(knob.name))
        noted = {.knob = index};
  unsigned id = (*loops)[place].id;
  return tileSizes.try_emplace(id, noted).second ? std::optional(id)
                                                 : std::nullopt;
}

Judge::Judgment Judge::follow(size_t next, const LoopSchedule &schedule) {
  if (numSteps >= options.maxSteps) {
    verdict.isPartial = true;
    return {intern({})};
  }
  if (next == commands.size()) {
    ++numSteps;
    return check(schedule);
  }
  Attribute command = resolve(commands[next]);
  if (std::optional<size_t> open = openKnob(command))
    return branch(next, *open, schedule);
  ++numSteps;
  LoopSchedule changed = schedule;
  if (Result<void> done = applyCommand(command, changed); !done) {
    return refuse("command " + std::to_string(next), done.error(),
                  debugString(commands[next]) + ": " + done.error().message);
  }
  std::optional<unsigned> tiles = noteTileSize(next, changed);
  Judgment result = follow(next + 1, changed);
  if (tiles)
    tileSizes.erase(*tiles);
  return result;
}

FailureOr<CommandLegality> baco::loopnest::checkCommands(
    Operation *first, Operation *last, ArrayRef<Attribute> commands,
    ArrayRef<CommandKnob> knobs, const JudgeOptions &options) {
  FailureOr<Nest> nest = extractNest(first, last);
  if (failed(nest))
    return failure();
  // Without information, everything is allowed.
  CommandLegality unknown;
  unknown.isPartial = true;
  try {
    polyhedral::Context context(options.maxWork);
    polyhedral::Program program = toProgram(context.get(), *nest);
    if (isEmpty(program))
      return CommandLegality();
    polyhedral::LoopScheduleOptions scheduleOptions;
    scheduleOptions.reassociate = options.restructure.reassociate;
    scheduleOptions.maxOperations = options.maxOperations;
    Result<LoopSchedule> schedule =
        LoopSchedule::create(program, scheduleOptions);
    if (!schedule && isOutOfReach(schedule.error()))
      return unknown;
    if (!schedule)
      return first->emitError()
             << "this nest can't be scheduled: " << schedule.error().message;
    LDBG() << first->getLoc() << ": judges " << commands.size()
           << " commands with " << knobs.size() << " knobs";
    return Judge(*nest, commands, knobs, options).run(*schedule);
  } catch (const polyhedral::TooMuchWork &) {
    return unknown;
  } catch (const std::exception &error) {
    return first->emitError()
           << "this nest can't be scheduled: " << error.what();
  }
}
