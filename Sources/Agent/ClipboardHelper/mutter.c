// SPDX-License-Identifier: Apache-2.0

// The selection of GNOME's compositor, Mutter, which has no data control. Reading and setting the selection is part of
// its interface for remote desktops.
//
// Mutter has a clipboard manager. It reads whatever is selected at once, in one type, and when nothing is selected any
// longer, it puts that back in this type only, without any mark of a secret.
#define _GNU_SOURCE
#include "helper.h"
#include "mutter.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The types that Mutter's manager keeps, from the worst to the best.
static const char text[] = "text/plain;charset=utf-8";
static const char *const kept[] = {
    "image/tiff", "image/bmp",     "image/gif",  "image/jpeg", "image/webp",
    "image/png",  "image/svg+xml", "text/plain", text,
};
// The manager reads within this time, in milliseconds.
static const int64_t reading_time = 1000;

struct session *session;
static struct backend backend;
// What is mirrored should be the selection. Something of another program is.
static bool is_offering, is_foreign;
// Mutter's manager keeps a type of what is mirrored.
static bool is_kept;
// The number of the newest question whether a program has copied something; 0 if it is answered.
static uintptr_t question, last_question;
// How often we took the selection, and Mutter hasn't told yet that we have it.
static unsigned untold;
// How often we have set it without an answer, and what was asked of us until then.
static unsigned unanswered;
static struct request {
  char *name;
  uint32_t serial;
} early[TRANSFERS];
static int early_count;
// The selection has lost its owner, and Mutter hasn't answered a question since then; 0 if it has. The manager puts back
// in the same moment, so that Mutter tells of that before it answers anything.
static uintptr_t gap, last_gap;
// How often we have given up the selection, and Mutter hasn't answered.
static unsigned undropped;
// Until then, the manager may be reading from an X11 program. Some of those confuse two who read at the same time:
// xclip gives each a part of long content, or stops.
static int64_t busy_until;

// What local programs want from us.
static struct serving {
  unsigned long request; // 0 if it is free
  int descriptor;        // -1 before Mutter has given it, and once the content is on its way
  struct request wanted;
  int64_t deadline; // 0 once the content is on its way
} servings[TRANSFERS];

static int64_t now_milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// The type that the manager keeps of these; NULL if there is none.
static const char *kept_type(const struct names *names) {
  for (size_t index = sizeof kept / sizeof *kept; index-- > 0;)
    if (names_have(names, kept[index])) return kept[index];
  return NULL;
}

// ------------------------------------------------------------------------------------------------ Serving

static void tell_written(uint32_t serial, bool is_complete) {
  sd_bus_message *call = session_call(session, "SelectionWriteDone");
  int value = is_complete;
  if (call) sd_bus_message_append_basic(call, 'u', &serial), sd_bus_message_append_basic(call, 'b', &value);
  session_send(session, call, NULL, NULL);
}

static struct serving *find_serving(unsigned long request) {
  for (int index = 0; index < TRANSFERS && request; index++)
    if (servings[index].request == request) return &servings[index];
  return NULL;
}

static void end_serving(struct serving *serving) {
  free(serving->wanted.name);
  *serving = (struct serving){0};
}

static void writable(sd_bus_message *reply, void *data) {
  struct serving *serving = find_serving((unsigned long)(uintptr_t)data);
  int descriptor = descriptor_in(reply);
  if (serving && descriptor >= 0) {
    serving->descriptor = descriptor;
    return tell_want(serving->request, serving->wanted.name);
  }
  // The program gets nothing.
  if (descriptor >= 0) close(descriptor);
  if (serving) end_serving(serving);
}

// Mutter waits fifteen seconds for SelectionWrite, and then as long as it takes. The callee takes the request.
static void serve(struct request wanted) {
  unsigned long request = 0;
  bool is_offered = names_have(&offered, wanted.name) && strcmp(wanted.name, marker);
  for (int index = 0; index < TRANSFERS && is_offered && !request; index++) {
    if (servings[index].request) continue;
    request = next_request();
    // The content comes from another machine.
    servings[index] = (struct serving){request, -1, wanted, now_seconds() + 600};
  }
  sd_bus_message *call = session_call(session, "SelectionWrite");
  if (call) sd_bus_message_append_basic(call, 'u', &wanted.serial);
  bool is_sent = session_send(session, call, writable, (void *)(uintptr_t)request);
  if (!request) free(wanted.name);
  else if (!is_sent) end_serving(find_serving(request));
}

static void wanted(sd_bus_message *signal) {
  struct request new = {0};
  const char *name;
  if (sd_bus_message_read_basic(signal, 's', &name) <= 0) return;
  if (sd_bus_message_read_basic(signal, 'u', &new.serial) <= 0 || !is_offering) return;
  if (unanswered && early_count == TRANSFERS) return;
  new.name = strdup(name);
  if (!new.name) return;
  if (unanswered) early[early_count++] = new;
  else serve(new);
}

