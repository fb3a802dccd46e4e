//===- PtxParser.cpp - Reads PTX ------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement after the other. Names of registers become numbers, and those of
// variables addresses.
//
//===----------------------------------------------------------------------===//

#include "PtxModule.h"

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>

using namespace baco;
using namespace baco::fake;
using baco::runtime::SpecialRegister;

namespace {
struct Token {
  std::string text;
  unsigned line;
};

/// Words and signs without comments; a mistake in the text ends the reading.
std::vector<Token> splitPtx(const std::string &text) {
  std::vector<Token> tokens;
  unsigned line = 1;
  auto isWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
           c == '.' || c == '$' || c == '%';
  };
  for (size_t i = 0; i < text.size();) {
    char c = text[i];
    if (c == '\n')
      ++line;
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
    } else if (c == '"') {
      size_t end = std::min(text.find('"', i + 1), text.size() - 1);
      tokens.push_back({text.substr(i, end + 1 - i), line});
      i = end + 1;
    } else {
      size_t end = i + 1;
      if (isWord(c))
        // `::` is within a word, as in `shared::cta`.
        while (end < text.size() &&
               (isWord(text[end]) || text.compare(end, 2, "::") == 0 ||
                (text[end] == ':' && text[end - 1] == ':')))
          ++end;
      tokens.push_back({text.substr(i, end - i), line});
      i = end;
    }
  }
  return tokens;
}

std::optional<PtxType> typeOf(const std::string &word) {
  static const std::map<std::string, PtxType> others = {
      {"pred", {PtxType::Predicate, 1}},
      {"tf32", {PtxType::Tensor, 32}},
      {"bf16", {PtxType::Brain, 16}},
      {"bf16x2", {PtxType::Brain, 16, true}},
      {"f16x2", {PtxType::Float, 16, true}}};
  if (auto found = others.find(word); found != others.end())
    return found->second;
  static const std::string kinds = "busf";
  size_t kind = word.empty() ? std::string::npos : kinds.find(word[0]);
  std::string bits = word.size() > 1 ? word.substr(1) : "";
  if (kind == std::string::npos ||
      (bits != "8" && bits != "16" && bits != "32" && bits != "64"))
    return std::nullopt;
  return PtxType{static_cast<PtxType::Kind>(kind),
                 static_cast<unsigned>(std::atoi(bits.c_str()))};
}

std::optional<SpecialRegister> specialOf(const std::string &name) {
  static const std::map<std::string, SpecialRegister> others = {
      {"%laneid", SpecialRegister::Lane},
      {"%warpid", SpecialRegister::Warp},
      {"%nwarpid", SpecialRegister::Warps}};
  if (auto found = others.find(name); found != others.end())
    return found->second;
  static const char *const triples[] = {"%tid.", "%ctaid.", "%ntid.",
                                        "%nctaid."};
  for (int i = 0; i < 4; ++i)
    if (name.size() == std::strlen(triples[i]) + 1 &&
        name.compare(0, name.size() - 1, triples[i]) == 0 &&
        name.back() >= 'x' && name.back() <= 'z')
      return static_cast<SpecialRegister>(3 * i + (name.back() - 'x'));
  return std::nullopt;
}

class Parser {
public:
  explicit Parser(const std::string &text)
      : tokens(splitPtx(text)), module(std::make_unique<PtxModule>()) {}

