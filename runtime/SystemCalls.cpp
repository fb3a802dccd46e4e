//===- SystemCalls.cpp - Which system calls a candidate may make ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/SystemCalls.h"
#include "baco/Runtime/CodeSampler.h"

#include "baco/Runtime/Sandbox.h"
#include "baco/Support/Sanitizer.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

using namespace baco;
using namespace baco::runtime;

#if defined(__x86_64__)
static constexpr uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static constexpr uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "the sandbox supports only x86-64 and AArch64"
#endif

//===----------------------------------------------------------------------===//
// The lists
//===----------------------------------------------------------------------===//

/// Calls that create or reach other processes, or escape control.
static constexpr int forbiddenToCompiler[] = {
#ifdef __NR_fork
    __NR_fork, __NR_vfork,
#endif
    __NR_execve, __NR_execveat, __NR_kill, __NR_tkill, __NR_rt_sigqueueinfo,
    __NR_rt_tgsigqueueinfo, __NR_pidfd_send_signal, __NR_pidfd_getfd,
    __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev,
    __NR_process_madvise, __NR_setpriority, __NR_ioprio_set,
    __NR_sched_setscheduler, __NR_sched_setparam, __NR_sched_setattr,
    __NR_setsid, __NR_setpgid, __NR_setns, __NR_unshare, __NR_setuid,
    __NR_setgid, __NR_setreuid, __NR_setregid, __NR_setresuid, __NR_setresgid,
    __NR_setfsuid, __NR_setfsgid, __NR_setgroups, __NR_capset, __NR_personality,
    __NR_chroot, __NR_pivot_root, __NR_mount, __NR_umount2, __NR_swapon,
    __NR_swapoff, __NR_reboot, __NR_sethostname, __NR_setdomainname,
    __NR_settimeofday, __NR_clock_settime, __NR_adjtimex, __NR_clock_adjtime,
    __NR_init_module, __NR_finit_module, __NR_delete_module, __NR_kexec_load,
    __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, __NR_add_key,
    __NR_request_key, __NR_keyctl, __NR_socket,
    // Would make refused calls indirectly.
    __NR_io_uring_setup};

/// Calls that change files, or create objects with a name or outside of the
/// limits.
static constexpr int writeProtected[] = {
#ifdef __NR_unlink
    __NR_creat,     __NR_unlink,      __NR_rmdir,        __NR_rename,
    __NR_mkdir,     __NR_link,        __NR_symlink,      __NR_mknod,
    __NR_chmod,     __NR_chown,       __NR_lchown,       __NR_utime,
    __NR_utimes,    __NR_futimesat,
#endif
#ifdef __NR_renameat
    __NR_renameat,
#endif
    __NR_renameat2, __NR_unlinkat,    __NR_mkdirat,      __NR_linkat,
    __NR_symlinkat, __NR_mknodat,     __NR_truncate,     __NR_ftruncate,
    __NR_fallocate, __NR_fchmod,      __NR_fchmodat,     __NR_fchown,
    __NR_fchownat,  __NR_utimensat,   __NR_setxattr,     __NR_lsetxattr,
    __NR_fsetxattr, __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr,
    __NR_shmget,    __NR_msgget,      __NR_semget,       __NR_mq_open,
    __NR_mq_unlink, __NR_memfd_create};

/// Calls for computing, allocating, printing, timing and exiting.
static constexpr int allowedToKernel[] = {
    __NR_read,         __NR_write,
    __NR_writev,       __NR_close,
    __NR_lseek,        __NR_fstat,
    __NR_newfstatat,   __NR_munmap,
    __NR_madvise,      __NR_brk,
    __NR_futex,        __NR_sched_yield,
    __NR_getcpu,       __NR_clock_gettime,
    __NR_clock_getres, __NR_gettimeofday,
    __NR_nanosleep,    __NR_clock_nanosleep,
    __NR_getpid,       __NR_getppid,
    __NR_gettid,       __NR_getrandom,
    __NR_sigaltstack,  __NR_rt_sigprocmask,
    __NR_rt_sigreturn, __NR_restart_syscall,
    __NR_recvfrom,     __NR_sendto,
    __NR_exit,         __NR_exit_group};

//===----------------------------------------------------------------------===//
// Filters
//===----------------------------------------------------------------------===//

namespace {
/// Writes a filter: rules for single calls, one after the other, of which the
/// first that fits answers.
class FilterWriter {
public:
  FilterWriter() {
    load(offsetof(seccomp_data, arch));
    skipUnlessEqual(architecture, 1);
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0));
    // Another architecture's calls have other numbers.
    answer(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
    // So have those with 32-bit pointers.
    constexpr uint32_t x32Bit = 0x40000000;
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, x32Bit, 0, 1));
    answer(SECCOMP_RET_KILL_PROCESS);
