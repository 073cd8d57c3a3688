// SPDX-License-Identifier: Apache-2.0

// With `PRAGMA secure_delete`, SQLite overwrites what is deleted. But when it moves rows from one page to another because
// a page is full or empty, copies can stay in the part of the page that is not used, and these are never overwritten.
// Files of this kind write zeros there. And they write zeros to what they cut off, most of all the log, before they give
// it back to the file system. They are those of the default VFS in every other way.
//
// The file format (https://www.sqlite.org/fileformat2.html): a page of a B-tree begins with a header, which says how many
// cells there are and where their content begins. The positions of the cells follow. From there to the content, nothing
// is used. Other pages begin with the number of a page, whose first byte is 0 in files of less than 64 GB.
#include "CSQLite.h"
#include <stdint.h>
#include <string.h>

typedef struct {
  sqlite3_file base;
  sqlite3_file *inner; // Behind this structure, in the same allocation.
  int has_pages;       // Whether this is the database. The log has checksums of its pages, so it is only emptied.
} ErasingFile;

enum {
  MINIMUM_PAGE = 512,
  MAXIMUM_PAGE = 65536,
  FIRST_HEADER = 100, // The first page begins with the header of the file.
  CELL_COUNT = 3,
  CONTENT = 5,
  INTERIOR_INDEX = 2,
  INTERIOR_TABLE = 5,
  LEAF_INDEX = 10,
  LEAF_TABLE = 13,
};

static sqlite3_file *inner(sqlite3_file *file) { return ((ErasingFile *)file)->inner; }

static int number(const uint8_t *bytes) { return bytes[0] << 8 | bytes[1]; }

// Finds the unused part of a page. Returns 0 if there is none, or if it is no page of a B-tree.
static int find_unused(const uint8_t *page, int size, int is_first, int *start, int *end) {
  const uint8_t *header = page + (is_first ? FIRST_HEADER : 0);
  int length;
  switch (header[0]) {
  case INTERIOR_INDEX:
  case INTERIOR_TABLE:
    length = 12;
    break;
  case LEAF_INDEX:
  case LEAF_TABLE:
    length = 8;
    break;
  default:
    return 0;
  }
  *start = (int)(header - page) + length + 2 * number(header + CELL_COUNT);
  *end = number(header + CONTENT);
  if (*end == 0) *end = MAXIMUM_PAGE;
  return *start < *end && *end <= size;
}

static int close_file(sqlite3_file *file) { return inner(file)->pMethods->xClose(inner(file)); }

static int read_file(sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset) {
  return inner(file)->pMethods->xRead(inner(file), bytes, length, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
  int start, end;
  int is_page =
      ((ErasingFile *)file)->has_pages && length >= MINIMUM_PAGE && length <= MAXIMUM_PAGE && offset % length == 0;
  if (!is_page || !find_unused(bytes, length, offset == 0, &start, &end)) {
    return inner(file)->pMethods->xWrite(inner(file), bytes, length, offset);
  }
  uint8_t page[MAXIMUM_PAGE];
  memcpy(page, bytes, (size_t)length);
  memset(page + start, 0, (size_t)(end - start));
  return inner(file)->pMethods->xWrite(inner(file), page, length, offset);
}

// Overwrites the file from an offset on. Errors have no consequence: the file is cut or removed nevertheless.
static void erase(sqlite3_file *file, sqlite3_int64 offset) {
  static const char zeros[MAXIMUM_PAGE];
  sqlite3_int64 size;
  int code = file->pMethods->xFileSize(file, &size);
  if (code != SQLITE_OK || size <= offset) return;
  while (code == SQLITE_OK && offset < size) {
    int length = (int)(size - offset < MAXIMUM_PAGE ? size - offset : MAXIMUM_PAGE);
    code = file->pMethods->xWrite(file, zeros, length, offset);
    offset += length;
  }
  // Otherwise, the zeros would never be on the disk.
  file->pMethods->xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  erase(inner(file), size);
  return inner(file)->pMethods->xTruncate(inner(file), size);
}

static int sync_file(sqlite3_file *file, int flags) { return inner(file)->pMethods->xSync(inner(file), flags); }

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
  return inner(file)->pMethods->xShmMap(inner(file), region, size, extend, memory);
}

static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  return inner(file)->pMethods->xShmLock(inner(file), offset, count, flags);
}

static void shared_barrier(sqlite3_file *file) { inner(file)->pMethods->xShmBarrier(inner(file)); }

static int unmap_shared(sqlite3_file *file, int is_deleted) {
  return inner(file)->pMethods->xShmUnmap(inner(file), is_deleted);
}

// Version 2: write-ahead logs, but no memory maps.
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

static sqlite3_vfs *original;

static int open_file(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *result) {
  (void)vfs;
  if (!(flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL))) {
    return original->xOpen(original, name, file, flags, result);
  }
  ErasingFile *erasing = (ErasingFile *)file;
  memset(erasing, 0, sizeof *erasing);
  erasing->inner = (sqlite3_file *)(erasing + 1);
  erasing->inner->pMethods = NULL;
  erasing->has_pages = (flags & SQLITE_OPEN_MAIN_DB) != 0;
  int code = original->xOpen(original, name, erasing->inner, flags, result);
  // SQLite closes a file with methods, even if it could not be opened.
  if (erasing->inner->pMethods) erasing->base.pMethods = &methods;
  return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int is_synced) {
  (void)vfs;
  static const char suffix[] = "-wal";
  size_t length = strlen(name);
  int is_log = length >= sizeof suffix - 1 && strcmp(name + length - (sizeof suffix - 1), suffix) == 0;
  sqlite3_file *file = is_log ? sqlite3_malloc(original->szOsFile) : NULL;
  if (file) {
    memset(file, 0, (size_t)original->szOsFile);
    int flags;
    if (original->xOpen(original, name, file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_WAL, &flags) == SQLITE_OK) {
      erase(file, 0);
    }
    if (file->pMethods) file->pMethods->xClose(file);
    sqlite3_free(file);
  }
  return original->xDelete(original, name, is_synced);
}

int csqlite_register_erasing_files(void) {
  static sqlite3_vfs vfs;
  original = sqlite3_vfs_find(NULL);
  if (!original) return SQLITE_ERROR;
  vfs = *original;
  vfs.pNext = NULL;
  vfs.zName = CSQLITE_ERASING_FILES;
  vfs.szOsFile = (int)sizeof(ErasingFile) + original->szOsFile;
  vfs.xOpen = open_file;
  vfs.xDelete = delete_file;
  return sqlite3_vfs_register(&vfs, 0);
}