  Result<std::unique_ptr<PtxModule>> run() {
    if (tokens.empty() || tokens[0].text != ".version")
      return Error{ErrorCode::Corrupt, "Missing .version directive"};
    while (at < tokens.size() && error.empty())
      parseTop();
    if (!error.empty())
      return Error{ErrorCode::Corrupt, error};
    return std::move(module);
  }

private:
  void fail(const std::string &what) {
    if (error.empty())
      error = "line " + std::to_string(line()) + "; error   : " + what;
  }
  unsigned line() const { return tokens[std::min(at, tokens.size() - 1)].line; }
  const std::string &peek() const {
    static const std::string none;
    return at < tokens.size() ? tokens[at].text : none;
  }
  std::string take() {
    if (at >= tokens.size()) {
      fail("Parsing error near the end");
      return "";
    }
    return tokens[at++].text;
  }
  bool accept(const char *text) {
    if (peek() != text)
      return false;
    ++at;
    return true;
  }
  void expect(const char *text) {
    if (!accept(text))
      fail("Parsing error near '" + peek() + "', expected '" + text + "'");
  }
  void skipLine() {
    unsigned from = line();
    while (at < tokens.size() && line() == from)
      ++at;
  }
  size_t takeNumber() { return std::strtoull(take().c_str(), nullptr, 0); }

  void parseTop() {
    std::string word = take();
    if (word == ".version" || word == ".target" || word == ".address_size" ||
        word == ".file") {
      --at;
      skipLine();
    } else if (word == ".section") {
      // Debug information is not for us.
      while (at < tokens.size() && !accept("}"))
        ++at;
    } else if (word == ".entry") {
      parseKernel();
    } else if (word == ".shared" || word == ".global" || word == ".const") {
      parseVariable(word);
    } else if (word != ".visible" && word != ".extern" && word != ".weak" &&
               word != ";") {
      fail("Parsing error near '" + word + "'");
    }
  }

  struct Variable {
    std::string name;
    size_t bytes = 0, alignment = 1;
  };

  /// `.align 16 .b8 name[4096]`, also without the end.
  Variable parseDeclaration() {
    Variable variable;
    size_t element = 1;
    while (!peek().empty() && peek()[0] == '.') {
      std::string word = take().substr(1);
      if (word == "align")
        variable.alignment = takeNumber();
      else if (auto type = typeOf(word))
        element = type->bits / 8;
    }
    variable.name = take();
    variable.bytes = element;
    if (accept("[")) {
      variable.bytes = peek() == "]" ? 0 : element * takeNumber();
      expect("]");
    }
    variable.alignment = std::max(variable.alignment, element);
    elementBytes = element;
    return variable;
  }

  void parseVariable(const std::string &space) {
    Variable variable = parseDeclaration();
    if (space == ".shared") {
      moduleShared.push_back(variable);
      expect(";");
      return;
    }
    std::vector<std::byte> contents(variable.bytes);
    if (accept("=")) {
      size_t place = 0;
      auto add = [&] {
        bool isNegative = accept("-");
        uint64_t value = constantOf(take());
        value = isNegative ? -value : value;
        if (place + elementBytes <= contents.size())
          std::memcpy(contents.data() + place, &value, elementBytes);
        place += elementBytes;
      };
      if (accept("{")) {
        while (error.empty() && !accept("}")) {
          add();
          accept(",");
        }
      } else {
        add();
      }
    }
    expect(";");
    module->variables.emplace_back(variable.name, std::move(contents));
    globals[variable.name] =
        reinterpret_cast<uint64_t>(module->variables.back().second.data());
  }

  void placeShared(const Variable &variable) {
    if (variable.bytes == 0) {
      symbols[variable.name] = 0;
      dynamics.push_back(variable.name);
      return;
    }
    std::byte *address = kernel->emulator->addShared(
        variable.name, variable.bytes, variable.alignment);
    kernel->sharedBytes += variable.bytes;
    if (!address)
      tooMuchShared = true;
    symbols[variable.name] = reinterpret_cast<uint64_t>(address);
  }

