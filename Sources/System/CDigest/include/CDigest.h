// SPDX-License-Identifier: Apache-2.0

// SHA-256 of OpenSSL's libcrypto, which is loaded when the first hash is made: most commands need none.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define CDIGEST_LENGTH 32

// A hash of what was added since it was made, or since the last cdigest_finish(). Ends the program if there is no
// libcrypto: it comes with the package.
struct cdigest *cdigest_new(void);
void cdigest_add(struct cdigest *digest, const void *bytes, size_t count);
void cdigest_finish(struct cdigest *digest, uint8_t hash[CDIGEST_LENGTH]);
void cdigest_free(struct cdigest *digest);
