// SPDX-License-Identifier: Apache-2.0

#include <stdlib.h>

#include "Internal.h"

DispatchPoll *dispatch_poll_new(const char *label) {
  DispatchPoll *poll = calloc(1, sizeof *poll);
  if (!poll) return NULL;
  poll->queue = dispatch_queue_create(label, DISPATCH_QUEUE_SERIAL);
  // The key is the poll's own address. It is unique, and enough to recognize the queue.
  dispatch_queue_set_specific(poll->queue, poll, poll, NULL);
  poll->api = (AvahiPoll){
    .userdata = poll,
    .watch_new = dispatch_poll_watch_new,
    .watch_update = dispatch_poll_watch_update,
    .watch_get_events = dispatch_poll_watch_get_events,
    .watch_free = dispatch_poll_watch_free,
    .timeout_new = dispatch_poll_timeout_new,
    .timeout_update = dispatch_poll_timeout_update,
    .timeout_free = dispatch_poll_timeout_free,
  };
  return poll;
}

const AvahiPoll *dispatch_poll_get(const DispatchPoll *poll) { return &poll->api; }

void dispatch_poll_async(DispatchPoll *poll, void *context, void (*work)(void *)) {
  dispatch_async_f(poll->queue, context, work);
}

bool dispatch_poll_is_current(const DispatchPoll *poll) { return dispatch_get_specific(poll) == poll; }