  void parseKernel() {
    std::string name = take();
    kernel = &module->kernels[name];
    kernel->name = name;
    kernel->emulator = std::make_unique<runtime::Emulator>();
    numbers.clear();
    locals.clear();
    scoped.clear();
    labels.clear();
    branches.clear();
    dynamics.clear();
    tooMuchShared = false;
    symbols = globals;
    for (const Variable &variable : moduleShared)
      placeShared(variable);
    expect("(");
    while (error.empty() && !accept(")")) {
      parseParameter();
      accept(",");
    }
    while (error.empty() && !accept("{")) {
      std::string word = take();
      if (word != ".maxntid" && word != ".reqntid")
        continue;
      kernel->maxThreads = takeNumber();
      while (accept(","))
        kernel->maxThreads *= takeNumber();
    }
    declareShared();
    parseBody();
    for (const auto &[instruction, label] : branches) {
      auto found = labels.find(label);
      if (found == labels.end())
        return fail("Label '" + label + "' is unknown");
      kernel->code[instruction].target = found->second;
    }
    kernel->numRegisters = numbers.size() + 1;
    kernel->emulator->addFrame({{"local memory", 0, kernel->localBytes}});
    if (tooMuchShared)
      error = "error   : Entry function '" + name +
              "' uses too much shared data (" +
              std::to_string(kernel->sharedBytes) + " bytes, 0xc000 max)";
    std::vector<std::string> places;
    for (const PtxInstruction &instruction : kernel->code)
      places.push_back("line " + std::to_string(instruction.line) +
                       " of the PTX");
    kernel->emulator->setPlaces(std::move(places));
  }

  void parseParameter() {
    expect(".param");
    // `.ptr .global .align 16` is about what it points to.
    size_t bytes = 8;
    if (auto type = typeOf(peek().substr(std::min<size_t>(1, peek().size()))))
      bytes = type->bits / 8;
    while (!peek().empty() && peek()[0] == '.')
      if (take() == ".align")
        take();
    std::string name = take();
    if (accept("[")) {
      bytes = takeNumber();
      expect("]");
    }
    size_t offset = (kernel->parameterBytes + bytes - 1) / bytes * bytes;
    kernel->parameters.emplace_back(bytes, offset);
    kernel->parameterBytes = offset + bytes;
    symbols[name] = offset;
  }

  /// Variables of the body, whose addresses what is before may use: dynamic
  /// shared memory is behind all others.
  void declareShared() {
    size_t body = at;
    int depth = 1;
    for (; at < tokens.size() && depth > 0 && error.empty();) {
      std::string word = take();
      depth += word == "{" ? 1 : word == "}" ? -1 : 0;
      if (word == ".shared")
        placeShared(parseDeclaration());
    }
    for (const std::string &name : dynamics)
      symbols[name] =
          reinterpret_cast<uint64_t>(kernel->emulator->dynamicShared());
    at = body;
  }

  void parseBody() {
    for (int depth = 1; depth > 0 && error.empty();) {
      if (accept("{")) {
        ++depth;
      } else if (accept("}")) {
        --depth;
      } else if (peek() == ".loc" || peek() == ".file") {
        skipLine();
      } else if (accept(".local")) {
        Variable variable = parseDeclaration();
        size_t from = (kernel->localBytes + variable.alignment - 1) /
                      variable.alignment * variable.alignment;
        locals[variable.name] = from;
        kernel->localBytes = from + variable.bytes;
        expect(";");
      } else if (accept(".reg")) {
        // `.b32 %r<5>`: names with a percent sign are known as registers.
        for (std::string word = take(); error.empty() && word != ";";
             word = take())
          if (std::isalpha(static_cast<unsigned char>(word[0])))
            scoped.insert(word);
      } else if (!peek().empty() && peek()[0] == '.') {
        while (error.empty() && take() != ";")
          ;
      } else if (at + 1 < tokens.size() && tokens[at + 1].text == ":") {
        labels[take()] = kernel->code.size();
        expect(":");
      } else {
        parseInstruction();
      }
    }
  }

