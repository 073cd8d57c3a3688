// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

const char marker[] = "application/x-baton-mirrored";
const char put_back[] = "application/x-baton-put-back";
struct names offered;
unsigned long selection;

unsigned long taken;
static const struct backend *backend;
static unsigned long last_request;

// ------------------------------------------------------------------------------------------------ Bytes and names

bool bytes_append(struct bytes *bytes, const void *data, size_t size) {
  if (size > LARGEST - bytes->size) return false;
  if (bytes->size + size > bytes->capacity) {
    size_t capacity = bytes->capacity ? bytes->capacity : 4096;
    while (capacity < bytes->size + size) capacity *= 2;
    char *grown = realloc(bytes->data, capacity);
    if (!grown) return false;
    bytes->data = grown;
    bytes->capacity = capacity;
  }
  if (size) memcpy(bytes->data + bytes->size, data, size);
  bytes->size += size;
  return true;
}

void bytes_free(struct bytes *bytes) {
  if (bytes->data) explicit_bzero(bytes->data, bytes->capacity);
  free(bytes->data);
  *bytes = (struct bytes){0};
}

void names_add(struct names *names, const char *name, size_t length) {
  if (names->count == NAMES) {
    names->is_full = true;
    return;
  }
  char *copy = strndup(name, length < NAME_LENGTH ? length : NAME_LENGTH);
  if (copy) names->list[names->count++] = copy;
  else names->is_full = true;
}

bool names_have(const struct names *names, const char *name) {
  for (int index = 0; index < names->count; index++)
    if (strcmp(names->list[index], name) == 0) return true;
  return false;
}

void names_free(struct names *names) {
  for (int index = 0; index < names->count; index++) free(names->list[index]);
  *names = (struct names){0};
}

int64_t now_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

unsigned long next_request(void) { return ++last_request; }

void selection_changed(bool has_owner) {
  selection++;
  if (has_owner) taken = selection;
}

// ------------------------------------------------------------------------------------------------ To the agent

