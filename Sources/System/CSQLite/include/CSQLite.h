// SPDX-License-Identifier: Apache-2.0

// SQLite, and what Swift cannot import of it.
#pragma once
#include <sqlite3.h>

// Files in which nothing is left that was deleted. See ErasingFiles.c.
#define CSQLITE_ERASING_FILES "erasing"

// Makes them known. Call it once, before the first database is opened. Returns a result code of SQLite.
int csqlite_register_erasing_files(void);

// Binds a copy of a text or of bytes. `bytes` may be null if there are none.
int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 length);
int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 length);