static void give(unsigned long request, struct bytes *content) {
  struct serving *serving = find_serving(request);
  if (!serving || serving->descriptor < 0) return;
  int descriptor = serving->descriptor;
  serving->descriptor = -1;
  serving->deadline = 0;
  if (content) return pipe_write(request, descriptor, content);
  close(descriptor);
  tell_written(serving->wanted.serial, false);
  end_serving(serving);
}

static void was_written(unsigned long request, bool is_complete) {
  struct serving *serving = find_serving(request);
  if (!serving) return;
  tell_written(serving->wanted.serial, is_complete);
  end_serving(serving);
}

// ------------------------------------------------------------------------------------------------ Our selection

// Whoever has asked for anything before this answer did so while Mutter was setting the selection: extensions of GNOME,
// and last its manager, which gets no answer. Otherwise, whatever was copied on another machine would be fetched at
// once, and kept when it is gone there. Mutter gives up such a request with the selection, or after fifteen seconds.
static void set(sd_bus_message *reply, void *data) {
  (void)data;
  unanswered--;
  if (!reply) session->is_over = true;
  const char *name = kept_type(&offered);
  if (early_count && name && strcmp(early[early_count - 1].name, name) == 0) free(early[--early_count].name);
  for (int index = 0; index < early_count; index++) serve(early[index]);
  early_count = 0;
}

static void dropped(sd_bus_message *reply, void *data) {
  undropped--;
  gap = 0;
  set(reply, data);
}

// Without names, nothing is selected any longer, unless a program has taken the selection.
static void set_selection(const char *const *names, int count) {
  sd_bus_message *call = session_call(session, "SetSelection");
  bool is_built = call && sd_bus_message_open_container(call, 'a', "{sv}") >= 0;
  if (is_built && count) {
    sd_bus_message_open_container(call, 'e', "sv");
    sd_bus_message_append_basic(call, 's', "mime-types");
    sd_bus_message_open_container(call, 'v', "as");
    sd_bus_message_open_container(call, 'a', "s");
    for (int index = 0; index < count; index++) sd_bus_message_append_basic(call, 's', names[index]);
    for (int depth = 0; depth < 3; depth++) is_built &= sd_bus_message_close_container(call) >= 0;
  }
  if (is_built) is_built = sd_bus_message_close_container(call) >= 0;
  if (!is_built) call = sd_bus_message_unref(call);
  if (!session_send(session, call, count ? set : dropped, NULL)) session->is_over = true;
  else unanswered++;
  if (!count) undropped++;
}

static void take_selection(sd_bus_message *reply, void *data) {
  (void)reply;
  if ((uintptr_t)data != question) return;
  question = 0;
  is_offering = true;
  readings_fail();
  is_foreign = false;
  is_kept = kept_type(&offered);
  untold++;
  set_selection((const char *const *)offered.list, offered.count);
}

static void offer(void) {
  question = ++last_question;
  if (!session_ask(session, take_selection, (void *)question)) session->is_over = true;
}

// The manager forgets what it has with the next selection, and keeps nothing of one that is never given.
static void clear(void) {
  const char *const names[] = {text, marker};
  untold++;
  set_selection(names, 2);
  set_selection(NULL, 0);
}

static void drop(void) {
  question = 0;
  if (!is_offering) return;
  is_offering = false;
  // Some versions crash if a program has answered the manager late, and the manager keeps nothing of what is selected.
  if (is_kept) set_selection(NULL, 0);
  else clear();
}

// ------------------------------------------------------------------------------------------------ The local selection

// The names of a list, which Mutter wraps in a structure.
static void read_names(sd_bus_message *signal, const char *contents, struct names *names) {
  const char *name;
  int result = 0;
  bool is_wrapped = strcmp(contents, "(as)") == 0;
  if (sd_bus_message_enter_container(signal, 'v', contents) > 0
      && (!is_wrapped || sd_bus_message_enter_container(signal, 'r', "as") > 0)
      && sd_bus_message_enter_container(signal, 'a', "s") > 0) {
    while ((result = sd_bus_message_read_basic(signal, 's', &name)) > 0) names_add(names, name, strlen(name));
    for (int depth = is_wrapped ? 3 : 2; depth > 0 && result >= 0; depth--)
      result = sd_bus_message_exit_container(signal);
  } else {
    result = -1;
  }
  // It could be a secret.
  if (result < 0) names->is_full = true;
}

