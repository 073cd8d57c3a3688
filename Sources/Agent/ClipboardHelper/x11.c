// SPDX-License-Identifier: Apache-2.0

// The selection CLIPBOARD of an X server (ICCCM, section 2), with the extension XFixes, which tells of its owners.
#define _GNU_SOURCE
#include "helper.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/xcb.h>
#include <xcb/xfixes.h>

static xcb_connection_t *connection;
static xcb_window_t window;
static uint8_t first_event; // of XFixes
static size_t largest_part; // of a property that is set or read with one request
// What is mirrored should be the selection, and since when it is; 0 if it is not.
static bool is_offering;
// How often we took the selection, and the server hasn't told yet that we have it.
static unsigned untold;
static xcb_timestamp_t owned_since;
// When the selection lost its owner; 0 if it has one.
static xcb_timestamp_t unowned_since;
static xcb_window_t root;
static xcb_atom_t CLIPBOARD, CLIPBOARD_MANAGER, SUPPORTING_WM_CHECK, TARGETS, TIMESTAMP, INCR, ATOM, INTEGER;

// Each request has another property, so that a late answer to an earlier one is not taken for its own.
enum { PROPERTIES = 64 };
static xcb_atom_t properties[PROPERTIES];
static unsigned last_property;

// What is read from the owner of the selection, through a property each.
static struct reading {
  bool is_used, is_incremental;
  unsigned long request;
  xcb_atom_t target, property;
  struct bytes content;
  int64_t deadline;
} readings[TRANSFERS];

// What local programs want from us.
static struct serving {
  xcb_window_t requestor; // 0 if it is free
  unsigned long request;  // 0 once the content is there
  xcb_atom_t target, property;
  xcb_timestamp_t time;
  struct bytes content;
  size_t offset;
  int64_t deadline;
} servings[TRANSFERS];

// The owner of the selection is being asked for its types.
static struct {
  int64_t deadline; // 0 if it is not
  xcb_atom_t property;
  xcb_timestamp_t time;
  bool is_manager;
} question;

static xcb_atom_t atom(const char *name) {
  xcb_intern_atom_cookie_t cookie = xcb_intern_atom(connection, 0, (uint16_t)strlen(name), name);
  xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(connection, cookie, NULL);
  xcb_atom_t atom = reply ? reply->atom : XCB_ATOM_NONE;
  free(reply);
  return atom;
}

static xcb_atom_t next_property(void) { return properties[last_property++ % PROPERTIES]; }

// ------------------------------------------------------------------------------------------------ The local selection

// The property's value, which is deleted. False if it is too long or gone.
static bool take_property(xcb_atom_t property, xcb_atom_t *type, struct bytes *content) {
  for (uint32_t offset = 0;;) {
    xcb_get_property_cookie_t cookie =
        xcb_get_property(connection, 0, window, property, XCB_GET_PROPERTY_TYPE_ANY, offset, (uint32_t)(largest_part / 4));
    xcb_get_property_reply_t *reply = xcb_get_property_reply(connection, cookie, NULL);
    if (!reply) return false;
    *type = reply->type;
    size_t length = (size_t)xcb_get_property_value_length(reply);
    bool fits = bytes_append(content, xcb_get_property_value(reply), length);
    bool is_last = reply->bytes_after == 0;
    free(reply);
    if (!fits || is_last) {
      xcb_delete_property(connection, window, property);
      return fits;
    }
    offset += (uint32_t)(length / 4);
  }
}

static void report_types(void) {
  question.deadline = 0;
  xcb_atom_t type;
  struct bytes content = {0};
  struct names names = {0};
  if (take_property(question.property, &type, &content) && type == XCB_ATOM_ATOM) {
    size_t count = content.size / sizeof(xcb_atom_t);
    if (count > NAMES) names.is_full = true, count = 0;
    xcb_get_atom_name_cookie_t cookies[NAMES];
    for (size_t index = 0; index < count; index++) {
      xcb_atom_t target;
      memcpy(&target, content.data + index * sizeof target, sizeof target);
      cookies[index] = xcb_get_atom_name(connection, target);
    }
    for (size_t index = 0; index < count; index++) {
      xcb_get_atom_name_reply_t *reply = xcb_get_atom_name_reply(connection, cookies[index], NULL);
      // An atom without a name might be the mark of a secret.
      if (reply) names_add(&names, xcb_get_atom_name_name(reply), (size_t)xcb_get_atom_name_name_length(reply));
      else names.is_full = true;
      free(reply);
    }
  }
  bytes_free(&content);
  if (question.is_manager && names.count > 0) names_add(&names, put_back, strlen(put_back));
  if (names_have(&names, marker)) tell_none();
  else tell_selection(&names);
  names_free(&names);
}

