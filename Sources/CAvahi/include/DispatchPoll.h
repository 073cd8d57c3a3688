#pragma once

#include <avahi-common/watch.h>
#include <stdbool.h>

/// A serial Dispatch queue with an AvahiPoll on it: libavahi-client waits for its descriptors and timers there.
///
/// libavahi-client has no locks: every avahi_* call must be made on this queue, where its callbacks run too.
/// The queue is made here because Swift's DispatchQueue does not give its dispatch_queue_t away on Linux.
typedef struct DispatchPoll DispatchPoll;

/// Lives as long as the process. NULL without memory.
DispatchPoll *_Nullable dispatch_poll_new(const char *_Nonnull label);

/// What libavahi-client takes.
const AvahiPoll *_Nonnull dispatch_poll_get(const DispatchPoll *_Nonnull poll);

/// Runs `work(context)` on the queue, after everything that was put there before. From any thread.
void dispatch_poll_async(DispatchPoll *_Nonnull poll, void *_Nullable context, void (*_Nonnull work)(void *_Nullable));

/// Whether the caller runs on the queue.
bool dispatch_poll_is_current(const DispatchPoll *_Nonnull poll);
