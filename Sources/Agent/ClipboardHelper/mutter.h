// SPDX-License-Identifier: Apache-2.0

// The selection of Mutter, and what is read of it.
#pragma once

#include "helper.h"
#include "mutter-session.h"

extern struct session *session;

// Another session can read whatever this one is stuck in. False if there is none. Must not be called by what handles
// messages, because it ends the session.
bool change_session(void);

// A descriptor of our own, which is in the message. -1 if there is none.
int descriptor_in(sd_bus_message *);

// Reads the selection of another program.
void reading_add(unsigned long request, const char *name);
// What came through a pipe; NULL if that is not all. The callee takes the bytes.
void reading_ended(unsigned long request, struct bytes *);
// The selection is another one.
void readings_fail(void);
bool readings_wait(void);
// Asks once more for what does not come.
void readings_expire(int64_t now);
// Asks for the next. False if the session is over. Must not be called by what handles messages.
bool reading_begin(void);

// Waits while GNOME's screen is blank or locked. False if it is neither.
bool screen_comes_on(void);