// There is a selection whose owner does not say what it has. It might be a secret.
static void tell_unknown(void) { tell_selection(&(const struct names){0}); }

static void end_reading(struct reading *reading, bool is_complete) {
  if (is_complete) tell_content(reading->request, &reading->content);
  else tell_failed(reading->request);
  bytes_free(&reading->content);
  reading->is_used = false;
}

static xcb_window_t owner_of(xcb_atom_t selection) {
  xcb_get_selection_owner_cookie_t cookie = xcb_get_selection_owner(connection, selection);
  xcb_get_selection_owner_reply_t *reply = xcb_get_selection_owner_reply(connection, cookie, NULL);
  xcb_window_t owner = reply ? reply->owner : XCB_NONE;
  free(reply);
  return owner;
}

// Does nothing if another program has it by now.
static void give_up(void) {
  if (owned_since) xcb_set_selection_owner(connection, XCB_NONE, CLIPBOARD, owned_since);
}

// The window manager's own window (Extended Window Manager Hints).
static xcb_window_t window_manager(void) {
  xcb_get_property_cookie_t cookie = xcb_get_property(connection, 0, root, SUPPORTING_WM_CHECK, XCB_ATOM_WINDOW, 0, 1);
  xcb_get_property_reply_t *reply = xcb_get_property_reply(connection, cookie, NULL);
  xcb_window_t found = XCB_NONE;
  if (reply && xcb_get_property_value_length(reply) == sizeof found) memcpy(&found, xcb_get_property_value(reply), sizeof found);
  free(reply);
  return found;
}

// Whether one program has made both windows. The other bits of an ID say which.
static bool is_same_program(xcb_window_t first, xcb_window_t second) {
  uint32_t own_part = xcb_get_setup(connection)->resource_id_mask;
  return first && second && (first & ~own_part) == (second & ~own_part);
}

// Whether the new owner keeps the selection of programs that end. It is the one that says so (ICCCM, CLIPBOARD_MANAGER), or
// GNOME's window manager, which takes the selection as soon as there is none.
static bool has_put_back(const xcb_xfixes_selection_notify_event_t *event) {
  if (is_same_program(owner_of(CLIPBOARD_MANAGER), event->owner)) return true;
  return unowned_since && event->timestamp - unowned_since < 1000 && is_same_program(window_manager(), event->owner);
}

// Whether the owner ends as soon as it is asked for anything. What it has is reported then.
static bool is_untouchable(xcb_window_t owner) {
  char type[NAME_LENGTH + 1];
  // The window of xclip is among the first things that it makes.
  if ((owner & xcb_get_setup(connection)->resource_id_mask) > 4 || !is_pasted_once("xclip", type, sizeof type)) return false;
  struct names names = {0};
  names_add(&names, type, strlen(type));
  names_add(&names, pasted_once, strlen(pasted_once));
  tell_selection(&names);
  names_free(&names);
  return true;
}

static void owner_changed(const xcb_xfixes_selection_notify_event_t *event) {
  if (event->selection != CLIPBOARD) return;
  question.deadline = 0;
  // What is being read could now come from the new owner, whose types are not known: it might be a secret. The server
  // tells of the owner before any answer of that owner.
  for (int index = 0; index < TRANSFERS; index++)
    if (readings[index].is_used) end_reading(&readings[index], false);
  bool is_of_manager = event->owner && has_put_back(event);
  unowned_since = event->owner ? 0 : event->timestamp;
  owned_since = event->owner == window ? event->selection_timestamp : XCB_CURRENT_TIME;
  if (event->owner == window) {
    if (untold) untold--;
    // It was given up before the server took it.
    if (!is_offering) give_up();
    return;
  }
  // What was there just before ours is there no more.
  if (untold) return;
  selection_changed(event->owner != XCB_NONE);
  if (event->owner == XCB_NONE) return tell_none();
  if (is_untouchable(event->owner)) return;
  question.deadline = now_seconds() + LIFETIME;
  question.property = next_property();
  question.is_manager = is_of_manager;
  question.time = event->selection_timestamp;
  xcb_convert_selection(connection, window, CLIPBOARD, TARGETS, question.property, question.time);
}

