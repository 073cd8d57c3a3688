// SPDX-License-Identifier: Apache-2.0

// This library is preloaded into a daemon. While there is a file at the path in SLOW_DISK, fsync(2) and fdatasync(2) of
// files below SLOW_DISK_DIRECTORY wait. How many wait or have waited stands in the file that SLOW_DISK_COUNT names, as
// a native 64-bit integer.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t *count;
static const char *slow, *directory;
static int (*synchronize)(int), (*synchronize_data)(int);

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("SLOW_DISK_COUNT");
  slow = getenv("SLOW_DISK");
  directory = getenv("SLOW_DISK_DIRECTORY");
  int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
  void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file >= 0) close(file);
  if (page != MAP_FAILED) count = page;
  synchronize = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  synchronize_data = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
}

static int is_below(int descriptor) {
  char name[32], path[PATH_MAX];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(name, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strncmp(path, directory, strlen(directory)) == 0;
}

static void wait_for_disk(int descriptor) {
  if (slow == NULL || directory == NULL || count == NULL || access(slow, F_OK) != 0 || !is_below(descriptor)) return;
  __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
  struct timespec step = {0, 5 * 1000 * 1000};
  while (access(slow, F_OK) == 0) nanosleep(&step, NULL);
}

int fsync(int descriptor) {
  wait_for_disk(descriptor);
  return synchronize(descriptor);
}

int fdatasync(int descriptor) {
  wait_for_disk(descriptor);
  return synchronize_data(descriptor);
}
