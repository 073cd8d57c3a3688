// SPDX-License-Identifier: Apache-2.0

// Preloaded into a daemon: lets the nth call of a kind fail or kill the process, moves the wall clock, and counts. What is to be
// done stands in the file that FAULTS_CONTROL names (preload.py writes it), which both sides have mapped. Of calls that touch
// files only those count that touch one below FAULTS_DIRECTORY.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// As preload.py has them. CHANGE: whatever changes a file, also counted as what it is.
enum kind { CHANGE, OPEN, READ, WRITE, FSYNC, RENAME, UNLINK, MKDIR, ACCESS, ACCEPT, ALLOCATE, KINDS };
enum action { NOTHING, FAIL, FAIL_ON, KILL_BEFORE, KILL_AFTER, SHORT };

static struct control {
  int64_t clock;
  _Atomic int64_t counts[KINDS];
  int64_t at;
  int32_t kind, action, error;
  _Atomic int32_t fired;
} *control;
static char directory[PATH_MAX];
static size_t directory_length;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULTS_CONTROL"), *below = getenv("FAULTS_DIRECTORY");
  int file = path && below ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  directory_length = (size_t)snprintf(directory, sizeof directory, "%s", below);
  void *page = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (page != MAP_FAILED) control = page;
}

static int is_below(const char *path) {
  return strncmp(path, directory, directory_length) == 0 && (path[directory_length] == 0 || path[directory_length] == '/');
}

static int is_file(int descriptor) {
  char name[32], path[PATH_MAX];
  if (control == NULL) return 0;
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(name, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_below(path);
}

static int is_path(int descriptor, const char *path) {
  if (control == NULL) return 0;
  return path[0] == '/' ? is_below(path) : descriptor != AT_FDCWD && is_file(descriptor);
}

static void end(void) {
  syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
  for (;;) pause();
}

// Counts a call, and says what is to be done with it.
static enum action count(enum kind kind) {
  int64_t number = ++control->counts[kind];
  if (control->kind != (int32_t)kind || control->action == NOTHING) return NOTHING;
  if (number != control->at && !(control->action == FAIL_ON && number > control->at)) return NOTHING;
  control->fired++;
  if (control->action == KILL_BEFORE) end();
  return control->action;
}

// The same for a call that counts as two kinds.
static enum action count_change(enum kind kind) {
  enum action one = count(kind), other = count(CHANGE);
  return one != NOTHING ? one : other;
}

#define FAILS(action, value) \
  do { \
    if ((action) == FAIL || (action) == FAIL_ON) { errno = control->error; return value; } \
  } while (0)
#define RESULT(action, value) \
  do { \
    long result = (value); \
    if ((action) == KILL_AFTER) end(); \
    return result; \
  } while (0)

int openat(int at, const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  enum action action = NOTHING;
  if (is_path(at, path)) action = flags & O_CREAT ? count_change(OPEN) : count(OPEN);
  FAILS(action, -1);
  RESULT(action, syscall(SYS_openat, at, path, flags, mode));
}

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return openat(AT_FDCWD, path, flags, mode);
}

int open64(const char *, int, ...) __attribute__((alias("open")));
int openat64(int, const char *, int, ...) __attribute__((alias("openat")));

DIR *opendir(const char *path) {
  DIR *(*next)(const char *) = dlsym(RTLD_NEXT, "opendir");
  enum action action = is_path(AT_FDCWD, path) ? count(OPEN) : NOTHING;
  FAILS(action, NULL);
  return next(path);
}

ssize_t read(int file, void *bytes, size_t length) {
  enum action action = is_file(file) ? count(READ) : NOTHING;
  FAILS(action, -1);
  RESULT(action, syscall(SYS_read, file, bytes, length));
}

ssize_t pread(int file, void *bytes, size_t length, off_t offset) {
  enum action action = is_file(file) ? count(READ) : NOTHING;
  FAILS(action, -1);
  RESULT(action, syscall(SYS_pread64, file, bytes, length, offset));
}

