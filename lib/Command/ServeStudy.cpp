//===- ServeStudy.cpp - Clients of a study --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread polls: a study is asked and told in one order in any case.
//
//===----------------------------------------------------------------------===//

#include "baco/Command/StudyServer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

using namespace baco;
using namespace baco::command;

namespace {
/// A connection, or standard input and output.
struct Client {
  uint64_t number = 0;
  int input = -1, output = -1;
  /// Read, and no whole line yet; to be written.
  std::string unread, unsent;
  /// The rest of a line that is too long is dropped.
  bool isSkipping = false;
  /// It says nothing more; what it asked for is still sent.
  bool hasEnded = false;
  /// It doesn't listen either.
  bool isGone = false;
};

/// One run of `serveStudy`.
class Service {
public:
  Service(StudyServer &server, const std::string &path,
          const std::atomic<bool> *stop)
      : server(server), path(path), stop(stop) {}
  ~Service();

  Result<void> listen();
  Result<void> run();

private:
  void add(int input, int output);
  void accept();
  Result<void> read(Client &client);
  Result<void> answer(Client &client, std::string_view line);
  void send(Client &client);
  void dropEnded();

  StudyServer &server;
  const std::string path;
  const std::atomic<bool> *stop;
  int listener = -1, lock = -1;
  /// The inode of the socket that was made.
  ino_t inode = 0;
  uint64_t numClients = 0;
  std::vector<std::unique_ptr<Client>> clients;
};
} // namespace

static Error cannot(const std::string &what, const std::string &path) {
  return {ErrorCode::IOError,
          what + " '" + path + "': " + std::strerror(errno)};
}

Service::~Service() {
  for (std::unique_ptr<Client> &client : clients) {
    server.leave(client->number);
    if (client->input != STDIN_FILENO)
      close(client->input);
  }
  struct stat found = {};
  if (listener >= 0) {
    if (lstat(path.c_str(), &found) == 0 && found.st_ino == inode)
      unlink(path.c_str());
    close(listener);
  }
  // The file stays: who waits for its lock would lock one that nobody sees.
  if (lock >= 0)
    close(lock);
}

Result<void> Service::listen() {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return {ErrorCode::InvalidArgument,
            "--socket: '" + path + "' is too long for a socket, which has " +
                std::to_string(sizeof address.sun_path - 1) + " bytes"};
  std::memcpy(address.sun_path, path.data(), path.size());
  // The kernel gives the lock back however a service ends, whose socket stays.
  int file = open((path + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0)
    return cannot("cannot make", path + ".lock");
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    close(file);
    return {ErrorCode::IOError, "another service has the socket '" + path +
                                    "': choose another --socket"};
  }
  lock = file;
  struct stat found = {};
  if (lstat(path.c_str(), &found) == 0 && !S_ISSOCK(found.st_mode))
    return {ErrorCode::IOError, "'" + path +
                                    "' is no socket: choose another "
                                    "--socket"};
  // Another program may listen there. What a killed service has left refuses.
  int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  bool isTaken =
      probe >= 0 && (connect(probe, reinterpret_cast<sockaddr *>(&address),
                             sizeof address) == 0 ||
                     (errno != ECONNREFUSED && errno != ENOENT));
  if (probe >= 0)
    close(probe);
  if (isTaken)
    return {ErrorCode::IOError, "another program has the socket '" + path +
                                    "': choose another --socket"};
  unlink(path.c_str());
  int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made < 0)
    return cannot("cannot make the socket", path);
  // Nobody else may connect, not even for a moment.
  mode_t before = umask(0177);
  int bound =
      bind(made, reinterpret_cast<sockaddr *>(&address), sizeof address);
  umask(before);
  if (bound != 0 || ::listen(made, SOMAXCONN) != 0) {
    Error error = cannot("cannot make the socket", path);
    close(made);
    return error;
  }
  if (lstat(path.c_str(), &found) == 0)
    inode = found.st_ino;
  listener = made;
  return {};
}

void Service::add(int input, int output) {
  auto client = std::make_unique<Client>();
  client->number = numClients++;
  client->input = input;
  client->output = output;
  client->unsent = server.greet() + "\n";
  send(*client);
  clients.push_back(std::move(client));
}

void Service::accept() {
  int connection =
      accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (connection >= 0)
    return add(connection, connection);
  // Without descriptors the client waits, and polling would not.
  timespec pause = {0, 100'000'000};
  nanosleep(&pause, nullptr);
}

