// SPDX-License-Identifier: Apache-2.0

// GNOME's screen. While it is blank or locked, Mutter ends all sessions for remote desktops, and begins none.
#define _GNU_SOURCE
#include "helper.h"
#include "mutter.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

static const char service[] = "org.gnome.Shell.ScreenShield";
static const char object[] = "/org/gnome/ScreenSaver";
static const char interface[] = "org.gnome.ScreenSaver";
static const uint64_t patience = LIFETIME * UINT64_C(1000000);

// Other programs can send this as well, so it only means that GNOME is to be asked again.
static int changed(sd_bus_message *signal, void *data, sd_bus_error *error) {
  (void)signal, (void)error;
  *(bool *)data = true;
  return 0;
}

// The bus begins to tell of it before it answers anything else.
static bool watch(sd_bus *bus, bool *has_changed) {
  const char screen[] = "type='signal',sender='org.gnome.Shell.ScreenShield',path='/org/gnome/ScreenSaver',"
                        "interface='org.gnome.ScreenSaver',member='ActiveChanged'";
  const char owner[] = "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',"
                       "arg0='org.gnome.Shell.ScreenShield'";
  return sd_bus_add_match_async(bus, NULL, screen, changed, NULL, has_changed) >= 0
      && sd_bus_add_match_async(bus, NULL, owner, changed, NULL, has_changed) >= 0;
}

static bool is_off(sd_bus *bus) {
  sd_bus_message *call = NULL, *reply = NULL;
  int value = false;
  if (sd_bus_message_new_method_call(bus, &call, service, object, interface, "GetActive") >= 0) {
    // Nothing is started for a desktop that isn't GNOME.
    sd_bus_message_set_auto_start(call, 0);
    if (sd_bus_call(bus, call, patience, NULL, &reply) >= 0 && sd_bus_message_read_basic(reply, 'b', &value) <= 0)
      value = false;
  }
  sd_bus_message_unref(call);
  sd_bus_message_unref(reply);
  return value;
}

// False if the connection has ended.
static bool wait_for_change(sd_bus *bus, const bool *has_changed) {
  while (!*has_changed) {
    int result = sd_bus_process(bus, NULL);
    if (result < 0) return false;
    if (result > 0) continue;
    struct pollfd items[] = {{.fd = STDIN_FILENO}, {.fd = sd_bus_get_fd(bus), .events = POLLIN}};
    if (sd_bus_get_events(bus) & POLLOUT) items[1].events |= POLLOUT;
    poll(items, 2, -1);
    // The program ends with the agent.
    if (items[0].revents) exit(0);
  }
  return true;
}

bool screen_comes_on(void) {
  sd_bus *bus = NULL;
  bool has_changed = false, was_off = false, is_watched = false;
  if (sd_bus_open_user(&bus) >= 0 && is_believed(sd_bus_get_fd(bus))) is_watched = watch(bus, &has_changed);
  while (is_watched && is_off(bus)) {
    was_off = true;
    if (!wait_for_change(bus, &has_changed)) break;
    has_changed = false;
  }
  if (bus) sd_bus_close_unref(bus);
  return was_off;
}
