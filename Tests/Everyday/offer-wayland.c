// SPDX-License-Identifier: Apache-2.0

// offer-wayland NAME...: the same as offer-selection, on Wayland compositors with zwlr_data_control_v1. Compiled together
// with Sources/Agent/ClipboardHelper/data-control.c.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../Sources/Agent/ClipboardHelper/data-control.h"

static char content[100000];
static size_t size;
static struct wl_proxy *manager, *seat;

static void global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
  if (strcmp(interface, wlr_data_control.manager.name) == 0)
    manager = wl_registry_bind(registry, name, &wlr_data_control.manager, 1);
  if (strcmp(interface, wl_seat_interface.name) == 0) seat = wl_registry_bind(registry, name, &wl_seat_interface, 1);
}

static void removed(void *data, struct wl_registry *registry, uint32_t name) {}

// Said once. Who is asked has it.
static void say_owned(void) {
  static int is_said;
  if (!is_said++) puts("owned"), fflush(stdout);
}

static void wanted(void *data, struct wl_proxy *source, const char *name, int32_t descriptor) {
  say_owned();
  printf("given %s\n", name);
  fflush(stdout);
  if (write(descriptor, content, size) < 0) perror("write");
  close(descriptor);
}

static void cancelled(void *data, struct wl_proxy *source) { _exit(0); }

static void ignore(void *data, struct wl_proxy *device, struct wl_proxy *offer) {}
static void finished(void *data, struct wl_proxy *device) { _exit(1); }

int main(int count, char **names) {
  static const struct wl_registry_listener globals = {global, removed};
  static const struct source_events events = {wanted, cancelled};
  static const struct device_events others = {ignore, ignore, finished, ignore};
  size = fread(content, 1, sizeof content, stdin);
  struct wl_display *display = wl_display_connect(NULL);
  if (!display) return 1;
  wl_registry_add_listener(wl_display_get_registry(display), &globals, NULL);
  wl_display_roundtrip(display);
  if (!manager || !seat) return 1;
  struct wl_proxy *device =
      wl_proxy_marshal_flags(manager, MANAGER_GET_DEVICE, &wlr_data_control.device, 1, 0, NULL, seat);
  wl_proxy_add_listener(device, (void (**)(void))&others, NULL);
  struct wl_proxy *source =
      wl_proxy_marshal_flags(manager, MANAGER_CREATE_SOURCE, &wlr_data_control.source, 1, 0, NULL);
  wl_proxy_add_listener(source, (void (**)(void))&events, NULL);
  for (int index = 1; index < count; index++) wl_proxy_marshal_flags(source, SOURCE_OFFER, NULL, 1, 0, names[index]);
  if (getenv("READY")) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    wl_display_roundtrip(display);
    puts("ready"), fflush(stdout);
    sigwait(&signals, &(int){0});
  }
  wl_proxy_marshal_flags(device, DEVICE_SET_SELECTION, NULL, 1, 0, source);
  wl_display_flush(display);
  if (getenv("READY")) puts("sent"), fflush(stdout);
  wl_display_roundtrip(display);
  say_owned();
  while (wl_display_dispatch(display) >= 0) {}
  return 0;
}
