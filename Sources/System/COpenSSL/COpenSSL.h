// SPDX-License-Identifier: Apache-2.0

/* OpenSSL 3 for Swift: the headers, and functions for those of its macros that Swift cannot import. */
#pragma once
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static inline int baton_SSL_CTX_only_TLS_1_3(SSL_CTX *context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) &&
         SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION);
}

static inline int baton_SSL_CTX_set1_groups_list(SSL_CTX *context, const char *list) {
  return (int)SSL_CTX_set1_groups_list(context, (char *)list);
}

/* For the certificates of both sides: the ones we take and the ones we sign with. */
static inline int baton_SSL_CTX_set1_sigalgs_lists(SSL_CTX *context, const char *list) {
  return (int)SSL_CTX_set1_sigalgs_list(context, (char *)list) &&
         (int)SSL_CTX_set1_client_sigalgs_list(context, (char *)list);
}

static inline void baton_SSL_CTX_set_session_cache_off(SSL_CTX *context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline void baton_SSL_CTX_set_max_cert_list(SSL_CTX *context, long length) {
  SSL_CTX_set_max_cert_list(context, length);
}

static inline void baton_SSL_CTX_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }

static inline void baton_SSL_CTX_prefer_server_ciphers(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
}

static inline int baton_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}

/* The error that OpenSSL records for an alert of the other side. */
static inline unsigned long baton_alert_error(int alert) {
  return ERR_PACK(ERR_LIB_SSL, 0, SSL_AD_REASON_OFFSET + alert);
}

static inline long baton_BIO_get_mem_data(BIO *bio, const unsigned char **data) {
  return BIO_get_mem_data(bio, (char **)data);
}

static inline int baton_EVP_CIPHER_CTX_set_tag(EVP_CIPHER_CTX *context, void *tag, int length) {
  return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, length, tag);
}

static inline int baton_EVP_CIPHER_CTX_get_tag(EVP_CIPHER_CTX *context, void *tag, int length) {
  return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, length, tag);
}

static inline int baton_X509_chain_count(const STACK_OF(X509) *chain) { return chain ? sk_X509_num(chain) : 0; }

static inline X509 *baton_X509_chain_at(const STACK_OF(X509) *chain, int index) { return sk_X509_value(chain, index); }

static inline int baton_X509_CRL_revoked_count(X509_CRL *list) {
  const STACK_OF(X509_REVOKED) *entries = X509_CRL_get_REVOKED(list);
  return entries ? sk_X509_REVOKED_num(entries) : 0;
}

static inline const X509_REVOKED *baton_X509_CRL_revoked_at(X509_CRL *list, int index) {
  return sk_X509_REVOKED_value(X509_CRL_get_REVOKED(list), index);
}

static inline EVP_PKEY *baton_EVP_PKEY_generate(const char *algorithm) {
  return EVP_PKEY_Q_keygen(NULL, NULL, algorithm);
}

static inline int baton_SSL_CTX_set_max_version(SSL_CTX *context, int version) {
  return (int)SSL_CTX_set_max_proto_version(context, version);
}

static inline int baton_SSL_CTX_add1_chain_cert(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int baton_SSL_only_TLS_1_3(SSL *ssl) {
  return (int)SSL_set_min_proto_version(ssl, TLS1_3_VERSION) && (int)SSL_set_max_proto_version(ssl, TLS1_3_VERSION);
}
