// offer-selection NAME...: owns the selection CLIPBOARD, and gives standard input for each of these types. Says `owned`.
// Says `given NAME` whenever somebody reads it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/xcb.h>

static xcb_connection_t *connection;

static xcb_atom_t atom(const char *name) {
  return xcb_intern_atom_reply(connection, xcb_intern_atom(connection, 0, strlen(name), name), NULL)->atom;
}

int main(int count, char **names) {
  static char content[100000];
  size_t size = fread(content, 1, sizeof content, stdin);
  connection = xcb_connect(NULL, NULL);
  if (xcb_connection_has_error(connection)) return 1;
  xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
  xcb_window_t window = xcb_generate_id(connection);
  xcb_create_window(connection, 0, window, screen->root, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, 0, 0, NULL);
  xcb_atom_t clipboard = atom("CLIPBOARD"), targets[100] = {atom("TARGETS")};
  for (int index = 1; index < count && index < 100; index++) targets[index] = atom(names[index]);
  xcb_set_selection_owner(connection, window, clipboard, XCB_CURRENT_TIME);
  xcb_flush(connection);
  puts("owned");
  fflush(stdout);
  for (xcb_generic_event_t *event; (event = xcb_wait_for_event(connection)); free(event)) {
    if ((event->response_type & 0x7F) == XCB_SELECTION_CLEAR) return 0;
    if ((event->response_type & 0x7F) != XCB_SELECTION_REQUEST) continue;
    xcb_selection_request_event_t *request = (void *)event;
    union {
      xcb_selection_notify_event_t event;
      char padded[32];
    } answer = {.event = {XCB_SELECTION_NOTIFY, 0, 0, request->time, request->requestor, clipboard, request->target, 0}};
    for (int index = 0; index < count; index++) {
      if (targets[index] != request->target) continue;
      answer.event.property = request->property;
      if (index == 0)
        xcb_change_property(connection, 0, request->requestor, request->property, XCB_ATOM_ATOM, 32, count, targets);
      else
        xcb_change_property(connection, 0, request->requestor, request->property, request->target, 8, size, content);
      if (index) printf("given %s\n", names[index]);
    }
    xcb_send_event(connection, 0, request->requestor, 0, answer.padded);
    xcb_flush(connection);
    fflush(stdout);
  }
  return 0;
}