#endif
  }

  void answerCall(uint32_t call, uint32_t action) {
    skipUnlessEqual(call, 1);
    answer(action);
  }

  /// Answers a call whose argument, as 32 bits, has one of `bits`; it goes to
  /// `otherwise` if it has none.
  void answerIfAnyBit(uint32_t call, int argument, uint32_t bits,
                      uint32_t action, uint32_t otherwise) {
    skipUnlessEqual(call, 4);
    loadArgument(argument);
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
    answer(action);
    answer(otherwise);
  }

  /// The same for an argument, as 32 bits, that is one of `values`.
  void answerIfOneOf(uint32_t call, int argument,
                     std::initializer_list<uint32_t> values, uint32_t action,
                     uint32_t otherwise) {
    skipUnlessEqual(call, 2 + 2 * values.size());
    loadArgument(argument);
    for (uint32_t value : values)
      answerCall(value, action);
    answer(otherwise);
  }

  /// Answers a call whose argument, as 32 bits, is `value`; other rules for the
  /// call may follow.
  void answerIfEqual(uint32_t call, int argument, uint32_t value,
                     uint32_t action) {
    skipUnlessEqual(call, 4);
    loadArgument(argument);
    answerCall(value, action);
    load(offsetof(seccomp_data, nr));
  }

  /// answerIfOneOf for an argument that points to one of `values`.
  void answerIfPointsTo(uint32_t call, int argument,
                        std::initializer_list<const void *> values,
                        uint32_t action, uint32_t otherwise) {
    constexpr uint8_t perValue = 5;
    skipUnlessEqual(call, 1 + perValue * values.size());
    for (const void *value : values) {
      auto address = reinterpret_cast<uint64_t>(value);
      loadArgument(argument);
      skipUnlessEqual(static_cast<uint32_t>(address), 3);
      loadArgument(argument, /*high=*/true);
      skipUnlessEqual(static_cast<uint32_t>(address >> 32), 1);
      answer(action);
    }
    answer(otherwise);
  }

  /// Signals to this process only, and not SIGKILL, which marks a candidate as
  /// killed from outside.
  void admitOwnSignals() {
    answerIfEqual(__NR_tgkill, 2, SIGKILL, SECCOMP_RET_TRAP);
    answerIfOneOf(__NR_tgkill, 0, {static_cast<uint32_t>(getpid())},
                  SECCOMP_RET_ALLOW, SECCOMP_RET_TRAP);
  }

  /// Answers a call that makes one of `pages` readable or writable; it goes to
  /// `otherwise` if it does anything else.
  void answerIfProtects(uint32_t call,
                        std::span<const std::span<std::byte>> pages,
                        uint32_t action, uint32_t otherwise) {
    constexpr uint32_t perPages = 12;
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 1, 0));
    program.push_back(BPF_STMT(
        BPF_JMP | BPF_JA, perPages * static_cast<uint32_t>(pages.size()) + 1));
    for (std::span<std::byte> range : pages) {
      uint8_t left = perPages;
      for (auto [argument, value] :
           {std::pair{0, reinterpret_cast<uint64_t>(range.data())},
            std::pair{1, uint64_t(range.size())}})
        for (bool isHigh : {false, true}) {
          loadArgument(argument, isHigh);
          left -= 2;
          skipUnlessEqual(static_cast<uint32_t>(isHigh ? value >> 32 : value),
                          left);
        }
      loadArgument(2);
      program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PROT_READ, 1, 0));
      skipUnlessEqual(PROT_READ | PROT_WRITE, 1);
      answer(action);
    }
    answer(otherwise);
  }

  void answer(uint32_t action) {
    program.push_back(BPF_STMT(BPF_RET | BPF_K, action));
  }

  /// Applies the filter to all threads of this process, for good.
  bool install(ControlBlock &control) {
    sock_fprog filter{static_cast<unsigned short>(program.size()),
                      program.data()};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
      return refuse(control, "prctl(PR_SET_NO_NEW_PRIVS)");
    // Without SPEC_ALLOW older kernels switch off speculative store forwarding
    // in filtered processes, which would change the times that we measure.
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                &filter) != 0)
      return refuse(control, "seccomp");
    return true;
  }

private:
  void load(uint32_t offset) {
    program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
  }
  void loadArgument(int argument, bool high = false) {
    // Both machines are little-endian.
    load(offsetof(seccomp_data, args) + 8 * argument + (high ? 4 : 0));
  }
  void skipUnlessEqual(uint32_t value, uint8_t count) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count));
  }

  std::vector<sock_filter> program;
};
} // namespace

static constexpr uint32_t refuseWith(int error) {
  return SECCOMP_RET_ERRNO | error;
}

