// SPDX-License-Identifier: Apache-2.0

// Programs that end when they have been asked for the selection once: `xclip -loops 1` and `wl-copy --paste-once`. For xclip,
// even the question for the types counts, so that it must not be asked; what it has follows from its arguments.
#define _GNU_SOURCE
#include "helper.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char pasted_once[] = "application/x-baton-pasted-once";

enum { LENGTH = 4096, ARGUMENTS = 64 };

// The content of a file of a process, with a NUL at its end.
static size_t read_file(const char *process, const char *name, char *content) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%.20s/%s", process, name);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  ssize_t count = read(descriptor, content, LENGTH - 1);
  close(descriptor);
  content[count > 0 ? count : 0] = 0;
  return count > 0 ? (size_t)count : 0;
}

// Whether the argument is the option, or an abbreviation of it.
static bool is_option(const char *argument, const char *option) {
  size_t length = strlen(argument);
  return length > 1 && strncmp(argument, option, length) == 0;
}

// Whether xclip has the selection CLIPBOARD, and gives it as often as somebody asks, up to a number.
static bool counts(int count, char **arguments, const char **type) {
  bool is_clipboard = false, is_limited = false;
  *type = "UTF8_STRING";
  for (int index = 1; index + 1 < count; index++) {
    const char *value = arguments[index + 1];
    if (is_option(arguments[index], "-loops") && atoi(value) > 0) is_limited = true;
    if (is_option(arguments[index], "-selection") && *value == 'c') is_clipboard = true;
    if (is_option(arguments[index], "-target")) *type = value;
  }
  return is_clipboard && is_limited;
}

static bool is_once(int count, char **arguments) {
  for (int index = 1; index < count && strcmp(arguments[index], "--") != 0; index++) {
    const char *argument = arguments[index];
    if (strncmp(argument, "--paste-once", 5) == 0) return true;
    if (argument[0] == '-' && strchr("fnop", argument[1]) && strchr(argument, 'o') && argument[1] != 0) return true;
  }
  return false;
}

bool is_pasted_once(const char *program, char *type, size_t size) {
  DIR *processes = opendir("/proc");
  if (!processes) return false;
  unsigned long long newest = 0;
  bool result = false;
  for (struct dirent *entry; (entry = readdir(processes));) {
    char content[LENGTH], *arguments[ARGUMENTS];
    struct stat status;
    if (*entry->d_name < '1' || *entry->d_name > '9') continue;
    if (fstatat(dirfd(processes), entry->d_name, &status, 0) || status.st_uid != geteuid()) continue;
    if (!read_file(entry->d_name, "stat", content)) continue;
    const char *begin = strchr(content, '('), *end = strrchr(content, ')');
    if (!begin || !end || (size_t)(end - begin - 1) != strlen(program) || strncmp(begin + 1, program, strlen(program)))
      continue;
    unsigned long long start = 0;
    sscanf(end + 1, " %*c%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%llu", &start);
    // The one that was started last has the selection.
    if (start < newest) continue;
    newest = start;
    size_t length = read_file(entry->d_name, "cmdline", content);
    int count = 0;
    for (char *word = content; word < content + length && count < ARGUMENTS; word += strlen(word) + 1)
      arguments[count++] = word;
    const char *found = NULL;
    result = type ? counts(count, arguments, &found) : is_once(count, arguments);
    if (type && result) snprintf(type, size, "%s", found);
  }
  closedir(processes);
  return result;
}
