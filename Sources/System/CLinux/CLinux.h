// SPDX-License-Identifier: Apache-2.0

// What the Glibc module leaves out: xattr(7), epoll(7), eventfd(2), memfd_create(2), timerfd_create(2), signalfd(2),
// pidfd_open(2), statx(2), openat2(2), prctl(2), malloc_trim(3), dl_iterate_phdr(3), gettext(3), ioctl(2) for sockets,
// pipes and terminals, and the extensions of rename(2) on Linux and of posix_spawn(3) beyond POSIX.
#pragma once

#include <libintl.h>
#include <link.h>
#include <linux/openat2.h>
#include <linux/sockios.h>
#include <linux/stat.h>
#include <malloc.h>
#include <netinet/in.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

enum { CLINUX_EPOLL_BATCH = 64 };

// `struct epoll_event` is packed on some machines. Swift sees an unpacked one.
typedef struct {
  uint32_t flags;
  uint64_t number;
} CLinuxEpollEvent;

static inline int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

// Changes which events of a descriptor are reported, from one set of flags to another. With no flags, none are.
static inline int clinux_epoll_watch(int epoll, int fd, uint64_t number, uint32_t from, uint32_t to) {
  struct epoll_event event = {.events = to, .data.u64 = number};
  return epoll_ctl(epoll, from == 0 ? EPOLL_CTL_ADD : to == 0 ? EPOLL_CTL_DEL : EPOLL_CTL_MOD, fd, &event);
}

// Takes the events that have occurred, at most CLINUX_EPOLL_BATCH. Waits up to `milliseconds` for the first one; forever
// with -1.
static inline int clinux_epoll_take(int epoll, CLinuxEpollEvent *events, int milliseconds) {
  struct epoll_event taken[CLINUX_EPOLL_BATCH];
  int count = epoll_wait(epoll, taken, CLINUX_EPOLL_BATCH, milliseconds);
  for (int i = 0; i < count; i++) events[i] = (CLinuxEpollEvent){.flags = taken[i].events, .number = taken[i].data.u64};
  return count;
}

// What the kernel knows about a TCP connection: the smoothed and the shortest time of a round trip in microseconds, how
// many bytes may be on their way at the same time (the congestion window), how many bytes it has taken and not sent yet,
// at how many bytes per second they have arrived, whether that rate was limited by the program, because the kernel had
// nothing to send for a moment, and how many segments it has sent in all, and again.
typedef struct {
  uint32_t round_trip;
  uint64_t window;
  uint32_t unsent;
  uint32_t least_round_trip;
  uint64_t arrival_rate;
  int is_limited_by_program;
  uint32_t sent_segments, resent_segments;
} CLinuxConnectionState;

// Returns 0, or -1 with errno. The C library's `struct tcp_info` ends before the last member, and <linux/tcp.h> has
// another one of the same name, so they are taken from their places in the latter.
static inline int clinux_connection_state(int fd, CLinuxConnectionState *state) {
  enum { TCP_INFO_OPTION = 11, FLAGS = 7, SEGMENT = 16, ROUND_TRIP = 68, SEGMENTS = 80, RESENT = 100 };
  enum { UNSENT = 144, LEAST = 148, SENT = 156, RATE = 160, LENGTH = 168 };
  unsigned char info[LENGTH] = {0};
  socklen_t length = LENGTH;
  uint32_t segment, segments;
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO_OPTION, info, &length) != 0) return -1;
  __builtin_memcpy(&state->round_trip, info + ROUND_TRIP, sizeof state->round_trip);
  __builtin_memcpy(&segment, info + SEGMENT, sizeof segment);
  __builtin_memcpy(&segments, info + SEGMENTS, sizeof segments);
  __builtin_memcpy(&state->unsent, info + UNSENT, sizeof state->unsent);
  __builtin_memcpy(&state->least_round_trip, info + LEAST, sizeof state->least_round_trip);
  __builtin_memcpy(&state->arrival_rate, info + RATE, sizeof state->arrival_rate);
  __builtin_memcpy(&state->sent_segments, info + SENT, sizeof state->sent_segments);
  __builtin_memcpy(&state->resent_segments, info + RESENT, sizeof state->resent_segments);
  state->window = (uint64_t)segment * segments;
  // tcpi_delivery_rate_app_limited, the first of the bits.
  state->is_limited_by_program = info[FLAGS] & 1;
  return 0;
}

// Limits how many bytes per second the kernel sends (SO_MAX_PACING_RATE).
static inline int clinux_limit_rate(int fd, unsigned long rate) {
  enum { SO_MAX_PACING_RATE_OPTION = 47 };
  return setsockopt(fd, SOL_SOCKET, SO_MAX_PACING_RATE_OPTION, &rate, sizeof rate);
}

static const int CLINUX_CONGESTION = 13;

// Whether this process may choose the congestion control for a connection.
static inline int clinux_may_use_congestion_control(const char *name, socklen_t length) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return 0;
  int result = setsockopt(fd, IPPROTO_TCP, CLINUX_CONGESTION, name, length);
  (void)close(fd);
  return result == 0;
}