static void get(unsigned long request, const char *name) {
  // What is ours is not read.
  if (owned_since) return tell_failed(request);
  for (int index = 0; index < TRANSFERS; index++) {
    struct reading *reading = &readings[index];
    if (reading->is_used) continue;
    *reading = (struct reading){.is_used = true, .request = request, .target = atom(name), .property = next_property()};
    reading->deadline = now_seconds() + LIFETIME;
    xcb_convert_selection(connection, window, CLIPBOARD, reading->target, reading->property, XCB_CURRENT_TIME);
    return;
  }
  tell_failed(request);
}

static struct reading *find_reading(xcb_atom_t property) {
  for (int index = 0; index < TRANSFERS; index++)
    if (readings[index].is_used && readings[index].property == property) return &readings[index];
  return NULL;
}

static void converted(const xcb_selection_notify_event_t *event) {
  if (event->selection != CLIPBOARD) return;
  if (event->property == XCB_NONE) {
    // A refusal does not say which request it means. An earlier owner may have refused what it was asked at another time.
    if (event->target == TARGETS && question.deadline && event->time == question.time) {
      question.deadline = 0;
      return tell_unknown();
    }
    // All of a target are the same.
    for (int index = 0; index < TRANSFERS; index++) {
      struct reading *reading = &readings[index];
      if (reading->is_used && !reading->is_incremental && reading->target == event->target) end_reading(reading, false);
    }
    return;
  }
  if (question.deadline && event->property == question.property) return report_types();
  struct reading *reading = find_reading(event->property);
  if (!reading) {
    // Nobody looks at it.
    xcb_delete_property(connection, window, event->property);
    return;
  }
  xcb_atom_t type;
  bool fits = take_property(reading->property, &type, &reading->content);
  if (!fits || type != INCR) return end_reading(reading, fits);
  // The deletion of the property asks for the first part.
  bytes_free(&reading->content);
  reading->is_incremental = true;
}

static void part_arrived(struct reading *reading) {
  size_t before = reading->content.size;
  xcb_atom_t type;
  if (!take_property(reading->property, &type, &reading->content)) return end_reading(reading, false);
  if (reading->content.size == before) return end_reading(reading, true);
  reading->deadline = now_seconds() + LIFETIME;
}

// ------------------------------------------------------------------------------------------------ Our selection

static void wait_for_server(void);

static void offer(void) {
  unsigned long known = taken;
  wait_for_server();
  // What a program has copied is newer than what we were about to offer.
  if (taken != known) return;
  is_offering = true;
  untold++;
  xcb_set_selection_owner(connection, window, CLIPBOARD, XCB_CURRENT_TIME);
}

static void drop(void) {
  is_offering = false;
  give_up();
}

static void notify(xcb_window_t requestor, xcb_atom_t target, xcb_atom_t property, xcb_timestamp_t time) {
  union {
    xcb_selection_notify_event_t event;
    char padded[32];
  } message = {.event = {
                   .response_type = XCB_SELECTION_NOTIFY,
                   .time = time,
                   .requestor = requestor,
                   .selection = CLIPBOARD,
                   .target = target,
                   .property = property,
               }};
  xcb_send_event(connection, 0, requestor, 0, message.padded);
}

static void end_serving(struct serving *serving) {
  bytes_free(&serving->content);
  *serving = (struct serving){0};
}

static void answer_types(const xcb_selection_request_event_t *event, xcb_atom_t property) {
  xcb_atom_t targets[NAMES + 2] = {TARGETS, TIMESTAMP};
  uint32_t count = 2;
  for (int index = 0; index < offered.count; index++) targets[count++] = atom(offered.list[index]);
  xcb_change_property(connection, XCB_PROP_MODE_REPLACE, event->requestor, property, ATOM, 32, count, targets);
  notify(event->requestor, event->target, property, event->time);
}