static void write_all(const char *data, size_t size) {
  while (size) {
    ssize_t count = write(STDOUT_FILENO, data, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(0);
    data += count;
    size -= (size_t)count;
  }
}

// Percent-encoded, because names may contain anything.
static void append_name(struct bytes *line, const char *name) {
  bytes_append(line, " ", 1);
  for (const unsigned char *letter = (const unsigned char *)name; *letter; letter++) {
    char text[4];
    if (*letter > 0x20 && *letter < 0x7F && *letter != '%') bytes_append(line, letter, 1);
    else bytes_append(line, text, (size_t)snprintf(text, sizeof text, "%%%02X", *letter));
  }
}

static void tell_line(struct bytes *line) {
  bytes_append(line, "\n", 1);
  write_all(line->data, line->size);
  bytes_free(line);
}

static struct bytes begin(const char *word, unsigned long number) {
  char text[64];
  struct bytes line = {0};
  bytes_append(&line, text, (size_t)snprintf(text, sizeof text, "%s %lu", word, number));
  return line;
}

void tell_unavailable(void) { write_all("unavailable\n", 12); }

void tell_selection(const struct names *names) {
  struct bytes line = begin("selection", selection);
  // A selection with too many types might be a secret.
  for (int index = 0; index < names->count && !names->is_full; index++) append_name(&line, names->list[index]);
  tell_line(&line);
}

void tell_none(void) {
  struct bytes line = begin("none", selection);
  tell_line(&line);
}

void tell_want(unsigned long request, const char *name) {
  struct bytes line = begin("want", request);
  append_name(&line, name);
  tell_line(&line);
}

void tell_content(unsigned long request, const struct bytes *content) {
  struct bytes line = begin("content", request);
  char text[32];
  bytes_append(&line, text, (size_t)snprintf(text, sizeof text, " %zu", content->size));
  tell_line(&line);
  write_all(content->data, content->size);
}

void tell_failed(unsigned long request) {
  struct bytes line = begin("failed", request);
  tell_line(&line);
}

// ------------------------------------------------------------------------------------------------ Pipes

static struct transfer {
  int descriptor; // 0 if it is free
  bool writes;
  unsigned long request;
  struct bytes content;
  size_t offset;
  int64_t deadline;
} transfers[TRANSFERS];

static void end_transfer(struct transfer *transfer, bool is_complete) {
  struct transfer ended = *transfer;
  *transfer = (struct transfer){0};
  close(ended.descriptor);
  if (!ended.writes && backend->was_read) backend->was_read(ended.request, is_complete ? &ended.content : NULL);
  else if (!ended.writes && is_complete) tell_content(ended.request, &ended.content);
  else if (!ended.writes) tell_failed(ended.request);
  bytes_free(&ended.content);
  if (ended.writes && backend->was_written) backend->was_written(ended.request, is_complete);
}

static void begin_transfer(struct transfer new) {
  for (int index = 0; index < TRANSFERS; index++) {
    if (transfers[index].descriptor) continue;
    fcntl(new.descriptor, F_SETFL, O_NONBLOCK);
    new.deadline = now_seconds() + LIFETIME;
    transfers[index] = new;
    return;
  }
  end_transfer(&new, false);
}

void pipe_read(unsigned long request, int descriptor) {
  begin_transfer((struct transfer){.descriptor = descriptor, .request = request});
}

void pipe_write(unsigned long request, int descriptor, struct bytes *content) {
  begin_transfer(
      (struct transfer){.descriptor = descriptor, .writes = true, .request = request, .content = *content}
  );
  *content = (struct bytes){0};
}

static struct transfer *find_reading(unsigned long request) {
  for (int index = 0; index < TRANSFERS; index++)
    if (transfers[index].descriptor && !transfers[index].writes && transfers[index].request == request)
      return &transfers[index];
  return NULL;
}

void pipe_end_reading(unsigned long request) {
  struct transfer *transfer = find_reading(request);
  if (!transfer) return;
  close(transfer->descriptor);
  bytes_free(&transfer->content);
  *transfer = (struct transfer){0};
}

int64_t pipe_last_read(unsigned long request) {
  const struct transfer *transfer = find_reading(request);
  return transfer ? transfer->deadline - LIFETIME : 0;
}

static void continue_transfer(struct transfer *transfer) {
  char buffer[65536];
  ssize_t count;
  if (transfer->writes) {
    size_t rest = transfer->content.size - transfer->offset;
    if (rest == 0) return end_transfer(transfer, true);
    count = write(transfer->descriptor, transfer->content.data + transfer->offset, rest);
    if (count > 0) transfer->offset += (size_t)count;
    if (count > 0 && transfer->offset == transfer->content.size) return end_transfer(transfer, true);
  } else {
    count = read(transfer->descriptor, buffer, sizeof buffer);
    if (count == 0) return end_transfer(transfer, true);
    bool fits = count <= 0 || bytes_append(&transfer->content, buffer, (size_t)count);
    if (count > 0) explicit_bzero(buffer, (size_t)count);
    if (!fits) return end_transfer(transfer, false);
  }
  if (count > 0) transfer->deadline = now_seconds() + LIFETIME;
  else if (errno != EAGAIN && errno != EINTR) end_transfer(transfer, false);
}

// Waits for them, and for others. True if there are any.
static bool poll_transfers(struct pollfd *others, bool only_writes, int timeout) {
  struct pollfd items[TRANSFERS + 2] = {others[0], others[1]};
  bool found = false;
  for (int index = 0; index < TRANSFERS; index++) {
    struct transfer *transfer = &transfers[index];
    bool is_polled = transfer->descriptor && (transfer->writes || !only_writes);
    found |= is_polled;
    items[index + 2] = (struct pollfd){is_polled ? transfer->descriptor : -1, transfer->writes ? POLLOUT : POLLIN, 0};
  }
  if (poll(items, TRANSFERS + 2, found && timeout < 0 ? 1000 : timeout) < 0 && errno != EINTR) exit(1);
  others[0] = items[0], others[1] = items[1];
  for (int index = 0; index < TRANSFERS; index++)
    if (transfers[index].descriptor && items[index + 2].revents) continue_transfer(&transfers[index]);
  int64_t now = now_seconds();
  for (int index = 0; index < TRANSFERS; index++)
    if (transfers[index].descriptor && transfers[index].deadline < now) end_transfer(&transfers[index], false);
  return found;
}

// Programs take the end of a pipe for the end of what they read, so what they get is written until its end. Nobody hears
// any more of what is read.
static void leave(int status) {
  for (int index = 0; index < TRANSFERS; index++)
    if (transfers[index].descriptor && !transfers[index].writes) pipe_end_reading(transfers[index].request);
  struct pollfd nothing[] = {{.fd = -1}, {.fd = -1}};
  int64_t end = now_seconds() + LIFETIME;
  while (now_seconds() < end && poll_transfers(nothing, true, 0)) poll_transfers(nothing, true, 1000);
  exit(status);
}

// ------------------------------------------------------------------------------------------------ From the agent

static struct bytes input;

// The program ends with the agent.
static void end(void) {
  backend->close();
  leave(0);
}

// Waits for more.
static void read_input(void) {
  char buffer[65536];
  ssize_t count;
  do count = read(STDIN_FILENO, buffer, sizeof buffer);
  while (count < 0 && errno == EINTR);
  if (count <= 0 || !bytes_append(&input, buffer, (size_t)count)) end();
}

static void consume(size_t count) {
  memmove(input.data, input.data + count, input.size - count);
  explicit_bzero(input.data + input.size - count, count);
  input.size -= count;
}

static void take_content(unsigned long request, size_t size) {
  struct bytes content = {0};
  if (size > LARGEST) exit(1);
  while (content.size < size) {
    if (input.size == 0) read_input();
    size_t part = input.size < size - content.size ? input.size : size - content.size;
    if (!bytes_append(&content, input.data, part)) exit(1);
    consume(part);
  }
  backend->give(request, &content);
  bytes_free(&content);
}

static void decode(char *name) {
  char *end = name;
  for (unsigned value; *name; name++) {
    if (*name == '%' && sscanf(name + 1, "%2X", &value) == 1 && name[1] && name[2]) {
      *end++ = (char)value;
      name += 2;
    } else {
      *end++ = *name;
    }
  }
  *end = 0;
}

static void obey(char *line) {
  char *rest = line, *word = strsep(&rest, " ");
  if (strcmp(word, "offer") == 0 && rest) {
    char *number = strsep(&rest, " ");
    if (strtoul(number, NULL, 10) < taken) return;
    names_free(&offered);
    for (char *name; (name = strsep(&rest, " "));)
      if (*name) {
        decode(name);
        names_add(&offered, name, strlen(name));
      }
    names_add(&offered, marker, sizeof marker);
    backend->offer();
  } else if (strcmp(word, "drop") == 0) {
    names_free(&offered);
    backend->drop();
  } else if (strcmp(word, "get") == 0 && rest) {
    unsigned long request = strtoul(rest, &rest, 10), number = strtoul(rest, &rest, 10);
    decode(rest);
    if (*rest == ' ' && number == selection) backend->get(request, rest + 1);
    else tell_failed(request);
  } else if (strcmp(word, "give") == 0 && rest) {
    unsigned long request = strtoul(rest, &rest, 10);
    take_content(request, strtoul(rest, NULL, 10));
  } else if (strcmp(word, "refuse") == 0 && rest) {
    backend->give(strtoul(rest, NULL, 10), NULL);
  }
}

static void obey_input(void) {
  read_input();
  char *end;
  while (input.size && (end = memchr(input.data, '\n', input.size))) {
    size_t length = (size_t)(end - input.data);
    char *line = strndup(input.data, length);
    if (!line) exit(1);
    consume(length + 1);
    obey(line);
    free(line);
  }
}

// ------------------------------------------------------------------------------------------------ The server

bool is_believed(int descriptor) {
  int domain = AF_UNIX;
  socklen_t size = sizeof domain;
  getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size);
  if (domain != AF_UNIX) return true;
  struct ucred peer;
  size = sizeof peer;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size)) return false;
  return peer.uid == 0 || peer.uid == geteuid();
}

// ------------------------------------------------------------------------------------------------ The loop

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  // The agent closes standard input as well, which lets the selection be given up in order.
  signal(SIGTERM, SIG_IGN);
  // What is copied passes through this memory.
  prctl(PR_SET_DUMPABLE, 0);
  // X11 programs of a Wayland session share its clipboard, so only the compositor counts there.
  const char *name = getenv("WAYLAND_DISPLAY") ? "wayland" : "x11";
  backend = getenv("WAYLAND_DISPLAY") ? wayland_open() : getenv("DISPLAY") ? x11_open() : NULL;
  if (!backend && getenv("WAYLAND_DISPLAY")) {
    name = "mutter";
    backend = mutter_open();
  }
  if (!backend) {
    tell_unavailable();
    return 3;
  }
  char text[32];
  write_all(text, (size_t)snprintf(text, sizeof text, "ready %s\n", name));
  for (;;) {
    if (!backend->flush()) leave(1);
    struct pollfd items[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = backend->descriptor, .events = POLLIN}};
    poll_transfers(items, false, backend->has_deadline() ? 1000 : -1);
    if (items[1].revents && !backend->read()) leave(1);
    if (items[0].revents) obey_input();
    backend->expire(now_seconds());
  }
}
