// SPDX-License-Identifier: Apache-2.0

// A session of Mutter's interface for remote desktops (org.gnome.Mutter.RemoteDesktop), on the user's D-Bus. It is
// never started, so it sees and controls no screen, and GNOME asks nothing and shows no indicator.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <systemd/sd-bus.h>

// On success, the reply.
typedef void (*answer_handler)(sd_bus_message *, void *);
// A signal of Mutter's for this session.
typedef void (*signal_handler)(sd_bus_message *, const char *member);

struct session {
  sd_bus *bus;
  char *path, *server;
  signal_handler handler;
  // What happened before is not for us.
  bool is_enabled;
  // It ended, or Mutter did.
  bool is_over;
  // Mutter has ended it.
  bool is_closed;
  unsigned calls; // that have no answer yet
};

// NULL if Mutter isn't there, or lacks what is needed.
struct session *session_open(signal_handler);
// Mutter takes back what was offered through it.
void session_free(struct session *);

// Handles what has come, without waiting for more. False if the session is over.
bool session_process(struct session *);
// Waits until Mutter has answered everything, and handles what it told until then, and nothing else. False if that
// takes too long.
bool session_settle(struct session *);
// Whether session_process must be called soon, even if nothing comes.
bool session_is_busy(const struct session *);

// A call of the session without arguments; NULL if there is no memory.
sd_bus_message *session_call(struct session *, const char *member);
// Sends it. The handler gets the reply, or NULL if the call fails or takes too long; it is not called if this fails.
bool session_send(struct session *, sd_bus_message *, answer_handler, void *data);
// Asks something that Mutter answers after it has told what happened until then.
bool session_ask(struct session *, answer_handler, void *data);
