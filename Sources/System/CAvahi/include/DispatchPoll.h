// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <avahi-common/watch.h>
#include <stdbool.h>

/// A serial Dispatch queue with an AvahiPoll, with which libavahi-client waits for its descriptors and timers.
///
/// libavahi-client has no locks, so every avahi_* call must be made on this queue. Its callbacks run there, too. The
/// queue is created in C because Swift's DispatchQueue does not expose its dispatch_queue_t on Linux.
typedef struct DispatchPoll DispatchPoll;

/// Creates a poll that lives as long as the process. Returns NULL if there is no memory.
DispatchPoll *_Nullable dispatch_poll_new(const char *_Nonnull label);

/// Returns the poll in the form that libavahi-client takes.
const AvahiPoll *_Nonnull dispatch_poll_get(const DispatchPoll *_Nonnull poll);

/// Runs `work(context)` on the queue, after everything that was enqueued before. Can be called from any thread.
void dispatch_poll_async(DispatchPoll *_Nonnull poll, void *_Nullable context, void (*_Nonnull work)(void *_Nullable));

/// Whether the caller runs on the queue.
bool dispatch_poll_is_current(const DispatchPoll *_Nonnull poll);
