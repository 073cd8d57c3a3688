// SPDX-License-Identifier: Apache-2.0

// Files of SQLite that fail when a test wants it, as if the disk were full or the machine stopped.
#pragma once

// Makes these files the default of SQLite until the process ends.
int faulty_files_install(void);

// Lets a change of the files fail: the first, if `number` is 1. Zero: none. `code` is a result code of SQLite.
// `is_last`: the machine stops in the middle of that change, so that all later ones fail, too.
void faulty_files_fail(int number, int code, int is_last);

// How many changes there were since then.
int faulty_files_changes(void);

// How many bytes other than zero were in what was cut off or removed since then, or were zeroed but not on the disk.
long long faulty_files_left(void);