ssize_t write(int file, const void *bytes, size_t length) {
  enum action action = is_file(file) ? count_change(WRITE) : NOTHING;
  FAILS(action, -1);
  if (action == SHORT || action == KILL_AFTER) length = (length + 1) / 2;
  RESULT(action, syscall(SYS_write, file, bytes, length));
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
  enum action action = is_file(file) ? count_change(WRITE) : NOTHING;
  FAILS(action, -1);
  if (action == SHORT || action == KILL_AFTER) length = (length + 1) / 2;
  RESULT(action, syscall(SYS_pwrite64, file, bytes, length, offset));
}

int fsync(int file) {
  enum action action = is_file(file) ? count_change(FSYNC) : NOTHING;
  FAILS(action, -1);
  RESULT(action, syscall(SYS_fsync, file));
}

int fdatasync(int) __attribute__((alias("fsync")));

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
  enum action action = is_path(to_at, to) || is_path(from_at, from) ? count_change(RENAME) : NOTHING;
  FAILS(action, -1);
  RESULT(action, syscall(SYS_renameat2, from_at, from, to_at, to, flags));
}

int renameat(int from_at, const char *from, int to_at, const char *to) { return renameat2(from_at, from, to_at, to, 0); }

int rename(const char *from, const char *to) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }

// Counted as a rename: it gives a name, too.
int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
  enum action action = is_path(to_at, to) ? count_change(RENAME) : NOTHING;
  FAILS(action, -1);
  RESULT(action, syscall(SYS_linkat, from_at, from, to_at, to, flags));
}

int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int unlinkat(int at, const char *path, int flags) {
  enum action action = is_path(at, path) ? count_change(UNLINK) : NOTHING;
  FAILS(action, -1);
  RESULT(action, syscall(SYS_unlinkat, at, path, flags));
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int at, const char *path, mode_t mode) {
  enum action action = is_path(at, path) ? count_change(MKDIR) : NOTHING;
  FAILS(action, -1);
  RESULT(action, syscall(SYS_mkdirat, at, path, mode));
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int access(const char *path, int mode) {
  enum action action = is_path(AT_FDCWD, path) ? count(ACCESS) : NOTHING;
  FAILS(action, -1);
  RESULT(action, syscall(SYS_faccessat, AT_FDCWD, path, mode));
}

int fstatat(int at, const char *path, struct stat *status, int flags) {
  enum action action = is_path(at, path) ? count(ACCESS) : NOTHING;
  FAILS(action, -1);
  RESULT(action, syscall(SYS_newfstatat, at, path, status, flags));
}

int stat(const char *path, struct stat *status) { return fstatat(AT_FDCWD, path, status, 0); }

int lstat(const char *path, struct stat *status) { return fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW); }

int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
  enum action action = control ? count(ACCEPT) : NOTHING;
  FAILS(action, -1);
  RESULT(action, syscall(SYS_accept4, listener, address, length, flags));
}

int accept(int listener, struct sockaddr *address, socklen_t *length) { return accept4(listener, address, length, 0); }

// Memory. glibc's own names of its allocator, as dlsym(3) allocates.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static int is_refused(void) {
  if (control == NULL) return 0;
  enum action action = count(ALLOCATE);
  return action == FAIL || action == FAIL_ON;
}

void *malloc(size_t size) {
  if (!is_refused()) return __libc_malloc(size);
  errno = ENOMEM;
  return NULL;
}

void *calloc(size_t number, size_t size) {
  if (!is_refused()) return __libc_calloc(number, size);
  errno = ENOMEM;
  return NULL;
}

void *realloc(void *bytes, size_t size) {
  if (!is_refused()) return __libc_realloc(bytes, size);
  errno = ENOMEM;
  return NULL;
}

int posix_memalign(void **bytes, size_t alignment, size_t size) {
  if (is_refused() || (*bytes = __libc_memalign(alignment, size)) == NULL) return ENOMEM;
  return 0;
}

// Clocks.
int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && control && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += control->clock;
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  (void)zone;
  struct timespec time;
  if (clock_gettime(CLOCK_REALTIME, &time) != 0) return -1;
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  if (now) *now = time.tv_sec;
  return time.tv_sec;
}