bool runtime::confineCompiler(ControlBlock &control) {
  constexpr uint32_t allow = SECCOMP_RET_ALLOW, forbid = SECCOMP_RET_TRAP;
  FilterWriter filter;
  for (int call : forbiddenToCompiler)
    filter.answerCall(call, forbid);
  for (int call : writeProtected)
    filter.answerCall(call, refuseWith(EROFS));

  constexpr uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
#ifdef __NR_open
  filter.answerIfAnyBit(__NR_open, 1, writing, refuseWith(EROFS), allow);
#endif
  filter.answerIfAnyBit(__NR_openat, 2, writing, refuseWith(EROFS), allow);
  // Their arguments are in memory, which a filter can't read. Libraries then
  // use the older calls.
  filter.answerCall(__NR_openat2, refuseWith(ENOSYS));
  filter.answerCall(__NR_clone3, refuseWith(ENOSYS));
  filter.answerIfAnyBit(__NR_clone, 0, CLONE_THREAD, allow, forbid);

  filter.admitOwnSignals();
  filter.answerIfOneOf(
      __NR_prctl, 0, {PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER}, forbid, allow);
  filter.answerCall(__NR_setrlimit, refuseWith(EPERM));
  // Such a timer would outlast the compiler.
  filter.answerCall(__NR_timer_create, refuseWith(EPERM));
  filter.answerIfPointsTo(__NR_prlimit64, 2, {nullptr}, allow,
                          refuseWith(EPERM));
  filter.answer(allow);
  return filter.install(control);
}

bool runtime::confineKernel(ControlBlock &control,
                            std::span<const std::span<std::byte>> protectable) {
  constexpr size_t maxProtectable = 64;
  constexpr uint32_t allow = SECCOMP_RET_ALLOW, forbid = SECCOMP_RET_TRAP;
  FilterWriter filter;
  for (int call : allowedToKernel)
    filter.answerCall(call, allow);
  if (isAddressSanitized) {
    // Its allocator maps memory at fixed addresses.
    for (int call : {__NR_mmap, __NR_mremap, __NR_mprotect})
      filter.answerCall(call, allow);
  } else {
    constexpr uint32_t fixed = MAP_FIXED | MAP_FIXED_NOREPLACE;
    filter.answerIfAnyBit(__NR_mmap, 3, fixed, forbid, allow);
    filter.answerIfAnyBit(__NR_mremap, 3, MREMAP_FIXED, forbid, allow);
  }
  filter.admitOwnSignals();
  // Only with the values that start and end samples.
  auto [ticking, still] = samplingTimers();
  filter.answerIfPointsTo(__NR_setitimer, 1, {ticking, still}, allow, forbid);
  if (!isAddressSanitized)
    filter.answerIfProtects(
        __NR_mprotect,
        protectable.first(std::min(protectable.size(), maxProtectable)), allow,
        forbid);
  filter.answer(forbid);
  return filter.install(control);
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

std::string runtime::describeSystemCall(int64_t number) {
  static constexpr std::pair<int, const char *> names[] = {
#ifdef __NR_fork
      {__NR_fork, "fork"},
      {__NR_vfork, "vfork"},
      {__NR_open, "open"},
      {__NR_alarm, "alarm"},
      {__NR_unlink, "unlink"},
#endif
      {__NR_clone, "clone"},
      {__NR_clone3, "clone3"},
      {__NR_execve, "execve"},
      {__NR_execveat, "execveat"},
      {__NR_openat, "openat"},
      {__NR_unlinkat, "unlinkat"},
      {__NR_ftruncate, "ftruncate"},
      {__NR_memfd_create, "memfd_create"},
      {__NR_kill, "kill"},
      {__NR_tkill, "tkill"},
      {__NR_tgkill, "tgkill"},
      {__NR_socket, "socket"},
      {__NR_ptrace, "ptrace"},
      {__NR_process_vm_readv, "process_vm_readv"},
      {__NR_process_vm_writev, "process_vm_writev"},
      {__NR_setsid, "setsid"},
      {__NR_setpgid, "setpgid"},
      {__NR_setuid, "setuid"},
      {__NR_setitimer, "setitimer"},
      {__NR_prctl, "prctl"},
      {__NR_prlimit64, "prlimit64"},
      {__NR_setrlimit, "setrlimit"},
      {__NR_sched_setaffinity, "sched_setaffinity"},
      {__NR_sched_setscheduler, "sched_setscheduler"},
      {__NR_setpriority, "setpriority"},
      {__NR_mmap, "mmap"},
      {__NR_mremap, "mremap"},
      {__NR_mprotect, "mprotect"},
      {__NR_io_uring_setup, "io_uring_setup"},
      {__NR_rt_sigaction, "rt_sigaction"},
      {__NR_ioctl, "ioctl"}};
  std::string text = std::to_string(number);
  for (auto [call, name] : names)
    if (call == number)
      text += std::string(" (") + name + ")";
  return text;
}
