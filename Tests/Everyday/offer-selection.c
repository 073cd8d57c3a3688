// SPDX-License-Identifier: Apache-2.0

// offer-selection NAME...: owns the selection CLIPBOARD, and gives standard input for each of these types. Says `owned`.
// Says `given NAME` whenever somebody reads it.
//
// With HELD in the environment, it says `asked`, and answers nothing until it gets SIGUSR1. Then it says `answered`. It goes
// on when it has lost the selection. With LATE, it does the same, but says at once which types it has. With MANAGER, it is
// the clipboard manager of the display. With READY, it says `ready`, and takes the selection when it gets SIGUSR1. Then it
// says `sent`, whether the server has heard of it or not.
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/xcb.h>

enum { REQUESTS = 64, TARGETS = 1000 };

static xcb_connection_t *connection;
static xcb_atom_t clipboard, targets[TARGETS];
static char content[100000];
static size_t size;
static volatile sig_atomic_t is_held;

static void release(int number) { is_held = 0; }

static xcb_atom_t atom(const char *name) {
  return xcb_intern_atom_reply(connection, xcb_intern_atom(connection, 0, strlen(name), name), NULL)->atom;
}

static void answer(xcb_selection_request_event_t *request, int count, char **names) {
  union {
    xcb_selection_notify_event_t event;
    char padded[32];
  } answer = {.event = {XCB_SELECTION_NOTIFY, 0, 0, request->time, request->requestor, clipboard, request->target, 0}};
  // Without a name, even the types are refused.
  for (int index = count == 1; index < count; index++) {
    if (targets[index] != request->target) continue;
    answer.event.property = request->property;
    if (index == 0)
      xcb_change_property(connection, 0, request->requestor, request->property, XCB_ATOM_ATOM, 32, count, targets);
    else
      xcb_change_property(connection, 0, request->requestor, request->property, request->target, 8, size, content);
    if (index) printf("given %s\n", names[index]);
  }
  xcb_send_event(connection, 0, request->requestor, 0, answer.padded);
}

int main(int count, char **names) {
  size = fread(content, 1, sizeof content, stdin);
  connection = xcb_connect(NULL, NULL);
  if (xcb_connection_has_error(connection) || count > TARGETS) return 1;
  sigset_t signals, usual;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  sigprocmask(SIG_BLOCK, &signals, &usual);
  signal(SIGUSR1, release);
  int is_late = getenv("LATE") != NULL;
  is_held = is_late || getenv("HELD");
  int stays = is_held, waiting = 0;
  xcb_selection_request_event_t *requests[REQUESTS];
  xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
  xcb_window_t window = xcb_generate_id(connection);
  xcb_create_window(connection, 0, window, screen->root, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, 0, 0, NULL);
  clipboard = atom("CLIPBOARD"), targets[0] = atom("TARGETS");
  for (int index = 1; index < count; index++) targets[index] = atom(names[index]);
  if (getenv("MANAGER")) xcb_set_selection_owner(connection, window, atom("CLIPBOARD_MANAGER"), XCB_CURRENT_TIME);
  if (getenv("READY")) {
    puts("ready"), fflush(stdout);
    sigwait(&signals, &(int){0});
  }
  xcb_set_selection_owner(connection, window, clipboard, XCB_CURRENT_TIME);
  xcb_flush(connection);
  if (getenv("READY")) puts("sent"), fflush(stdout);
  free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), NULL));
  puts("owned");
  while (!xcb_connection_has_error(connection)) {
    for (xcb_generic_event_t *event; (event = xcb_poll_for_event(connection));) {
      int type = event->response_type & 0x7F;
      if (type == XCB_SELECTION_CLEAR && !stays) return 0;
      if (type != XCB_SELECTION_REQUEST || waiting == REQUESTS) continue;
      if (is_late && ((xcb_selection_request_event_t *)event)->target == targets[0]) {
        answer((void *)event, count, names);
        continue;
      }
      if (is_held) puts("asked"), fflush(stdout);
      requests[waiting++] = (void *)event;
    }
    for (int index = 0; index < waiting && !is_held; index++) answer(requests[index], count, names);
    if (!is_held && waiting) {
      waiting = 0;
      free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), NULL));
      if (stays) puts("answered");
      continue;
    }
    xcb_flush(connection);
    fflush(stdout);
    struct pollfd item = {xcb_get_file_descriptor(connection), POLLIN};
    ppoll(&item, 1, NULL, &usual);
  }
  return 0;
}
