// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "mutter-session.h"
#include "helper.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char service[] = "org.gnome.Mutter.RemoteDesktop";
static const char object[] = "/org/gnome/Mutter/RemoteDesktop";
static const char interface[] = "org.gnome.Mutter.RemoteDesktop.Session";

// How long Mutter may take to answer, in microseconds. It doesn't wait for programs.
static const uint64_t patience = LIFETIME * UINT64_C(1000000);

struct call {
  struct session *session;
  answer_handler handler;
  void *data;
};

// ------------------------------------------------------------------------------------------------ Calls

static int answered(sd_bus_message *reply, void *data, sd_bus_error *error) {
  (void)error;
  struct call *call = data;
  call->session->calls--;
  if (call->handler) call->handler(sd_bus_message_is_method_error(reply, NULL) ? NULL : reply, call->data);
  free(call);
  return 0;
}

static sd_bus_message *new_call(sd_bus *bus, const char *path, const char *of, const char *member) {
  sd_bus_message *message = NULL;
  if (sd_bus_message_new_method_call(bus, &message, service, path, of, member) < 0) return NULL;
  // Nothing is started for a desktop that isn't GNOME.
  sd_bus_message_set_auto_start(message, 0);
  return message;
}

sd_bus_message *session_call(struct session *session, const char *member) {
  return new_call(session->bus, session->path, interface, member);
}

bool session_send(struct session *session, sd_bus_message *message, answer_handler handler, void *data) {
  struct call *call = malloc(sizeof *call);
  bool is_sent = false;
  if (call && message) {
    *call = (struct call){session, handler, data};
    is_sent = sd_bus_call_async(session->bus, NULL, message, answered, call, patience) >= 0;
  }
  if (is_sent) session->calls++;
  else free(call);
  sd_bus_message_unref(message);
  return is_sent;
}

bool session_ask(struct session *session, answer_handler handler, void *data) {
  sd_bus_message *message = new_call(session->bus, object, "org.freedesktop.DBus.Properties", "Get");
  if (message) {
    sd_bus_message_append_basic(message, 's', service);
    sd_bus_message_append_basic(message, 's', "Version");
  }
  return session_send(session, message, handler, data);
}

// ------------------------------------------------------------------------------------------------ What Mutter tells

static int told(sd_bus_message *signal, void *data, sd_bus_error *error) {
  (void)error;
  struct session *session = data;
  // Any program of the user can send a signal to this one.
  const char *sender = sd_bus_message_get_sender(signal), *path = sd_bus_message_get_path(signal);
  if (!sender || !path || strcmp(sender, session->server) || strcmp(path, session->path)) return 0;
  const char *member = sd_bus_message_get_member(signal);
  if (strcmp(member, "Closed") == 0) session->is_over = session->is_closed = true;
  else if (session->is_enabled) session->handler(signal, member);
  return 0;
}

// Mutter has gone, or another program is in its place.
static int owner_changed(sd_bus_message *signal, void *data, sd_bus_error *error) {
  (void)error;
  struct session *session = data;
  const char *sender = sd_bus_message_get_sender(signal);
  if (sender && strcmp(sender, "org.freedesktop.DBus") == 0) session->is_over = true;
  return 0;
}

static int ignore(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)message, (void)data, (void)error;
  return 0;
}

bool session_process(struct session *session) {
  int result = 0;
  while (!session->is_over && (result = sd_bus_process(session->bus, NULL)) > 0) {}
  return !session->is_over && result >= 0;
}

bool session_is_busy(const struct session *session) {
  return session->calls > 0 || sd_bus_get_events(session->bus) & POLLOUT;
}

// Until nothing awaits an answer, and not longer.
static bool wait_for_answers(struct session *session) {
  for (int64_t deadline = now_seconds() + LIFETIME; session->calls > 0;) {
    int result = session->is_over || now_seconds() > deadline ? -1 : sd_bus_process(session->bus, NULL);
    if (result < 0 || (result == 0 && sd_bus_wait(session->bus, 1000000) < 0)) return false;
  }
  return !session->is_over;
}

bool session_settle(struct session *session) { return session_ask(session, NULL, NULL) && wait_for_answers(session); }

// ------------------------------------------------------------------------------------------------ The session

static bool create(struct session *session) {
  sd_bus_message *call = new_call(session->bus, object, service, "CreateSession"), *reply = NULL;
  const char *path = NULL, *sender = NULL;
  if (call && sd_bus_call(session->bus, call, patience, NULL, &reply) >= 0) sender = sd_bus_message_get_sender(reply);
  if (sender && sd_bus_message_read_basic(reply, 'o', &path) > 0) {
    session->path = strdup(path);
    session->server = strdup(sender);
  }
  sd_bus_message_unref(call);
  sd_bus_message_unref(reply);
  return session->path && session->server;
}

static bool watch(struct session *session) {
  char rule[512];
  snprintf(
      rule, sizeof rule, "type='signal',sender='%s',path='%s',interface='%s'", session->server, session->path, interface
  );
  if (sd_bus_add_match_async(session->bus, NULL, rule, told, ignore, session) < 0) return false;
  snprintf(
      rule, sizeof rule, "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='%s'", service
  );
  return sd_bus_add_match_async(session->bus, NULL, rule, owner_changed, ignore, session) >= 0;
}

static void enabled(sd_bus_message *reply, void *data) {
  struct session *session = data;
  session->is_enabled = reply != NULL;
}

// Mutter first tells what was copied before we came.
static bool enable(struct session *session) {
  sd_bus_message *call = session_call(session, "EnableClipboard");
  if (call && (sd_bus_message_open_container(call, 'a', "{sv}") < 0 || sd_bus_message_close_container(call) < 0))
    call = sd_bus_message_unref(call);
  return session_send(session, call, enabled, session) && wait_for_answers(session) && session->is_enabled;
}

struct session *session_open(signal_handler handler) {
  struct session *session = calloc(1, sizeof *session);
  if (!session) return NULL;
  session->handler = handler;
  if (sd_bus_open_user(&session->bus) >= 0 && is_believed(sd_bus_get_fd(session->bus)) && create(session)
      && watch(session) && enable(session))
    return session;
  session_free(session);
  return NULL;
}

void session_free(struct session *session) {
  if (!session) return;
  // Calls without an answer are not told.
  if (session->bus) sd_bus_close_unref(session->bus);
  free(session->path);
  free(session->server);
  free(session);
}
