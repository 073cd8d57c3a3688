// SPDX-License-Identifier: Apache-2.0

// The selection of a Wayland compositor that lets programs see it without a window (data control).
#define _GNU_SOURCE
#include "data-control.h"
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct wl_display *display;
static const struct data_control *protocol;
static struct wl_proxy *manager, *device, *source;
static struct wl_seat *seat;
static uint32_t ext_name, wlr_name, seat_name;
static bool is_finished, has_first;
// Until its answer has come, programs may have copied what we don't know yet.
static struct wl_callback *question;
// How often we took the selection, and the compositor hasn't told yet that we have it.
static unsigned untold;

// What the owner of the selection offers.
struct local {
  struct wl_proxy *proxy;
  struct names names;
};

static struct local *current;

// What local programs want from us.
static struct serving {
  unsigned long request; // 0 if it is free
  int descriptor;
  int64_t deadline;
} servings[TRANSFERS];

// ------------------------------------------------------------------------------------------------ The local selection

static void free_local(struct local *local) {
  if (!local) return;
  wl_proxy_marshal_flags(local->proxy, OFFER_DESTROY, NULL, 1, WL_MARSHAL_FLAG_DESTROY);
  names_free(&local->names);
  free(local);
}

static void type_offered(void *data, struct wl_proxy *proxy, const char *type) {
  (void)proxy;
  struct local *local = data;
  names_add(&local->names, type, strlen(type));
}

static const struct offer_events offer_events = {type_offered};

static void data_offered(void *data, struct wl_proxy *proxy, struct wl_proxy *offer) {
  (void)data, (void)proxy;
  struct local *local = calloc(1, sizeof *local);
  if (!local) exit(1);
  local->proxy = offer;
  wl_proxy_add_listener(offer, (void (**)(void))&offer_events, local);
}

static void withdraw_question(void) {
  if (question) wl_callback_destroy(question);
  question = NULL;
}

static void report(void) {
  bool is_mirrored = current && names_have(&current->names, marker);
  selection_changed(current);
  if (current && is_pasted_once("wl-copy", NULL, 0)) names_add(&current->names, pasted_once, strlen(pasted_once));
  if (current && !is_mirrored) tell_selection(&current->names);
  else tell_none();
}

static void selected(void *data, struct wl_proxy *proxy, struct wl_proxy *offer) {
  (void)data, (void)proxy;
  free_local(current);
  current = offer ? wl_proxy_get_user_data(offer) : NULL;
  // The compositor first tells what was copied before we came.
  bool is_first = !has_first;
  has_first = true;
  if (is_first) return;
  // What is mirrored is ours, or another helper's of the user.
  bool is_mirrored = current && names_have(&current->names, marker);
  if (is_mirrored && source && untold) untold--;
  // What was there just before ours is there no more.
  if (source && (is_mirrored || untold)) return;
  // What a program has copied is newer than what we were about to offer.
  if (current) withdraw_question();
  report();
}

static void primary_selected(void *data, struct wl_proxy *proxy, struct wl_proxy *offer) {
  (void)data, (void)proxy;
  if (offer) free_local(wl_proxy_get_user_data(offer));
}

static void finished(void *data, struct wl_proxy *proxy) {
  (void)data, (void)proxy;
  is_finished = true;
}

static const struct device_events device_events = {data_offered, selected, finished, primary_selected};

static void get(unsigned long request, const char *name) {
  int pipe[2];
  if (!current || source || pipe2(pipe, O_CLOEXEC) != 0) return tell_failed(request);
  wl_proxy_marshal_flags(current->proxy, OFFER_RECEIVE, NULL, 1, 0, name, pipe[1]);
  wl_display_flush(display);
  close(pipe[1]);
  pipe_read(request, pipe[0]);
}

// ------------------------------------------------------------------------------------------------ Our selection

// Of what we offer now, or offered until the compositor heard of that.
static void wanted(void *data, struct wl_proxy *proxy, const char *name, int32_t descriptor) {
  (void)data, (void)proxy;
  for (int index = 0; index < TRANSFERS && source && names_have(&offered, name) && strcmp(name, marker); index++) {
    if (servings[index].request) continue;
    // The content comes from another machine.
    servings[index] = (struct serving){next_request(), descriptor, now_seconds() + 600};
    return tell_want(servings[index].request, name);
  }
  close(descriptor);
}

static void destroy_source(struct wl_proxy *proxy) {
  wl_proxy_marshal_flags(proxy, SOURCE_DESTROY, NULL, 1, WL_MARSHAL_FLAG_DESTROY);
}

static void cancelled(void *data, struct wl_proxy *proxy) {
  (void)data;
  bool is_replaced = proxy == source && untold;
  if (proxy == source) source = NULL;
  destroy_source(proxy);
  if (!is_replaced) return;
  untold = 0;
  report();
}