  void parseInstruction() {
    PtxInstruction instruction;
    instruction.line = line();
    if (accept("@")) {
      bool isNegated = accept("!");
      instruction.guard = valueOf(take());
      instruction.guard->isNegated = isNegated;
    }
    std::string opcode = take();
    for (size_t from = 0; from <= opcode.size();) {
      size_t end = std::min(opcode.find('.', from), opcode.size());
      instruction.words.push_back(opcode.substr(from, end - from));
      if (auto type = typeOf(instruction.words.back());
          type && instruction.words.size() > 1)
        instruction.types.push_back(*type);
      from = end + 1;
    }
    if (instruction.words[0] == "bra") {
      branches.emplace_back(kernel->code.size(), take());
      expect(";");
    } else {
      while (error.empty() && !accept(";")) {
        instruction.operands.push_back(parseOperand());
        if (peek() != ";")
          expect(",");
      }
    }
    instruction.space = instruction.has("global")  ? PtxInstruction::Global
                        : instruction.has("param") ? PtxInstruction::Parameter
                                                   : PtxInstruction::Other;
    instruction.isLimited = instruction.has("sat") || instruction.has("relu");
    instruction.run = findHandler(instruction);
    if (!instruction.run && error.empty()) {
      --at;
      fail("Unknown instruction '" + opcode + "'");
    }
    kernel->code.push_back(std::move(instruction));
  }

  PtxOperand parseOperand() {
    PtxOperand operand;
    if (accept("{")) {
      while (error.empty() && !accept("}")) {
        operand.parts.push_back(parseValue());
        accept(",");
      }
    } else if (accept("[")) {
      operand.parts.push_back(parseValue());
      while (accept("+"))
        operand.offset += parseValue().bits;
      expect("]");
    } else {
      operand.parts.push_back(parseValue());
      if (accept("|"))
        operand.parts.push_back(parseValue());
    }
    return operand;
  }

  PtxValue parseValue() {
    bool isNegative = accept("-");
    bool isNegated = accept("!");
    PtxValue value = valueOf(take());
    value.isNegated = isNegated;
    if (isNegative)
      value.bits = -value.bits;
    return value;
  }

  uint64_t constantOf(const std::string &word) {
    // Floats by their bits: 0f3F800000, 0d3FF0000000000000.
    bool isFloat =
        word.size() > 2 && word[0] == '0' && std::strchr("fFdD", word[1]);
    char *end = nullptr;
    const char *begin = word.c_str() + (isFloat ? 2 : 0);
    uint64_t value = std::strtoull(begin, &end, isFloat ? 16 : 0);
    if (end == begin || (*end && std::strcmp(end, "U") != 0))
      fail("Unknown symbol '" + word + "'");
    return value;
  }

  PtxValue valueOf(const std::string &word) {
    if (auto special = specialOf(word))
      return {PtxValue::Special, false, static_cast<uint64_t>(*special)};
    if (word == "WARP_SZ")
      return {PtxValue::Constant, false, 32};
    if (!word.empty() && (word[0] == '%' || word == "_"))
      return {PtxValue::Register, false,
              numbers.emplace(word, numbers.size()).first->second};
    if (auto found = locals.find(word); found != locals.end())
      return {PtxValue::Local, false, found->second};
    if (auto found = symbols.find(word); found != symbols.end())
      return {PtxValue::Constant, false, found->second};
    if (scoped.contains(word))
      return {PtxValue::Register, false,
              numbers.emplace(word, numbers.size()).first->second};
    return {PtxValue::Constant, false, constantOf(word)};
  }

  std::vector<Token> tokens;
  size_t at = 0;
  std::string error;
  std::unique_ptr<PtxModule> module;
  std::vector<Variable> moduleShared;
  size_t elementBytes = 1;
  /// Addresses, or offsets of parameters; those of the module, and those that
  /// the kernel sees.
  std::map<std::string, uint64_t> globals, symbols;
  /// State of the kernel.
  PtxKernel *kernel = nullptr;
  std::map<std::string, uint64_t> numbers, locals;
  std::map<std::string, size_t> labels;
  std::vector<std::pair<size_t, std::string>> branches;
  std::vector<std::string> dynamics;
  std::set<std::string> scoped;
  bool tooMuchShared = false;
};
} // namespace

Result<std::unique_ptr<PtxModule>> fake::parsePtx(const std::string &text) {
  return Parser(text).run();
}
