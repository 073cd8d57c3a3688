// SPDX-License-Identifier: Apache-2.0

#include "CDigest.h"

#include <dlfcn.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    __typeof__(EVP_MD_CTX_new) *new_context;
    __typeof__(EVP_MD_CTX_free) *free_context;
    __typeof__(EVP_sha256) *sha256;
    __typeof__(EVP_DigestInit_ex) *init;
    __typeof__(EVP_DigestUpdate) *update;
    __typeof__(EVP_DigestFinal_ex) *final;
} crypto;

static void *library;

static void fail(const char *what)
{
    fprintf(stderr, "SHA-256 isn't there: %s\n", what);
    abort();
}

static void *function(const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL)
        fail(dlerror());
    return found;
}

static void load(void)
{
    library = dlopen("libcrypto.so." OPENSSL_MSTR(OPENSSL_SHLIB_VERSION), RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail(dlerror());
    crypto.new_context = function("EVP_MD_CTX_new");
    crypto.free_context = function("EVP_MD_CTX_free");
    crypto.sha256 = function("EVP_sha256");
    crypto.init = function("EVP_DigestInit_ex");
    crypto.update = function("EVP_DigestUpdate");
    crypto.final = function("EVP_DigestFinal_ex");
}

struct cdigest {
    EVP_MD_CTX *context;
};

static void begin(struct cdigest *digest)
{
    if (crypto.init(digest->context, crypto.sha256(), NULL) != 1)
        fail("OpenSSL doesn't offer it");
}

struct cdigest *cdigest_new(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    struct cdigest *digest = malloc(sizeof *digest);
    if (digest == NULL || (digest->context = crypto.new_context()) == NULL)
        fail("no memory");
    begin(digest);
    return digest;
}

void cdigest_add(struct cdigest *digest, const void *bytes, size_t count)
{
    if (crypto.update(digest->context, bytes, count) != 1)
        fail("OpenSSL can't go on");
}

void cdigest_finish(struct cdigest *digest, uint8_t hash[CDIGEST_LENGTH])
{
    if (crypto.final(digest->context, hash, NULL) != 1)
        fail("OpenSSL can't end it");
    begin(digest);
}

void cdigest_free(struct cdigest *digest)
{
    crypto.free_context(digest->context);
    free(digest);
}
