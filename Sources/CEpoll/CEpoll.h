// epoll(7), which the Glibc module leaves out. `struct epoll_event` is packed on some machines; Swift sees a plain one.
#pragma once

#include <stdint.h>
#include <sys/epoll.h>

enum { CEPOLL_BATCH = 64 };

typedef struct {
  uint32_t flags;
  uint64_t number;
} CEpollEvent;

static inline int cepoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

// Changes what is told of a descriptor from one set of flags to another; none: nothing is.
static inline int cepoll_watch(int epoll, int fd, uint64_t number, uint32_t from, uint32_t to) {
  struct epoll_event event = {.events = to, .data.u64 = number};
  return epoll_ctl(epoll, from == 0 ? EPOLL_CTL_ADD : to == 0 ? EPOLL_CTL_DEL : EPOLL_CTL_MOD, fd, &event);
}

// What there is now, at most CEPOLL_BATCH events; does not wait.
static inline int cepoll_take(int epoll, CEpollEvent *events) {
  struct epoll_event taken[CEPOLL_BATCH];
  int count = epoll_wait(epoll, taken, CEPOLL_BATCH, 0);
  for (int i = 0; i < count; i++) events[i] = (CEpollEvent){.flags = taken[i].events, .number = taken[i].data.u64};
  return count;
}
