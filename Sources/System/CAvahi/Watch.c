// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "Internal.h"

/// One direction of a watch.
///
/// libdbus closes its descriptor right after it frees the watch, but libdispatch lets go of a descriptor only when the
/// cancel handler runs. So each source uses a duplicate, which the cancel handler closes. Otherwise, a reconnection
/// that gets the same number would run into the stale registration.
typedef struct {
  AvahiWatch *watch;
  dispatch_source_t source;
  int fd;
  short event;  // POLLIN or POLLOUT
  bool running;
} Direction;

struct AvahiWatch {
  dispatch_queue_t queue;
  int fd;
  AvahiWatchEvent received;
  AvahiWatchCallback callback;
  void *userdata;
  bool freed;
  int sources;
  Direction input, output;
};

static void direction_fired(void *context) {
  Direction *direction = context;
  AvahiWatch *watch = direction->watch;
  if (watch->freed || !direction->running) return;
  // Poll again, because Avahi wants the exact flags as of now, with POLLHUP and POLLERR.
  struct pollfd state = {.fd = direction->fd, .events = direction->event};
  if (poll(&state, 1, 0) <= 0 || !state.revents) return;
  watch->received = (AvahiWatchEvent)state.revents;
  watch->callback(watch, watch->fd, watch->received, watch->userdata);  // The callback may free the watch.
}

static void direction_cancelled(void *context) {
  Direction *direction = context;
  AvahiWatch *watch = direction->watch;
  close(direction->fd);
  dispatch_release(direction->source);
  if (--watch->sources == 0) free(watch);  // Sources are cancelled only when the watch is freed.
}

static void direction_start(Direction *direction, AvahiWatch *watch, short event) {
  direction->watch = watch;
  direction->event = event;
  direction->fd = fcntl(watch->fd, F_DUPFD_CLOEXEC, 3);
  if (direction->fd < 0) return;
  dispatch_source_type_t type = event == POLLIN ? DISPATCH_SOURCE_TYPE_READ : DISPATCH_SOURCE_TYPE_WRITE;
  direction->source = dispatch_source_create(type, (uintptr_t)direction->fd, 0, watch->queue);
  dispatch_set_context(direction->source, direction);
  dispatch_source_set_event_handler_f(direction->source, direction_fired);
  dispatch_source_set_cancel_handler_f(direction->source, direction_cancelled);
  watch->sources++;
  direction->running = true;
  dispatch_resume(direction->source);
}

static void direction_set(Direction *direction, AvahiWatch *watch, short event, bool on) {
  if (!direction->source) {
    if (on) direction_start(direction, watch, event);
  } else if (on != direction->running) {
    direction->running = on;
    on ? dispatch_resume(direction->source) : dispatch_suspend(direction->source);
  }
}

static void direction_cancel(Direction *direction) {
  if (!direction->source) return;
  dispatch_source_cancel(direction->source);
  // A suspended source never runs its cancel handler, so it has to be resumed.
  if (!direction->running) dispatch_resume(direction->source);
}

AvahiWatch *dispatch_poll_watch_new(
  const AvahiPoll *api, int fd, AvahiWatchEvent events, AvahiWatchCallback callback, void *userdata) {
  AvahiWatch *watch = calloc(1, sizeof *watch);
  if (!watch) return NULL;
  watch->queue = ((DispatchPoll *)api->userdata)->queue;
  watch->fd = fd;
  watch->callback = callback;
  watch->userdata = userdata;
  dispatch_poll_watch_update(watch, events);
  return watch;
}

void dispatch_poll_watch_update(AvahiWatch *watch, AvahiWatchEvent events) {
  // Avahi 0.8 passes libdbus's own flags through to an update, where 2 is DBUS_WATCH_WRITABLE. As a poll flag, 2 would
  // be POLLPRI, which Avahi never asks for.
  const int dbus_writable = 2;
  direction_set(&watch->input, watch, POLLIN, events & AVAHI_WATCH_IN);
  direction_set(&watch->output, watch, POLLOUT, events & (AVAHI_WATCH_OUT | dbus_writable));
}

AvahiWatchEvent dispatch_poll_watch_get_events(AvahiWatch *watch) { return watch->received; }

void dispatch_poll_watch_free(AvahiWatch *watch) {
  watch->freed = true;
  if (watch->sources == 0) {
    free(watch);
    return;
  }
  direction_cancel(&watch->input);
  direction_cancel(&watch->output);
}
