//===- LoopCommand.h - The commands on loop nests ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table says which commands there are, what their arguments are, and what
// both mean. Scripts, plans, the attributes of the dialect and their
// documentation are made from it. docs/LoopNests.md says how to add a command.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_POLYHEDRAL_LOOPCOMMAND_H
#define BACO_POLYHEDRAL_LOOPCOMMAND_H

#include "baco/Support/Result.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace baco::polyhedral {

/// In the order of the table.
enum class LoopCommandKind {
  Original,
  Permute,
  Tile,
  Split,
  Nonsingular,
  Skew,
  Shift,
  Scale,
  Reverse,
  Distribute,
  Fuse,
  Align,
  Unroll,
  Vectorize,
  Parallelize,
  DataCopy,
  Expand,
  Contract,
  Prefetch,
  /// The last one: the length of the table is checked against it.
  Auto,
};

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// An argument of a command.
struct LoopArgument {
  enum class Kind {
    /// An integer.
    Number,
    /// The number of a statement, loop, reference or dimension.
    Place,
    /// The number of a loop that must exist.
    Loop,
    /// Iterations of a tile or of a step: makes a loop more.
    Size,
    /// An integer other than 0.
    Factor,
    /// Numbers of statements.
    Places,
    /// One integer for each of the outermost loops.
    Coefficients,
    /// A permutation of the outermost loops 1, 2, ....
    LoopOrder,
    /// A permutation of the dimensions 0, 1, ....
    DimensionOrder,
    /// Lists of integers: n rows of n or n + 1.
    Matrix,
    /// Text: a condition on the loops, which may name knobs.
    Condition,
    /// Text: "min", "max" or "smart".
    Fusion,
  };
  /// Whether it is a text, so that a word isn't the name of a knob.
  bool isText() const {
    return kind == Kind::Condition || kind == Kind::Fusion;
  }

  std::string_view name;
  Kind kind = Kind::Number;
  /// A few words of documentation.
  std::string_view meaning;
  /// The least value of a number, or of the elements of a list.
  std::optional<int64_t> minimum = std::nullopt;
  bool isOptional = false;
  /// The value of a number that is left out, if there is one.
  std::optional<int64_t> absent = std::nullopt;
};

struct LoopCommandInfo {
  /// The arguments in the order of scripts.
  std::span<const LoopArgument> arguments() const;
  /// The place of an argument among them; nothing if there is none.
  std::optional<size_t> find(std::string_view argument) const;
  /// As scripts call it: `permute(?statement, order)`.
  std::string notation() const;

  LoopCommandKind kind;
  /// The name in scripts and plans.
  std::string_view name;
  /// The mnemonic of its attribute.
  std::string_view mnemonic;
  /// The effect, as an imperative clause.
  std::string_view summary;
  /// Markdown.
  std::string_view description;
  /// Arguments of the attribute.
  std::string_view example;
  /// Up to the first without a name.
  std::array<LoopArgument, 8> allArguments;
  /// Does the order stay legal whatever the sizes of tiles and steps in it?
  bool isLegalForAnySize = false;
  /// Is the number of loops after it unknown?
  bool makesAnyLoops = false;
};

std::span<const LoopCommandInfo> loopCommands();
const LoopCommandInfo &infoOf(LoopCommandKind kind);
/// Null if there is no such command.
const LoopCommandInfo *findByMnemonic(std::string_view mnemonic);

//===----------------------------------------------------------------------===//
// Commands as they are written
//===----------------------------------------------------------------------===//

/// The value of an argument: nothing, an integer, a text or the name of a knob,
/// a list, or a list of lists.
using LoopValue =
    std::variant<std::monostate, int64_t, std::string, std::vector<int64_t>,
                 std::vector<std::vector<int64_t>>>;

std::string toString(const LoopValue &value);

/// Whether it is the name of a knob, given that the argument is no text.
inline bool isKnob(const LoopValue &value) {
  return std::holds_alternative<std::string>(value);
}

/// Whether a knob may have that name: a letter or `_`, then letters, digits and
/// `_`.
bool isKnobName(std::string_view text);

/// InvalidArgument if the value is none for the argument. A word may be the
/// name of a knob.
Result<void> checkValue(const LoopArgument &argument, const LoopValue &value);

/// A command: one value for each argument of the table. Statements are counted
/// from 0 and loops from 1.
struct LoopCommand {
  bool operator==(const LoopCommand &) const = default;

  /// The argument of this name, which the command must have.
  LoopValue &operator[](std::string_view argument);
  const LoopValue &operator[](std::string_view argument) const;
  /// Whether an argument that is no text names the knob.
  bool uses(const std::string &knob) const;

  /// `datacopy(1, 4, 2, order=[1, 0], width=8)`: as parseLoopScript reads it.
  std::string str() const;

  LoopCommandKind kind;
  std::vector<LoopValue> arguments;
};

/// The value of a knob, of an order from 0; nothing for a name that is none.
using KnobValues =
    std::function<std::optional<LoopValue>(std::string_view name)>;

/// Puts values in the place of the names that `valueOf` knows; in a condition,
/// where they are words, only numbers.
void bindKnobs(LoopCommand &command, const KnobValues &valueOf);

/// The first knob that `command` names and `isKnown` doesn't know; empty if
/// there is none. Words of a condition are names but for loops (`L1`),
/// parameters (`p0`) and what isl knows; none are after `exists`, which names
/// what it likes.
std::string findName(LoopCommand command,
                     const std::function<bool(std::string_view)> &isKnown);

/// Puts in the place of absent arguments what their absence means.
/// InvalidArgument if a knob is left, or as checkValue.
Result<void> complete(LoopCommand &command);

/// A command of a script, and how it is spelled there.
struct ScriptCommand {
  LoopCommand command;
  std::string text;
};

/// Reads a CHiLL script, such as `permute([3,1,2]) tile(0,2,TJ)`: names with
/// arguments in parentheses, separated by white space or semicolons; `#` starts
/// a comment. Names and order of arguments are those of Tiwari et al., "A
/// scalable auto-tuning framework for compiler optimization" (IPDPS 2009),
/// section 4.2, where they have the command; words are names of knobs. Optional
/// arguments (`?` in LoopCommandInfo::notation) take what is left over from the
/// others, the first one first, or are given by name:
/// `datacopy(0,4,3,width=8)`. Checks the number of arguments, not their values.
Result<std::vector<ScriptCommand>> parseLoopScript(std::string_view script);

} // namespace baco::polyhedral

#endif // BACO_POLYHEDRAL_LOOPCOMMAND_H
