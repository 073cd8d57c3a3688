// SPDX-License-Identifier: Apache-2.0

#pragma once

#if __has_include(<dispatch/dispatch.h>)
#include <dispatch/dispatch.h>
#else

// The toolchain keeps libdispatch's headers where the Swift package manager does not let C find them
// (swift-package-manager#8149). This is the part of libdispatch's stable interface that is used here, as declared
// there.

#include <stdint.h>

typedef struct dispatch_queue_s *dispatch_queue_t;
typedef struct dispatch_source_s *dispatch_source_t;
typedef const struct dispatch_source_type_s *dispatch_source_type_t;
typedef void (*dispatch_function_t)(void *);
typedef uint64_t dispatch_time_t;

#define DISPATCH_QUEUE_SERIAL NULL
#define DISPATCH_TIME_NOW (0ull)
#define DISPATCH_TIME_FOREVER (~0ull)
#define NSEC_PER_MSEC 1000000ull

#define DISPATCH_SOURCE_TYPE_READ (&_dispatch_source_type_read)
#define DISPATCH_SOURCE_TYPE_WRITE (&_dispatch_source_type_write)
#define DISPATCH_SOURCE_TYPE_TIMER (&_dispatch_source_type_timer)
extern const struct dispatch_source_type_s _dispatch_source_type_read;
extern const struct dispatch_source_type_s _dispatch_source_type_write;
extern const struct dispatch_source_type_s _dispatch_source_type_timer;

dispatch_queue_t dispatch_queue_create(const char *label, void *attributes);
void dispatch_queue_set_specific(
  dispatch_queue_t queue, const void *key, void *context, dispatch_function_t destructor);
void *dispatch_get_specific(const void *key);
void dispatch_async_f(dispatch_queue_t queue, void *context, dispatch_function_t work);
dispatch_time_t dispatch_time(dispatch_time_t when, int64_t delta);

// These take any Dispatch object. Here, it is always a source.
void dispatch_set_context(dispatch_source_t source, void *context);
void dispatch_resume(dispatch_source_t source);
void dispatch_suspend(dispatch_source_t source);
void dispatch_release(dispatch_source_t source);

dispatch_source_t dispatch_source_create(
  dispatch_source_type_t type, uintptr_t handle, uintptr_t mask, dispatch_queue_t queue);
void dispatch_source_set_event_handler_f(dispatch_source_t source, dispatch_function_t handler);
void dispatch_source_set_cancel_handler_f(dispatch_source_t source, dispatch_function_t handler);
void dispatch_source_set_timer(
  dispatch_source_t source, dispatch_time_t start, uint64_t interval, uint64_t leeway);
void dispatch_source_cancel(dispatch_source_t source);

#endif