// Makes a congestion control that has measured the path (BBR) begin again, as on a new connection. Does nothing with
// others, or if the connection has it only because of its route. Returns 0, or -1 with errno.
static inline int clinux_restart_congestion_control(int fd) {
  static const char BBR[] = "bbr", EVERYWHERE[] = "reno";
  char name[16] = {0};
  socklen_t length = sizeof name;
  if (getsockopt(fd, IPPROTO_TCP, CLINUX_CONGESTION, name, &length) != 0) return -1;
  if (length < sizeof BBR || __builtin_memcmp(name, BBR, sizeof BBR) != 0) return 0;
  if (!clinux_may_use_congestion_control(BBR, sizeof BBR - 1)) return 0;
  if (setsockopt(fd, IPPROTO_TCP, CLINUX_CONGESTION, EVERYWHERE, sizeof EVERYWHERE - 1) != 0) return -1;
  return setsockopt(fd, IPPROTO_TCP, CLINUX_CONGESTION, BBR, sizeof BBR - 1);
}

// Limits the bytes that the kernel takes and has not sent yet (TCP_NOTSENT_LOWAT). It then says that a connection can
// be written to when there is half as much.
static inline int clinux_limit_unsent(int fd, int length) {
  enum { TCP_NOTSENT_LOWAT_OPTION = 25 };
  return setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT_OPTION, &length, sizeof length);
}

// Less than the kernel memory of a buffer with one byte.
static const int CLINUX_LEAST_BUFFER = 64;

// Returns the memory taken by bytes that were written to a socket and not yet read at the other end: 0 if there are
// none, -1 with errno on failure. The kernel wakes waiters (write_space) when it has subtracted all but the last byte
// of a buffer from this count, and subtracts that byte afterwards (sock_wfree). A waiter can look in between and is not
// woken again, so a small rest counts as 0.
static inline int clinux_unread_by_peer(int fd) {
  int count = 0;
  if (ioctl(fd, SIOCOUTQ, &count) != 0) return -1;
  return count < CLINUX_LEAST_BUFFER ? 0 : count;
}

// Returns how many bytes can be read from a socket, or are in a pipe (given either of its ends). -1 with errno.
static inline int clinux_readable(int fd) {
  int count = 0;
  return ioctl(fd, FIONREAD, &count) == 0 ? count : -1;
}

// Lets the other side of a pseudoterminal (/dev/ptmx) be opened. Returns the number of its file in /dev/pts; -1 with
// errno.
static inline int clinux_terminal_unlock(int fd) {
  int locked = 0, number = -1;
  return ioctl(fd, TIOCSPTLCK, &locked) == 0 && ioctl(fd, TIOCGPTN, &number) == 0 ? number : -1;
}

// Sets the size of a terminal in characters. -1 with errno.
static inline int clinux_terminal_resize(int fd, uint16_t columns, uint16_t rows) {
  struct winsize size = {.ws_col = columns, .ws_row = rows};
  return ioctl(fd, TIOCSWINSZ, &size);
}

// Gets the size of a terminal in characters. -1 with errno.
static inline int clinux_terminal_size(int fd, uint16_t *columns, uint16_t *rows) {
  struct winsize size = {0};
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

// Keeps this process's memory out of core files, however it ends, and from other processes without privileges. -1 with
// errno.
static inline int clinux_hide_memory(void) { return prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L); }

// Names the calling thread, for ps(1) and debuggers. The kernel keeps 15 characters.
static inline void clinux_name_thread(const char *name) { (void)prctl(PR_SET_NAME, name, 0L, 0L, 0L); }

// Gives the kernel back the pages of the heap that nothing uses, in all of Glibc's arenas.
static inline void clinux_trim_memory(void) { (void)malloc_trim(0); }

// The first members of `struct dl_phdr_info`, which Glibc declares for _GNU_SOURCE only, as it does the call.
typedef struct {
  ElfW(Addr) address;
  const char *name;
  const ElfW(Phdr) *segments;
  ElfW(Half) count;
} CLinuxObject;

extern int clinux_iterate_objects(int (*)(CLinuxObject *, size_t, void *), void *) __asm__("dl_iterate_phdr");