static void requested(const xcb_selection_request_event_t *event) {
  if (event->selection != CLIPBOARD || event->owner != window) return;
  // Programs of the last century give none.
  xcb_atom_t property = event->property == XCB_NONE ? event->target : event->property;
  if (event->target == TARGETS && is_offering) return answer_types(event, property);
  if (event->target == TIMESTAMP && is_offering) {
    xcb_change_property(connection, XCB_PROP_MODE_REPLACE, event->requestor, property, INTEGER, 32, 1, &owned_since);
    return notify(event->requestor, event->target, property, event->time);
  }
  const char *name = NULL;
  for (int index = 0; index < offered.count && is_offering && !name; index++)
    if (atom(offered.list[index]) == event->target && strcmp(offered.list[index], marker)) name = offered.list[index];
  for (int index = 0; index < TRANSFERS && name; index++) {
    if (servings[index].requestor) continue;
    servings[index] = (struct serving){
        .requestor = event->requestor,
        .request = next_request(),
        .target = event->target,
        .property = property,
        .time = event->time,
        // The content comes from another machine.
        .deadline = now_seconds() + 600,
    };
    return tell_want(servings[index].request, name);
  }
  notify(event->requestor, event->target, XCB_NONE, event->time);
}

// The requestor has taken a part, and wants the next.
static void send_part(struct serving *serving) {
  size_t rest = serving->content.size - serving->offset;
  size_t count = rest < largest_part ? rest : largest_part;
  xcb_change_property(
      connection, XCB_PROP_MODE_REPLACE, serving->requestor, serving->property, serving->target, 8, (uint32_t)count,
      count ? serving->content.data + serving->offset : ""
  );
  serving->offset += count;
  serving->deadline = now_seconds() + LIFETIME;
  if (count == 0) end_serving(serving);
}

static void give(unsigned long request, struct bytes *content) {
  for (int index = 0; index < TRANSFERS; index++) {
    struct serving *serving = &servings[index];
    if (!serving->requestor || serving->request != request || request == 0) continue;
    if (!content) {
      notify(serving->requestor, serving->target, XCB_NONE, serving->time);
      return end_serving(serving);
    }
    serving->content = *content;
    *content = (struct bytes){0};
    serving->request = 0;
    serving->deadline = now_seconds() + LIFETIME;
    if (serving->content.size > largest_part) {
      uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE, size = (uint32_t)serving->content.size;
      xcb_change_window_attributes(connection, serving->requestor, XCB_CW_EVENT_MASK, &mask);
      xcb_change_property(connection, XCB_PROP_MODE_REPLACE, serving->requestor, serving->property, INCR, 32, 1, &size);
      return notify(serving->requestor, serving->target, serving->property, serving->time);
    }
    xcb_change_property(
        connection, XCB_PROP_MODE_REPLACE, serving->requestor, serving->property, serving->target, 8,
        (uint32_t)serving->content.size, serving->content.size ? serving->content.data : ""
    );
    notify(serving->requestor, serving->target, serving->property, serving->time);
    return end_serving(serving);
  }
}

static void property_changed(const xcb_property_notify_event_t *event) {
  if (event->window == window) {
    struct reading *reading = event->state == XCB_PROPERTY_NEW_VALUE ? find_reading(event->atom) : NULL;
    if (reading && reading->is_incremental) part_arrived(reading);
    return;
  }
  for (int index = 0; index < TRANSFERS; index++) {
    struct serving *serving = &servings[index];
    bool is_meant = serving->requestor == event->window && serving->property == event->atom && serving->request == 0;
    if (is_meant && event->state == XCB_PROPERTY_DELETE) return send_part(serving);
  }
}

// ------------------------------------------------------------------------------------------------ The connection

