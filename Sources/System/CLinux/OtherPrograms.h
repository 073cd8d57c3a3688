// SPDX-License-Identifier: Apache-2.0

// Keeps this process from running other programs (seccomp(2)).
#pragma once

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// From now on, execve(2) and execveat(2) fail with EPERM in all threads, and nothing allows them again. Other kinds of
// system calls than this program's own, which have other numbers, fail as well. -1 with errno.
static inline int clinux_forbid_programs(void) {
#if defined(__x86_64__)
  enum { OWN_KIND = AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
  enum { OWN_KIND = AUDIT_ARCH_AARCH64 };
#else
#error "Name the kind of system calls of this machine"
#endif
  // Numbers of the kind x32 begin here.
  enum { X32 = 0x40000000 };
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)OWN_KIND, 0, 5),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execveat, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1 /* EPERM */),
  };
  struct sock_fprog program = {.len = sizeof code / sizeof code[0], .filter = code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) != 0) return -1;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0 ? 0 : -1;
}