/// Writes as much as goes now, in pieces that don't block where poll says that
/// there is room. A client that doesn't read gets nothing more.
void Service::send(Client &client) {
  constexpr size_t maxUnsent = size_t{64} << 20;
  while (!client.unsent.empty() && !client.isGone) {
    pollfd room = {client.output, POLLOUT, 0};
    if (poll(&room, 1, 0) <= 0 || !(room.revents & (POLLOUT | POLLERR))) {
      client.isGone |= client.unsent.size() > maxUnsent;
      return;
    }
    ssize_t size = write(client.output, client.unsent.data(),
                         std::min<size_t>(client.unsent.size(), PIPE_BUF));
    if (size >= 0)
      client.unsent.erase(0, static_cast<size_t>(size));
    else if (errno != EINTR && errno != EAGAIN)
      client.isGone = true;
  }
}

Result<void> Service::answer(Client &client, std::string_view line) {
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  if (line.empty())
    return {};
  Result<std::string> text = server.answer(client.number, line);
  if (!text)
    return text.error();
  client.unsent += *text + "\n";
  send(client);
  return {};
}

Result<void> Service::read(Client &client) {
  char bytes[65536];
  ssize_t size = ::read(client.input, bytes, sizeof bytes);
  if (size <= 0) {
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
      return {};
    client.hasEnded = true;
    // The last line may have no end.
    std::string rest = std::move(client.unread);
    return client.isSkipping ? Result<void>() : answer(client, rest);
  }
  client.unread.append(bytes, static_cast<size_t>(size));
  size_t begin = 0;
  for (size_t end; (end = client.unread.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    std::string_view line(client.unread.data() + begin, end - begin);
    if (std::exchange(client.isSkipping, false))
      continue;
    if (Result<void> done = answer(client, line); !done)
      return done;
    if (server.isOver())
      return {};
  }
  client.unread.erase(0, begin);
  if (client.unread.size() > maxRequestBytes) {
    if (!client.isSkipping)
      if (Result<void> done = answer(client, client.unread); !done)
        return done;
    client.isSkipping = true;
    client.unread.clear();
  }
  return {};
}

void Service::dropEnded() {
  std::erase_if(clients, [&](const std::unique_ptr<Client> &client) {
    if (!client->isGone && !(client->hasEnded && client->unsent.empty()))
      return false;
    server.leave(client->number);
    if (client->input != STDIN_FILENO)
      close(client->input);
    return true;
  });
}

Result<void> Service::run() {
  if (listener < 0)
    add(STDIN_FILENO, STDOUT_FILENO);
  while (!(stop && stop->load()) && !server.isOver() &&
         (listener >= 0 || !clients.empty())) {
    std::vector<pollfd> waiting;
    for (const std::unique_ptr<Client> &client : clients) {
      // poll leaves negative descriptors out.
      waiting.push_back({client->hasEnded ? -1 : client->input, POLLIN, 0});
      waiting.push_back(
          {client->unsent.empty() ? -1 : client->output, POLLOUT, 0});
    }
    waiting.push_back({listener, POLLIN, 0});
    // A signal may come between the check of `stop` and this.
    constexpr int intervalMs = 200;
    if (poll(waiting.data(), waiting.size(), intervalMs) < 0)
      continue;
    for (size_t i = 0; i < clients.size(); ++i) {
      if (waiting[2 * i + 1].revents)
        send(*clients[i]);
      if (waiting[2 * i].revents && !server.isOver())
        if (Result<void> done = read(*clients[i]); !done)
          return done;
    }
    if (waiting.back().revents)
      accept();
    dropEnded();
  }
  // The last answers.
  constexpr int patience = 50;
  for (int i = 0; i < patience && !clients.empty(); ++i) {
    bool isDone = true;
    for (const std::unique_ptr<Client> &client : clients) {
      send(*client);
      isDone &= client->unsent.empty() || client->isGone;
    }
    if (isDone)
      break;
    poll(nullptr, 0, /*timeout=*/20);
  }
  return {};
}

Result<void> command::serveStudy(StudyServer &server,
                                 const std::string &socketPath,
                                 const std::atomic<bool> *stop) {
  Service service(server, socketPath, stop);
  if (!socketPath.empty())
    if (Result<void> listening = service.listen(); !listening)
      return listening;
  return service.run();
}