// Returns whether there were any.
static bool handle_events(void) {
  bool found = false;
  for (xcb_generic_event_t *event; (event = xcb_poll_for_event(connection)); free(event)) {
    found = true;
    switch (event->response_type & 0x7F) {
    case XCB_SELECTION_NOTIFY: converted((void *)event); break;
    case XCB_SELECTION_REQUEST: requested((void *)event); break;
    case XCB_PROPERTY_NOTIFY: property_changed((void *)event); break;
    default:
      if ((event->response_type & 0x7F) == first_event + XCB_XFIXES_SELECTION_NOTIFY) owner_changed((void *)event);
    }
  }
  return found;
}

// Sending, and replies that calls wait for, can bring events into libxcb's queue, where the poll doesn't see them.
static bool flush(void) {
  do
    if (xcb_flush(connection) <= 0 || xcb_connection_has_error(connection)) return false;
  while (handle_events());
  return true;
}

static bool read_events(void) {
  handle_events();
  return !xcb_connection_has_error(connection);
}

// What programs have done until now has been read when this answer has come.
static void wait_for_server(void) {
  free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), NULL));
  read_events();
}

static bool has_deadline(void) {
  bool found = question.deadline != 0;
  for (int index = 0; index < TRANSFERS; index++) found |= readings[index].is_used || servings[index].requestor;
  return found;
}

static void expire(int64_t now) {
  if (question.deadline && question.deadline < now) {
    question.deadline = 0;
    tell_unknown();
  }
  for (int index = 0; index < TRANSFERS; index++) {
    if (readings[index].is_used && readings[index].deadline < now) end_reading(&readings[index], false);
    if (servings[index].requestor && servings[index].deadline < now) {
      if (servings[index].request) notify(servings[index].requestor, servings[index].target, XCB_NONE, servings[index].time);
      end_serving(&servings[index]);
    }
  }
}

static void close_all(void) {
  drop();
  wait_for_server();
  for (int index = 0; index < TRANSFERS; index++)
    if (servings[index].requestor && servings[index].request)
      notify(servings[index].requestor, servings[index].target, XCB_NONE, servings[index].time);
  // The server has everything.
  free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), NULL));
}

const struct backend *x11_open(void) {
  int number;
  connection = xcb_connect(NULL, &number);
  if (xcb_connection_has_error(connection) || !is_believed(xcb_get_file_descriptor(connection))) return NULL;
  const xcb_query_extension_reply_t *extension = xcb_get_extension_data(connection, &xcb_xfixes_id);
  if (!extension || !extension->present) return NULL;
  first_event = extension->first_event;
  free(xcb_xfixes_query_version_reply(connection, xcb_xfixes_query_version(connection, 1, 0), NULL));
  xcb_screen_iterator_t screens = xcb_setup_roots_iterator(xcb_get_setup(connection));
  for (; number > 0 && screens.rem > 1; number--) xcb_screen_next(&screens);
  root = screens.data->root;
  window = xcb_generate_id(connection);
  uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
  xcb_create_window(
      connection, 0, window, root, -1, -1, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT,
      XCB_CW_EVENT_MASK, &mask
  );
  CLIPBOARD = atom("CLIPBOARD"), CLIPBOARD_MANAGER = atom("CLIPBOARD_MANAGER");
  SUPPORTING_WM_CHECK = atom("_NET_SUPPORTING_WM_CHECK"), TARGETS = atom("TARGETS"), TIMESTAMP = atom("TIMESTAMP"), INCR = atom("INCR");
  ATOM = XCB_ATOM_ATOM, INTEGER = XCB_ATOM_INTEGER;
  for (int index = 0; index < PROPERTIES; index++) {
    char name[] = "BATON_00";
    name[6] = (char)('0' + index / 10);
    name[7] = (char)('0' + index % 10);
    properties[index] = atom(name);
  }
  // A quarter of what one request can have, as other programs do, and at most 256 KiB.
  largest_part = (size_t)xcb_get_maximum_request_length(connection);
  if (largest_part > 256 * 1024) largest_part = 256 * 1024;
  largest_part &= ~(size_t)3;
  xcb_xfixes_select_selection_input(
      connection, window, CLIPBOARD,
      XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER | XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY
          | XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE
  );
  static struct backend backend = {0, flush, read_events, offer, drop, get, give, close_all, has_deadline, expire, NULL, NULL};
  backend.descriptor = xcb_get_file_descriptor(connection);
  return flush() ? &backend : NULL;
}