// Whether anything is selected.
static bool read_owner(sd_bus_message *signal, struct names *names, bool *is_own) {
  bool has_owner = false;
  int result = sd_bus_message_enter_container(signal, 'a', "{sv}"), value;
  while (result > 0 && (result = sd_bus_message_enter_container(signal, 'e', "sv")) > 0) {
    const char *key, *contents;
    char type;
    if ((result = sd_bus_message_read_basic(signal, 's', &key)) <= 0) break;
    if ((result = sd_bus_message_peek_type(signal, &type, &contents)) <= 0) break;
    bool is_list = strcmp(key, "mime-types") == 0 && (strcmp(contents, "(as)") == 0 || strcmp(contents, "as") == 0);
    if (strcmp(key, "mime-types") == 0) has_owner = true;
    if (is_list) {
      read_names(signal, contents, names);
    } else if (strcmp(key, "session-is-owner") == 0 && strcmp(contents, "b") == 0) {
      sd_bus_message_enter_container(signal, 'v', "b");
      if (sd_bus_message_read_basic(signal, 'b', &value) > 0) *is_own = value;
      sd_bus_message_exit_container(signal);
    } else {
      sd_bus_message_skip(signal, "v");
    }
    result = sd_bus_message_exit_container(signal);
  }
  if (result < 0) has_owner = names->is_full = true;
  return has_owner;
}

static void end_gap(sd_bus_message *reply, void *data) {
  (void)reply;
  if ((uintptr_t)data == gap) gap = 0;
}

static void begin_gap(void) {
  gap = ++last_gap;
  if (!session_ask(session, end_gap, (void *)gap)) session->is_over = true;
}

static void report(struct names *names, bool has_owner) {
  bool is_put_back = gap && has_owner && names->count == 1 && !names->is_full && kept_type(names);
  is_offering = false;
  is_foreign = has_owner;
  gap = 0;
  if (!has_owner) begin_gap();
  // Only X11 programs have this name.
  busy_until = has_owner && names_have(names, "TARGETS") ? now_milliseconds() + reading_time : 0;
  readings_fail();
  // It is older, because a program gave it only after we had taken the selection.
  if (is_put_back && undropped) return clear();
  selection_changed(has_owner);
  if (!has_owner) return tell_none();
  // What a program has copied is newer than what we were about to offer.
  question = 0;
  if (is_put_back) names_add(names, put_back, strlen(put_back));
  if (names_have(names, marker)) tell_none();
  else tell_selection(names);
}

static void owner_changed(sd_bus_message *signal) {
  struct names names = {0};
  bool is_own = false, has_owner = read_owner(signal, &names, &is_own);
  if (has_owner && is_own && untold) untold--;
  // What was there just before ours is there no more.
  else if (!is_own && !untold) report(&names, has_owner);
  names_free(&names);
}

static void owner_told(sd_bus_message *signal, const char *member) {
  if (strcmp(member, "SelectionOwnerChanged") == 0) owner_changed(signal);
  if (strcmp(member, "SelectionTransfer") == 0) wanted(signal);
}

static void get(unsigned long request, const char *name) {
  // What is ours is not read.
  if (is_foreign) reading_add(request, name);
  else tell_failed(request);
}

// ------------------------------------------------------------------------------------------------ The connection

// Another session can read whatever this one is stuck in. Nothing that happens in between is missed, because the new
// one is there before the old one has told everything.
bool change_session(void) {
  struct session *other = session_open(owner_told);
  bool is_settled = other && session_settle(session);
  // Its end would take back what we offer.
  if (!is_settled || is_offering || untold) {
    session_free(other);
    return is_settled;
  }
  session_free(session);
  session = other;
  backend.descriptor = sd_bus_get_fd(session->bus);
  return true;
}

static bool is_going(bool is_going) {
  // Mutter goes on without us, as it does while the screen is off.
  if (!is_going && session->is_closed) tell_unavailable();
  return is_going;
}

static bool flush(void) {
  if (!session_process(session)) return is_going(false);
  return is_going(now_milliseconds() < busy_until || (reading_begin() && session_process(session)));
}

static bool read_signals(void) { return is_going(session_process(session)); }

static bool has_deadline(void) {
  bool found = session_is_busy(session) || readings_wait();
  for (int index = 0; index < TRANSFERS; index++) found |= servings[index].deadline != 0;
  return found;
}

static void expire(int64_t now) {
  for (int index = 0; index < TRANSFERS; index++)
    if (servings[index].deadline && servings[index].deadline < now) give(servings[index].request, NULL);
  readings_expire(now);
}

static void close_all(void) {
  drop();
  // The second time if the manager has put back something.
  if (session_settle(session)) session_settle(session);
}

const struct backend *mutter_open(void) {
  session = session_open(owner_told);
  while (!session && screen_comes_on()) session = session_open(owner_told);
  if (!session) return NULL;
  backend = (struct backend){
      sd_bus_get_fd(session->bus), flush, read_signals, offer, drop, get, give, close_all, has_deadline,
      expire, reading_ended, was_written,
  };
  return &backend;
}
