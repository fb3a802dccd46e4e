//===- ResultFile.cpp - Tables of results as Markdown ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sections begin with `## `. Those of other runs are kept as they are.
//
//===----------------------------------------------------------------------===//

#include "ResultFile.h"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

using namespace baco;
using namespace baco::bench;

/// The name that Linux gives the CPU.
static std::string cpuModel() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (size_t colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return "unknown CPU";
}

Provenance bench::describeRun(std::string command) {
  Provenance run;
  run.command = std::move(command);
  unsigned count = std::thread::hardware_concurrency();
  run.machine = cpuModel() + ", " + std::to_string(count) +
                (count == 1 ? " CPU" : " CPUs");
  std::time_t now = std::time(nullptr);
  char date[16];
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  run.date = date;
  return run;
}

Provenance bench::describeRun(int argc, char **argv) {
  std::string command = std::filesystem::path(argv[0]).filename().string();
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    while (argument.starts_with("-"))
      argument.remove_prefix(1);
    if (!argument.starts_with("markdown"))
      command += std::string(" ") + argv[i];
  }
  return describeRun(std::move(command));
}

/// A cell must not end the row.
static std::string escape(const std::string &cell) {
  std::string text;
  for (char c : cell) {
    if (c == '|')
      text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text;
}

static std::string writeRow(const std::vector<std::string> &cells) {
  std::string text = "|";
  for (const std::string &cell : cells)
    text += " " + escape(cell) + " |";
  return text + "\n";
}

static std::string writeSection(const ResultTable &table,
                                const Provenance &run) {
  std::string text = "## " + table.title + "\n\n" + run.machine + "; " +
                     run.date + "; `" + run.command + "`\n\n" +
                     writeRow(table.columns) + "|";
  for (size_t i = 0; i < table.columns.size(); ++i)
    text += "---|";
  text += "\n";
  for (const std::vector<std::string> &row : table.rows)
    text += writeRow(row);
  if (!table.notes.empty())
    text += "\n";
  for (const std::string &note : table.notes)
    text += "* " + note + "\n";
  return text;
}

std::string bench::updateSection(std::string_view file,
                                 std::string_view program,
                                 const ResultTable &table,
                                 const Provenance &provenance) {
  std::string text(file);
  if (text.empty())
    text = "# Results of " + std::string(program) + "\n";
  std::string section = writeSection(table, provenance);
  std::string heading = "\n## " + table.title + "\n";
  size_t begin = text.find(heading);
  if (begin == std::string::npos)
    return text + "\n" + section;
  ++begin;
  size_t end = text.find("\n## ", begin);
  if (end == std::string::npos)
    return text.substr(0, begin) + section;
  return text.substr(0, begin) + section + text.substr(end);
}

Result<void> bench::checkResultFile(const std::string &path) {
  if (path.empty() || std::ofstream(path, std::ios::app))
    return {};
  return {ErrorCode::IOError, path + ": cannot be written"};
}

Result<void> bench::updateResultFile(const std::string &path,
                                     std::string_view program,
                                     const std::vector<ResultTable> &tables,
                                     const Provenance &provenance) {
  std::string text;
  if (std::filesystem::exists(path)) {
    std::ifstream file(path);
    std::ostringstream content;
    content << file.rdbuf();
    if (!file)
      return {ErrorCode::IOError, path + ": cannot be read"};
    text = content.str();
  }
  for (const ResultTable &table : tables)
    text = updateSection(text, program, table, provenance);
  std::ofstream file(path);
  file << text;
  if (!file.flush())
    return {ErrorCode::IOError, path + ": cannot be written"};
  return {};
}
