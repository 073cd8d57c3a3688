// SPDX-License-Identifier: Apache-2.0

#include "FaultyFiles.h"
#include <sqlite3.h>
#include <string.h>

typedef struct {
  sqlite3_file base;
  sqlite3_file *inner; // Behind this structure, in the same allocation.
  int is_unsynced;
} FaultyFile;

static sqlite3_vfs *usual;
static int changes, failing_number, failing_code, is_last_change;
static long long left;

void faulty_files_fail(int number, int code, int is_last) {
  changes = 0;
  left = 0;
  failing_number = number;
  failing_code = code;
  is_last_change = is_last;
}

int faulty_files_changes(void) { return changes; }

long long faulty_files_left(void) { return left; }

// Counts what is given back to the file system.
static void give_back(sqlite3_file *file, int is_unsynced, sqlite3_int64 offset) {
  sqlite3_int64 size;
  if (file->pMethods->xFileSize(file, &size) != SQLITE_OK) return;
  if (is_unsynced && size > offset) left += size - offset;
  char bytes[4096];
  for (; offset < size; offset += (int)sizeof bytes) {
    // What is behind the end reads as zeros.
    file->pMethods->xRead(file, bytes, sizeof bytes, offset);
    for (size_t index = 0; index < sizeof bytes; index++) left += bytes[index] != 0;
  }
}

// Counts a change. Returns the code with which it fails.
static int fault(void) {
  changes += 1;
  int fails = failing_number && (changes == failing_number || (is_last_change && changes > failing_number));
  return fails ? failing_code : SQLITE_OK;
}

static int has_stopped(void) { return is_last_change && failing_number && changes >= failing_number; }

static sqlite3_file *inner(sqlite3_file *file) { return ((FaultyFile *)file)->inner; }

static int close_file(sqlite3_file *file) { return inner(file)->pMethods->xClose(inner(file)); }

static int read_file(sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset) {
  return inner(file)->pMethods->xRead(inner(file), bytes, length, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
  int code = fault();
  ((FaultyFile *)file)->is_unsynced = 1;
  if (code == SQLITE_OK) return inner(file)->pMethods->xWrite(inner(file), bytes, length, offset);
  // Half of it may be there.
  if (changes == failing_number) inner(file)->pMethods->xWrite(inner(file), bytes, length / 2, offset);
  return code;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  int code = fault();
  if (code != SQLITE_OK) return code;
  give_back(inner(file), ((FaultyFile *)file)->is_unsynced, size);
  return inner(file)->pMethods->xTruncate(inner(file), size);
}

static int sync_file(sqlite3_file *file, int flags) {
  int code = fault();
  if (code != SQLITE_OK) return code;
  ((FaultyFile *)file)->is_unsynced = 0;
  return inner(file)->pMethods->xSync(inner(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return inner(file)->pMethods->xFileSize(inner(file), size);
}

static int lock_file(sqlite3_file *file, int level) { return inner(file)->pMethods->xLock(inner(file), level); }

static int unlock_file(sqlite3_file *file, int level) { return inner(file)->pMethods->xUnlock(inner(file), level); }

static int check_reserved_lock(sqlite3_file *file, int *result) {
  return inner(file)->pMethods->xCheckReservedLock(inner(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return inner(file)->pMethods->xFileControl(inner(file), operation, argument);
}

static int sector_size(sqlite3_file *file) { return inner(file)->pMethods->xSectorSize(inner(file)); }

static int device_characteristics(sqlite3_file *file) {
  return inner(file)->pMethods->xDeviceCharacteristics(inner(file));
}

static int map_shared(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
  int code = extend ? fault() : SQLITE_OK;
  return code == SQLITE_OK ? inner(file)->pMethods->xShmMap(inner(file), region, size, extend, memory) : code;
}

static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  return inner(file)->pMethods->xShmLock(inner(file), offset, count, flags);
}

static void shared_barrier(sqlite3_file *file) { inner(file)->pMethods->xShmBarrier(inner(file)); }

static int unmap_shared(sqlite3_file *file, int is_deleted) {
  return inner(file)->pMethods->xShmUnmap(inner(file), is_deleted && !has_stopped());
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_reserved_lock,
    .xFileControl = file_control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = device_characteristics,
    .xShmMap = map_shared,
    .xShmLock = lock_shared,
    .xShmBarrier = shared_barrier,
    .xShmUnmap = unmap_shared,
};

static int open_file(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *result) {
  (void)vfs;
  FaultyFile *faulty = (FaultyFile *)file;
  memset(faulty, 0, sizeof *faulty);
  int code = flags & SQLITE_OPEN_CREATE ? fault() : SQLITE_OK;
  if (code != SQLITE_OK) return SQLITE_CANTOPEN;
  faulty->inner = (sqlite3_file *)(faulty + 1);
  faulty->inner->pMethods = NULL;
  code = usual->xOpen(usual, name, faulty->inner, flags, result);
  if (faulty->inner->pMethods) faulty->base.pMethods = &methods;
  return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int is_synced) {
  (void)vfs;
  int code = fault();
  if (code != SQLITE_OK) return code;
  sqlite3_file *file = sqlite3_malloc(usual->szOsFile);
  if (!file) return SQLITE_NOMEM;
  memset(file, 0, (size_t)usual->szOsFile);
  int flags;
  code = usual->xOpen(usual, name, file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_WAL, &flags);
  if (code == SQLITE_OK) give_back(file, 0, 0);
  if (file->pMethods) file->pMethods->xClose(file);
  sqlite3_free(file);
  return usual->xDelete(usual, name, is_synced);
}

static sqlite3_vfs faulty_files;

int faulty_files_install(void) {
  if (usual) return SQLITE_OK;
  usual = sqlite3_vfs_find(NULL);
  if (!usual) return SQLITE_ERROR;
  faulty_files = *usual;
  faulty_files.pNext = NULL;
  faulty_files.zName = "faulty";
  faulty_files.szOsFile = (int)sizeof(FaultyFile) + usual->szOsFile;
  faulty_files.xOpen = open_file;
  faulty_files.xDelete = delete_file;
  return sqlite3_vfs_register(&faulty_files, 1);
}
