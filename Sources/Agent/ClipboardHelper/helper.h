// SPDX-License-Identifier: Apache-2.0

// The helper of `baton agent` that sees and sets the desktop's selection. Documentation/reference/ClipboardHelper.md
// has the lines that it reads and writes.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  NAMES = 256,            // of the types of one selection (Limits.selectionNames)
  NAME_LENGTH = 127,      // in bytes (Limits.mediaTypeLength)
  TRANSFERS = 16,         // that go on at the same time
  LIFETIME = 10,          // seconds in which one makes progress (Limits.selectionTime)
  LARGEST = 64 << 20,     // bytes (Limits.clipboardLength)
};

// A type that the agent adds to what it mirrors. Whatever has it is never reported.
extern const char marker[];
// A type that is reported beside the others where a clipboard manager has taken over what another program had copied.
extern const char put_back[];
// The same, where a program ends when it has been asked once.
extern const char pasted_once[];

struct bytes {
  char *data;
  size_t size, capacity;
};

// False if there is no memory, or it would be longer than LARGEST.
bool bytes_append(struct bytes *, const void *, size_t);
void bytes_free(struct bytes *);

struct names {
  char *list[NAMES + 1];
  int count;
  // There were more, so that a mark of a secret may be missing.
  bool is_full;
};

void names_add(struct names *, const char *, size_t);
bool names_have(const struct names *, const char *);
void names_free(struct names *);

struct backend {
  int descriptor;
  // Sends what waits, before the descriptor is polled. False if the display is gone.
  bool (*flush)(void);
  bool (*read)(void);
  // Takes the selection.
  void (*offer)(void);
  // Gives it up.
  void (*drop)(void);
  // Reads the local selection in a type.
  void (*get)(unsigned long request, const char *name);
  // What a local program wants is there; NULL if it is refused. The callee takes the bytes.
  void (*give)(unsigned long request, struct bytes *);
  // Gives up the selection, and refuses what local programs have asked for until then. Otherwise, they might wait forever.
  void (*close)(void);
  // Whether anything must be flushed again or may have to be given up, even if nothing happens until then.
  bool (*has_deadline)(void);
  // Gives up whatever makes no progress.
  void (*expire)(int64_t now);
  // Tells the agent what came through a pipe; NULL if that is not all. The callee takes the bytes. NULL if it is told anyway.
  void (*was_read)(unsigned long request, struct bytes *);
  // All or not all of it went through a pipe. NULL if it doesn't matter.
  void (*was_written)(unsigned long request, bool is_complete);
};

// NULL if there is none, or it lacks what is needed.
const struct backend *x11_open(void);
const struct backend *wayland_open(void);
const struct backend *mutter_open(void);

// Whether root's or this user's server is at the other end. After su, the environment may be that of another user. The
// connections of ssh(1) to X servers are not Unix sockets; a secret protects them.
bool is_believed(int descriptor);

// Whether the program of this name that was started last, xclip or wl-copy, ends when it has been asked once. For xclip, the
// type that it has is copied.
bool is_pasted_once(const char *program, char *type, size_t size);

// What the agent offers to local programs.
extern struct names offered;
// The number of the local selection, which grows with each change. Until its types are known, it is not reported.
extern unsigned long selection;
// The number that it got when a program took it last.
extern unsigned long taken;

int64_t now_seconds(void);
unsigned long next_request(void);

// Another program has the selection, or nothing has. An offer that the agent made before it knew of that program comes too
// late.
void selection_changed(bool has_owner);

// To the agent.
void tell_unavailable(void);
void tell_selection(const struct names *);
void tell_none(void);
void tell_want(unsigned long request, const char *name);
void tell_content(unsigned long request, const struct bytes *);
void tell_failed(unsigned long request);

// Bytes that go through a pipe to or from a local program, on Wayland.
void pipe_read(unsigned long request, int descriptor);
void pipe_write(unsigned long request, int descriptor, struct bytes *);
// Gives up reading, and tells nobody.
void pipe_end_reading(unsigned long request);
// When something was read last; 0 if nothing goes through a pipe for this request.
int64_t pipe_last_read(unsigned long request);
