// Preloaded into a daemon: its clocks that go on while a machine sleeps are ahead by as many seconds as stand, as a
// native 64-bit number, in the file CLOCK_JUMP names. The clock that stands still in a sleep is left alone.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *jump;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("CLOCK_JUMP");
  int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
  if (file >= 0) close(file);
  if (page != MAP_FAILED) jump = page;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = (int)syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && jump != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_BOOTTIME)) time->tv_sec += *jump;
  return result;
}

time_t time(time_t *now) {
  struct timespec time = {0};
  clock_gettime(CLOCK_REALTIME, &time);
  if (now != NULL) *now = time.tv_sec;
  return time.tv_sec;
}
