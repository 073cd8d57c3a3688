// What the Glibc module leaves out: epoll(7), eventfd(2), memfd_create(2), timerfd_create(2), signalfd(2), pidfd_open(2),
// statx(2), prctl(2), ioctl(2) of sockets and pipes, what rename(2) does on Linux alone, and what posix_spawn(3) does
// beyond POSIX.
#pragma once

#include <linux/sockios.h>
#include <linux/stat.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { CLINUX_EPOLL_BATCH = 64 };

// `struct epoll_event` is packed on some machines; Swift sees a plain one.
typedef struct {
  uint32_t flags;
  uint64_t number;
} CLinuxEpollEvent;

static inline int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

// Changes what is told of a descriptor from one set of flags to another; none: nothing is.
static inline int clinux_epoll_watch(int epoll, int fd, uint64_t number, uint32_t from, uint32_t to) {
  struct epoll_event event = {.events = to, .data.u64 = number};
  return epoll_ctl(epoll, from == 0 ? EPOLL_CTL_ADD : to == 0 ? EPOLL_CTL_DEL : EPOLL_CTL_MOD, fd, &event);
}

// What there is now, at most CLINUX_EPOLL_BATCH events; does not wait.
static inline int clinux_epoll_take(int epoll, CLinuxEpollEvent *events) {
  struct epoll_event taken[CLINUX_EPOLL_BATCH];
  int count = epoll_wait(epoll, taken, CLINUX_EPOLL_BATCH, 0);
  for (int i = 0; i < count; i++) events[i] = (CLinuxEpollEvent){.flags = taken[i].events, .number = taken[i].data.u64};
  return count;
}

// Less memory than one buffer with one byte takes in the kernel.
static const int CLINUX_LEAST_BUFFER = 64;

// What was written to a socket and the other end has not read: 0 for nothing, otherwise the memory that it takes. -1 with
// errno. The kernel tells who waits (write_space) when it has taken all but the last byte of a buffer off this count, and
// takes that one off afterwards (sock_wfree): who is told looks in between, and is not told again.
static inline int clinux_unread_by_peer(int fd) {
  int count = 0;
  if (ioctl(fd, SIOCOUTQ, &count) != 0) return -1;
  return count < CLINUX_LEAST_BUFFER ? 0 : count;
}

// Bytes that can be read from a socket; bytes in a pipe, by either of its ends. -1 with errno.
static inline int clinux_readable(int fd) {
  int count = 0;
  return ioctl(fd, FIONREAD, &count) == 0 ? count : -1;
}

// Whatever ends this process, nothing of its memory is kept, and no process without privileges reads it. -1 with errno.
static inline int clinux_hide_memory(void) { return prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L); }

// A descriptor that becomes readable, for good, when something is written to it.
static inline int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// An empty file that is nowhere but in memory; -1 with errno. Glibc declares the call for _GNU_SOURCE only.
static inline int clinux_memory_file(const char *name) { return (int)syscall(SYS_memfd_create, name, 1U /* MFD_CLOEXEC */); }

// A timer of the calendar clock that never comes, and becomes readable when the clock is set or the machine has slept.
// Negative: the kernel has none.
static inline int clinux_clock_watch(void) { return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

static inline int clinux_clock_watch_arm(int fd) {
  struct itimerspec never = {.it_value.tv_sec = (time_t)(sizeof(time_t) == 8 ? INT64_MAX / 1000000000 : INT32_MAX)};
  return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

// A descriptor that becomes readable when the process, a child, has ended. -1 with errno.
static inline int clinux_process_descriptor(int process) { return (int)syscall(SYS_pidfd_open, process, 0U); }

// A descriptor that is readable while one of the signals, a `sigset_t` of those that are blocked, waits. -1 with errno.
static inline int clinux_signal_descriptor(const void *signals) {
  return (int)syscall(SYS_signalfd4, -1, signals, 8, 02000000 /* SFD_CLOEXEC */);
}

// Renames where nothing has the new name. -1 with errno: EEXIST where something has, EINVAL where the file system cannot.
static inline int clinux_rename_new(const char *from, const char *to) {
  const int here = -100; // AT_FDCWD
  return (int)syscall(SYS_renameat2, here, from, here, to, 1U /* RENAME_NOREPLACE */);
}

// Glibc declares these for _GNU_SOURCE only.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *restrict, const char *restrict);

// The program gets no descriptor from `first` on.
static inline int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// The program runs in this directory.
static inline int clinux_spawn_change_directory(posix_spawn_file_actions_t *actions, const char *path) {
  return posix_spawn_file_actions_addchdir_np(actions, path);
}

enum { CLINUX_SPAWN_NEW_SESSION = 0x80 }; // POSIX_SPAWN_SETSID

// Which file a name stands for: what no copy of it has. Glibc declares statx(2) for _GNU_SOURCE only.
typedef struct {
  uint64_t device;
  uint64_t number;
  int64_t seconds; // When it was made; 0 where the file system does not keep that.
  uint32_t nanoseconds;
  int64_t written; // When its content was written last.
} CLinuxFileOrigin;

// Of a descriptor, where `path` is empty, or of a path, which is not followed. -1 with errno.
static inline int clinux_file_origin(int directory, const char *path, CLinuxFileOrigin *origin) {
  struct statx status = {0};
  const int flags = 0x1000 | 0x100; // AT_EMPTY_PATH, AT_SYMLINK_NOFOLLOW
  if (syscall(SYS_statx, directory, path, flags, STATX_BTIME | STATX_INO | STATX_MTIME, &status) != 0) return -1;
  *origin = (CLinuxFileOrigin){
      .device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor,
      .number = status.stx_ino,
      .seconds = status.stx_btime.tv_sec,
      .nanoseconds = status.stx_btime.tv_nsec,
      .written = status.stx_mtime.tv_sec,
  };
  return 0;
}
