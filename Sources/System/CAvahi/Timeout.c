// SPDX-License-Identifier: Apache-2.0

#include <stdlib.h>
#include <sys/time.h>

#include "Internal.h"

struct AvahiTimeout {
  dispatch_source_t source;
  AvahiTimeoutCallback callback;
  void *userdata;
  bool armed, freed;
};

static void timeout_fired(void *context) {
  AvahiTimeout *timeout = context;
  if (timeout->freed || !timeout->armed) return;
  timeout->armed = false;
  timeout->callback(timeout, timeout->userdata);  // The callback may set or free the timeout.
}

static void timeout_cancelled(void *context) {
  AvahiTimeout *timeout = context;
  dispatch_release(timeout->source);
  free(timeout);
}

/// Returns the nanoseconds from now until `when`, a time of the wall clock; {0, 0} means immediately.
static int64_t delay_until(const struct timeval *when) {
  if (!when->tv_sec && !when->tv_usec) return 0;
  struct timeval now;
  gettimeofday(&now, NULL);
  int64_t delay = ((int64_t)when->tv_sec - now.tv_sec) * 1000000000 + ((int64_t)when->tv_usec - now.tv_usec) * 1000;
  return delay > 0 ? delay : 0;
}

AvahiTimeout *dispatch_poll_timeout_new(
  const AvahiPoll *api, const struct timeval *when, AvahiTimeoutCallback callback, void *userdata) {
  AvahiTimeout *timeout = calloc(1, sizeof *timeout);
  if (!timeout) return NULL;
  timeout->callback = callback;
  timeout->userdata = userdata;
  timeout->source =
    dispatch_source_create(DISPATCH_SOURCE_TYPE_TIMER, 0, 0, ((DispatchPoll *)api->userdata)->queue);
  dispatch_set_context(timeout->source, timeout);
  dispatch_source_set_event_handler_f(timeout->source, timeout_fired);
  dispatch_source_set_cancel_handler_f(timeout->source, timeout_cancelled);
  dispatch_poll_timeout_update(timeout, when);
  dispatch_resume(timeout->source);
  return timeout;
}

void dispatch_poll_timeout_update(AvahiTimeout *timeout, const struct timeval *when) {
  timeout->armed = when != NULL;
  // The timer is relative, so that a later step of the wall clock does not move it.
  dispatch_time_t start = when ? dispatch_time(DISPATCH_TIME_NOW, delay_until(when)) : DISPATCH_TIME_FOREVER;
  dispatch_source_set_timer(timeout->source, start, DISPATCH_TIME_FOREVER, NSEC_PER_MSEC);
}

void dispatch_poll_timeout_free(AvahiTimeout *timeout) {
  timeout->freed = true;
  dispatch_source_cancel(timeout->source);
}
