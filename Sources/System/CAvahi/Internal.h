// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>

#include "Dispatch.h"
#include "DispatchPoll.h"

// Everything here runs on the poll's queue.

struct DispatchPoll {
  AvahiPoll api;
  dispatch_queue_t queue;
};

AvahiWatch *dispatch_poll_watch_new(
  const AvahiPoll *api, int fd, AvahiWatchEvent events, AvahiWatchCallback callback, void *userdata);
void dispatch_poll_watch_update(AvahiWatch *watch, AvahiWatchEvent events);
AvahiWatchEvent dispatch_poll_watch_get_events(AvahiWatch *watch);
void dispatch_poll_watch_free(AvahiWatch *watch);

AvahiTimeout *dispatch_poll_timeout_new(
  const AvahiPoll *api, const struct timeval *when, AvahiTimeoutCallback callback, void *userdata);
void dispatch_poll_timeout_update(AvahiTimeout *timeout, const struct timeval *when);
void dispatch_poll_timeout_free(AvahiTimeout *timeout);