// Takes the pages of an object's file that nobody can write to out of this process's memory.
static inline int clinux_unmap_pages(CLinuxObject *object, size_t size, void *unused) {
  (void)size, (void)unused;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < object->count; i++) {
    const ElfW(Phdr) *segment = &object->segments[i];
    if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
    uintptr_t start = object->address + segment->p_vaddr, end = start + segment->p_memsz;
    start = (start + page - 1) / page * page, end = end / page * page;
    if (start < end) (void)madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

// Takes the code of the program and of its libraries out of this process's memory. It stays in the kernel's cache, and
// whatever is called is mapped again, 64 KiB at a time.
static inline void clinux_unmap_code(void) { (void)clinux_iterate_objects(clinux_unmap_pages, NULL); }

// Returns a descriptor that becomes readable, permanently, when something is written to it.
static inline int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// Returns a new file that exists only in memory, close-on-exec (MFD_CLOEXEC); -1 with errno. Glibc declares the call
// for _GNU_SOURCE only.
static inline int clinux_memory_file(const char *name) { return (int)syscall(SYS_memfd_create, name, 1U /* flags */); }

// Returns a timer of the calendar clock that never fires, but becomes readable when the clock is set or the machine has
// slept. Negative if the kernel provides none.
static inline int clinux_clock_watch(void) { return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

static inline int clinux_clock_watch_arm(int fd) {
  struct itimerspec never = {.it_value.tv_sec = (time_t)(sizeof(time_t) == 8 ? INT64_MAX / 1000000000 : INT32_MAX)};
  return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

// A timer of the clock that goes on while the machine sleeps. -1 with errno.
static inline int clinux_timer_create(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

// Makes the timer's descriptor readable once that time has passed, and not before; never with zero.
static inline void clinux_timer_set(int fd, int64_t seconds, long nanoseconds) {
  struct itimerspec time = {.it_value.tv_sec = (time_t)seconds, .it_value.tv_nsec = nanoseconds};
  (void)timerfd_settime(fd, 0, &time, NULL);
}

// Returns a descriptor that becomes readable when the process has ended. -1 with errno.
static inline int clinux_process_descriptor(int process) { return (int)syscall(SYS_pidfd_open, process, 0U); }

// Closes all descriptors from `first` on.
static inline void clinux_close_from(int first) { (void)syscall(SYS_close_range, first, ~0U, 0U); }

// Returns a descriptor that is readable while one of the signals is pending. `signals` is a `sigset_t` of blocked
// signals. -1 with errno.
static inline int clinux_signal_descriptor(const void *signals) {
  return (int)syscall(SYS_signalfd4, -1, signals, 8, 02000000 /* SFD_CLOEXEC */);
}

// Renames a file unless the new name exists. -1 with errno: EEXIST if it exists, EINVAL if the file system cannot do
// this.
static inline int clinux_rename_new(const char *from, const char *to) {
  const int here = -100; // AT_FDCWD
  return (int)syscall(SYS_renameat2, here, from, here, to, 1U /* RENAME_NOREPLACE */);
}

// Does the same with a file in a directory.
static inline int clinux_rename_new_in(int directory, const char *from, const char *to) {
  return (int)syscall(SYS_renameat2, directory, from, directory, to, 1U /* RENAME_NOREPLACE */);
}

// Does the same from one directory to another one.
static inline int clinux_move_new(int directory, const char *from, int other, const char *to) {
  return (int)syscall(SYS_renameat2, directory, from, other, to, 1U /* RENAME_NOREPLACE */);
}

// Opens what is below a directory, for reading. No part of the path leads out of the directory, or is a symbolic link.
// If `stays` is not 0, none is on another file system. -1 with errno.
static inline int clinux_open_beneath(int directory, const char *path, int flags, int stays) {
  struct open_how how = {
      .flags = (uint64_t)flags,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | (stays ? RESOLVE_NO_XDEV : 0),
  };
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

// Opens or creates what is below a directory, in the same way. `mode` is that of a new file. -1 with errno.
static inline int clinux_create_beneath(int directory, const char *path, int flags, uint32_t mode) {
  const int create = 0100; // O_CREAT
  struct open_how how = {
      .flags = (uint64_t)flags,
      .mode = flags & create ? mode : 0,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

// A file in memory that nothing else can open by a name. -1 with errno.
static inline int clinux_sealable_memory_file(const char *name) {
  return (int)syscall(SYS_memfd_create, name, 1U | 2U); // MFD_CLOEXEC, MFD_ALLOW_SEALING
}

// Nobody can change the file in memory again. -1 with errno.
static inline int clinux_seal(int fd) { return (int)syscall(SYS_fcntl, fd, 1033, 1 | 2 | 4 | 8); } // F_ADD_SEALS: seal, shrink, grow, write

// Begins to write a file to the disk (SYNC_FILE_RANGE_WRITE), and does not wait for it.
static inline void clinux_begin_writing(int fd) { (void)syscall(SYS_sync_file_range, fd, 0L, 0L, 2U); }

// syncfs(2), which Glibc declares for _GNU_SOURCE only.
static inline int clinux_write_file_system(int fd) { return (int)syscall(SYS_syncfs, fd); }

// Glibc declares these for _GNU_SOURCE only.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *restrict, const char *restrict);

// The program inherits no descriptor from `first` on.
static inline int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// The program runs in this directory.
static inline int clinux_spawn_change_directory(posix_spawn_file_actions_t *actions, const char *path) {
  return posix_spawn_file_actions_addchdir_np(actions, path);
}

enum { CLINUX_SPAWN_NEW_SESSION = 0x80 }; // POSIX_SPAWN_SETSID

// Identifies the file that a name refers to; a copy of the file differs. Glibc declares statx(2) for _GNU_SOURCE only.
typedef struct {
  uint64_t device;
  uint64_t number;
  int64_t seconds; // When it was created; 0 if the file system does not record that.
  uint32_t nanoseconds;
  int64_t written; // When its content was last written.
} CLinuxFileOrigin;

// Describes a descriptor if `path` is empty, otherwise a path, whose last symbolic link is not followed. -1 with errno.
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
