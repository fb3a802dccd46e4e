//===- ServerFigures.cpp - What a server has done -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The server counts messages; the kernel counts its time.
//
//===----------------------------------------------------------------------===//

#include "ServerFigures.h"

#include "ComputedStudy.h"

#include "Cluster/LocalServer.h"

#include <cstdlib>
#include <sstream>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace baco::bench;

static std::string get(int port, const std::string &path) {
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  std::string request = "GET " + path + " HTTP/1.0\r\n\r\n", answer;
  if (connect(descriptor, reinterpret_cast<sockaddr *>(&address),
              sizeof address) != 0 ||
      write(descriptor, request.data(), request.size()) < 0)
    fail("the server doesn't tell what it does");
  char buffer[4096];
  for (ssize_t size; (size = read(descriptor, buffer, sizeof buffer)) > 0;)
    answer.append(buffer, static_cast<size_t>(size));
  close(descriptor);
  return answer;
}

static double field(const std::string &text, const std::string &name) {
  size_t at = text.find("\"" + name + "\":");
  if (at == std::string::npos)
    fail("the server doesn't tell " + name);
  return std::strtod(text.c_str() + at + name.size() + 3, nullptr);
}

ServerFigures baco::bench::readFigures(int monitorPort, pid_t server) {
  std::string text = get(monitorPort, "/varz");
  ServerFigures figures;
  figures.messagesIn = field(text, "in_msgs");
  figures.messagesOut = field(text, "out_msgs");
  figures.bytesIn = field(text, "in_bytes");
  figures.bytesOut = field(text, "out_bytes");
  std::string process = "/proc/" + std::to_string(server);
  std::string stat = cluster::test::readAll(process + "/stat");
  // Behind the name, which may have blanks: utime and stime are the 14th and
  // 15th field of all.
  std::istringstream fields(stat.substr(stat.rfind(')') + 1));
  std::string skipped;
  for (int i = 3; i < 14; ++i)
    fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  figures.cpuSeconds =
      (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  std::string status = cluster::test::readAll(process + "/status");
  figures.memoryMB =
      std::strtod(status.c_str() + status.find("VmRSS:") + 6, nullptr) * 1e-3;
  return figures;
}
