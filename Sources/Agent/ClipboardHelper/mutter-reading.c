// SPDX-License-Identifier: Apache-2.0

// What is read of Mutter's selection. Mutter allows one read at a time, and a program that hangs can hold it up
// forever.
#define _GNU_SOURCE
#include "helper.h"
#include "mutter.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// How long nothing may come, in seconds, until the same is read once more. A program that somebody else has confused
// answers when it is asked again.
enum { STALL = 2 };

// The first is the one that Mutter was asked for.
static struct reading {
  unsigned long request;
  char *name;
  struct bytes content;
  bool is_asked, is_piped, is_repeated;
} readings[TRANSFERS];
static int reading_count;
// Mutter may still be reading for us, although we have given it up.
static bool is_stuck;

int descriptor_in(sd_bus_message *reply) {
  int descriptor;
  if (!reply || sd_bus_message_read_basic(reply, 'h', &descriptor) <= 0) return -1;
  return fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
}

static void remove_first(void) {
  free(readings[0].name);
  bytes_free(&readings[0].content);
  reading_count--;
  memmove(&readings[0], &readings[1], (size_t)reading_count * sizeof *readings);
}

static void fail_first(void) {
  unsigned long request = readings[0].request;
  // Mutter may go on reading.
  if (readings[0].is_piped) is_stuck = true;
  pipe_end_reading(request);
  remove_first();
  tell_failed(request);
}

void readings_fail(void) {
  while (reading_count) fail_first();
}

// Mutter has told nothing of another owner.
static void confirmed(sd_bus_message *reply, void *data) {
  if (!reading_count || readings[0].request != (unsigned long)(uintptr_t)data) return;
  if (!reply) return fail_first();
  tell_content(readings[0].request, &readings[0].content);
  remove_first();
}

// An X11 program that Mutter doesn't know yet may have given this, and it might be a secret. It gives its types first,
// but what Mutter then tells takes longer than what comes through the pipe.
void reading_ended(unsigned long request, struct bytes *content) {
  readings[0].is_piped = false;
  if (!content) is_stuck = true;
  if (!content || !session_ask(session, confirmed, (void *)(uintptr_t)request)) return fail_first();
  readings[0].content = *content;
  *content = (struct bytes){0};
}

void reading_add(unsigned long request, const char *name) {
  char *copy = reading_count < TRANSFERS ? strdup(name) : NULL;
  if (!copy) return tell_failed(request);
  readings[reading_count++] = (struct reading){.request = request, .name = copy};
}

// Before the answer, Mutter tells of a new owner, and then nothing is read of the earlier one.
static void readable(sd_bus_message *reply, void *data) {
  unsigned long request = (unsigned long)(uintptr_t)data;
  int descriptor = descriptor_in(reply);
  bool is_awaited = reading_count && readings[0].request == request;
  if (!is_awaited || descriptor < 0) is_stuck = true;
  if (!is_awaited) {
    if (descriptor >= 0) close(descriptor);
  } else if (descriptor >= 0) {
    readings[0].is_piped = true;
    pipe_read(request, descriptor);
  } else if (!readings[0].is_repeated) {
    readings[0].is_asked = false;
    readings[0].is_repeated = true;
  } else {
    fail_first();
  }
}

void readings_expire(int64_t now) {
  struct reading *reading = &readings[0];
  if (!reading_count || !reading->is_piped || reading->is_repeated) return;
  if (now - pipe_last_read(reading->request) <= STALL) return;
  pipe_end_reading(reading->request);
  reading->is_asked = reading->is_piped = false;
  reading->is_repeated = is_stuck = true;
}

bool readings_wait(void) { return reading_count > 0; }

bool reading_begin(void) {
  if (!reading_count || readings[0].is_asked) return true;
  if (is_stuck && !change_session()) return false;
  // Meanwhile, something else may be selected.
  is_stuck = false;
  if (!reading_count) return true;
  sd_bus_message *call = session_call(session, "SelectionRead");
  readings[0].is_asked = true;
  unsigned long request = readings[0].request;
  // A name that is cut off may be no text.
  if (call && sd_bus_message_append_basic(call, 's', readings[0].name) < 0) call = sd_bus_message_unref(call);
  if (!session_send(session, call, readable, (void *)(uintptr_t)request)) fail_first();
  return true;
}