static const struct source_events source_events = {wanted, cancelled};

// What was offered before stays until the compositor cancels it, because programs may just have asked for it.
static void take_selection(void) {
  source = wl_proxy_marshal_flags(
      manager, MANAGER_CREATE_SOURCE, &protocol->source, wl_proxy_get_version(manager), 0, NULL
  );
  if (!source) exit(1);
  wl_proxy_add_listener(source, (void (**)(void))&source_events, NULL);
  for (int index = 0; index < offered.count; index++)
    wl_proxy_marshal_flags(source, SOURCE_OFFER, NULL, 1, 0, offered.list[index]);
  wl_proxy_marshal_flags(device, DEVICE_SET_SELECTION, NULL, 1, 0, source);
  untold++;
}

static void answered(void *data, struct wl_callback *callback, uint32_t number) {
  (void)data, (void)callback, (void)number;
  withdraw_question();
  take_selection();
}

static const struct wl_callback_listener answer_events = {answered};

static void offer(void) {
  withdraw_question();
  question = wl_display_sync(display);
  if (!question) exit(1);
  wl_callback_add_listener(question, &answer_events, NULL);
}

static void drop(void) {
  withdraw_question();
  untold = 0;
  if (!source) return;
  wl_proxy_marshal_flags(device, DEVICE_SET_SELECTION, NULL, 1, 0, NULL);
  destroy_source(source);
  source = NULL;
}

static void give(unsigned long request, struct bytes *content) {
  for (int index = 0; index < TRANSFERS; index++) {
    if (request == 0 || servings[index].request != request) continue;
    if (content) pipe_write(request, servings[index].descriptor, content);
    else close(servings[index].descriptor);
    servings[index] = (struct serving){0};
  }
}

// ------------------------------------------------------------------------------------------------ The connection

// Whether the compositor took only some of what was sent, so that the rest must be sent later.
static bool is_full;

static bool flush(void) {
  while (wl_display_prepare_read(display) != 0)
    if (wl_display_dispatch_pending(display) < 0) return false;
  wl_display_cancel_read(display);
  is_full = wl_display_flush(display) < 0;
  return !is_finished && (!is_full || errno == EAGAIN);
}

static bool read_events(void) {
  if (wl_display_prepare_read(display) == 0 && wl_display_read_events(display) < 0) return false;
  return wl_display_dispatch_pending(display) >= 0;
}

static bool has_deadline(void) {
  bool found = is_full;
  for (int index = 0; index < TRANSFERS; index++) found |= servings[index].request != 0;
  return found;
}

static void expire(int64_t now) {
  for (int index = 0; index < TRANSFERS; index++)
    if (servings[index].request && servings[index].deadline < now) give(servings[index].request, NULL);
}

static void global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
  (void)data, (void)registry, (void)version;
  if (strcmp(interface, ext_data_control.manager.name) == 0) ext_name = name;
  if (strcmp(interface, wlr_data_control.manager.name) == 0) wlr_name = name;
  if (strcmp(interface, wl_seat_interface.name) == 0 && !seat_name) seat_name = name;
}

static void global_removed(void *data, struct wl_registry *registry, uint32_t name) {
  (void)data, (void)registry;
  if (name == seat_name) is_finished = true;
}

static const struct wl_registry_listener registry_events = {global, global_removed};

static void close_all(void) {
  drop();
  // The pipes to programs are closed with this program.
  wl_display_flush(display);
}

const struct backend *wayland_open(void) {
  display = wl_display_connect(NULL);
  if (!display || !is_believed(wl_display_get_fd(display))) return NULL;
  struct wl_registry *registry = wl_display_get_registry(display);
  wl_registry_add_listener(registry, &registry_events, NULL);
  if (wl_display_roundtrip(display) < 0 || !seat_name || !(ext_name || wlr_name)) {
    wl_display_disconnect(display);
    return NULL;
  }
  protocol = ext_name ? &ext_data_control : &wlr_data_control;
  // The first version, which leaves the primary selection alone, if there is one.
  manager = wl_registry_bind(registry, ext_name ? ext_name : wlr_name, &protocol->manager, 1);
  seat = wl_registry_bind(registry, seat_name, &wl_seat_interface, 1);
  if (!manager || !seat) return NULL;
  device = wl_proxy_marshal_flags(manager, MANAGER_GET_DEVICE, &protocol->device, 1, 0, NULL, seat);
  if (!device) return NULL;
  wl_proxy_add_listener(device, (void (**)(void))&device_events, NULL);
  if (wl_display_roundtrip(display) < 0) return NULL;
  static struct backend backend = {0, flush, read_events, offer, drop, get, give, close_all, has_deadline, expire, NULL, NULL};
  backend.descriptor = wl_display_get_fd(display);
  return &backend;
}
