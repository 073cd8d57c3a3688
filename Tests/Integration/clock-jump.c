// SPDX-License-Identifier: Apache-2.0

// This library is preloaded into a daemon. It moves the clocks that keep going while a machine sleeps ahead by a number
// of seconds. The file that CLOCK_JUMP names contains this number, as a native 64-bit integer. The clock that stops
// during sleep is left alone, unless CLOCK_JUMP_ALL is set. Then it moves too, as if time had passed, and every timer
// that is set fires after 10 ms. The second number in the file counts how often one was set that was not running.
//
// Timers of a clock that moves move with it, as the kernel's do: otherwise, one that was set before would be late.
//
// All clocks move at once: a thread that compares them reads CLOCK_BOOTTIME first, and sees the number of that moment in
// the others. Otherwise, if the file were written between two readings, it would see two jumps.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *jump;
static int all;
/// How far the timers have moved.
static int64_t moved;
/// Whether a descriptor is a timer of a clock that moves.
static char timers[1024];
/// Whether this thread has read CLOCK_BOOTTIME, and the number that it saw last.
static __thread int has_seen;
static __thread int64_t seen;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("CLOCK_JUMP");
  all = getenv("CLOCK_JUMP_ALL") != NULL;
  int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
  void *page = file < 0 ? MAP_FAILED : mmap(NULL, 2 * sizeof(int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file >= 0) close(file);
  if (page != MAP_FAILED) jump = page;
}

static void move_timers(void) {
  int64_t from = __atomic_load_n(&moved, __ATOMIC_SEQ_CST), to = *jump;
  if (from == to || !__atomic_compare_exchange_n(&moved, &from, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
  for (int timer = 0; timer < (int)sizeof timers; timer++) {
    struct itimerspec left = {0};
    if (!timers[timer] || syscall(SYS_timerfd_gettime, timer, &left) != 0) continue;
    if (left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0) continue;
    left.it_value.tv_sec -= to - from;
    if (left.it_value.tv_sec < 0) left.it_value = (struct timespec){.tv_nsec = 1};
    syscall(SYS_timerfd_settime, timer, 0, &left, NULL);
  }
}

/// The number of seconds by which a clock is ahead for this thread.
static int64_t ahead(clockid_t clock) {
  if (jump == NULL) return 0;
  if (clock == CLOCK_BOOTTIME || !has_seen) seen = *jump;
  has_seen |= clock == CLOCK_BOOTTIME;
  return seen;
}

int timerfd_create(int clock, int flags) {
  int timer = (int)syscall(SYS_timerfd_create, clock, flags);
  if (timer >= 0 && timer < (int)sizeof timers) timers[timer] = clock == CLOCK_BOOTTIME && !all;
  return timer;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (jump != NULL) move_timers();
  int result = (int)syscall(SYS_clock_gettime, clock, time);
  int moves = clock == CLOCK_REALTIME || clock == CLOCK_BOOTTIME || (all && clock == CLOCK_MONOTONIC);
  if (result == 0 && moves) time->tv_sec += ahead(clock);
  return result;
}

int timerfd_settime(int timer, int flags, const struct itimerspec *new, struct itimerspec *old) {
  struct itimerspec soon = {.it_value = {.tv_nsec = 10000000}};
  // One that only watches for the clock to be set has no time to wait for.
  if (all && !(flags & TFD_TIMER_CANCEL_ON_SET) && (new->it_value.tv_sec != 0 || new->it_value.tv_nsec != 0)) {
    struct itimerspec left = {0};
    syscall(SYS_timerfd_gettime, timer, &left);
    // Setting it again and again must not keep it from firing.
    if (left.it_value.tv_sec != 0 || left.it_value.tv_nsec != 0) return 0;
    new = &soon;
    flags = 0;
    if (jump != NULL) __atomic_add_fetch(&jump[1], 1, __ATOMIC_RELAXED);
  }
  return (int)syscall(SYS_timerfd_settime, timer, flags, new, old);
}

time_t time(time_t *now) {
  struct timespec time = {0};
  clock_gettime(CLOCK_REALTIME, &time);
  if (now != NULL) *now = time.tv_sec;
  return time.tv_sec;
}
