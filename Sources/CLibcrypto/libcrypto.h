// The functions of libcrypto that are used, as OpenSSL 3 and 4 declare them, and how they are found.
#ifndef LIBCRYPTO_H
#define LIBCRYPTO_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

// OpenSSL's types are only ever pointed to.
typedef struct lc_opaque OSSL_LIB_CTX, X509, X509_STORE, X509_STORE_CTX, X509_VERIFY_PARAM, OPENSSL_STACK, EVP_PKEY,
    EVP_MD, EVP_MD_CTX, EVP_PKEY_CTX;

// X(return type, name, parameters): one line a symbol, all of them or none.
#define LC_SYMBOLS(X)                                                                                                  \
    X(OSSL_LIB_CTX *, OSSL_LIB_CTX_new, (void))                                                                        \
    X(void, OSSL_LIB_CTX_free, (OSSL_LIB_CTX *))                                                                       \
    X(const char *, OpenSSL_version, (int))                                                                            \
    X(void, ERR_clear_error, (void))                                                                                   \
    X(X509 *, X509_new_ex, (OSSL_LIB_CTX *, const char *))                                                             \
    X(void, X509_free, (X509 *))                                                                                       \
    X(X509 *, d2i_X509, (X509 **, const unsigned char **, long))                                                       \
    X(int, X509_cmp, (const X509 *, const X509 *))                                                                     \
    X(int, X509_self_signed, (X509 *, int))                                                                            \
    X(X509_STORE *, X509_STORE_new, (void))                                                                            \
    X(void, X509_STORE_free, (X509_STORE *))                                                                           \
    X(int, X509_STORE_add_cert, (X509_STORE *, X509 *))                                                                \
    X(X509_STORE_CTX *, X509_STORE_CTX_new_ex, (OSSL_LIB_CTX *, const char *))                                         \
    X(void, X509_STORE_CTX_free, (X509_STORE_CTX *))                                                                   \
    X(int, X509_STORE_CTX_init, (X509_STORE_CTX *, X509_STORE *, X509 *, OPENSSL_STACK *))                             \
    X(X509_VERIFY_PARAM *, X509_STORE_CTX_get0_param, (const X509_STORE_CTX *))                                        \
    X(OPENSSL_STACK *, X509_STORE_CTX_get0_chain, (const X509_STORE_CTX *))                                            \
    X(int, X509_STORE_CTX_get_error, (const X509_STORE_CTX *))                                                         \
    X(int, X509_STORE_CTX_get_error_depth, (const X509_STORE_CTX *))                                                   \
    X(void, X509_VERIFY_PARAM_set_time, (X509_VERIFY_PARAM *, time_t))                                                 \
    X(void, X509_VERIFY_PARAM_set_depth, (X509_VERIFY_PARAM *, int))                                                   \
    X(void, X509_VERIFY_PARAM_set_auth_level, (X509_VERIFY_PARAM *, int))                                              \
    X(int, X509_VERIFY_PARAM_set_flags, (X509_VERIFY_PARAM *, unsigned long))                                          \
    X(int, X509_verify_cert, (X509_STORE_CTX *))                                                                       \
    X(OPENSSL_STACK *, OPENSSL_sk_new_null, (void))                                                                    \
    X(int, OPENSSL_sk_push, (OPENSSL_STACK *, const void *))                                                           \
    X(void, OPENSSL_sk_free, (OPENSSL_STACK *))                                                                        \
    X(int, OPENSSL_sk_num, (const OPENSSL_STACK *))                                                                    \
    X(void *, OPENSSL_sk_value, (const OPENSSL_STACK *, int))                                                          \
    X(EVP_PKEY *, d2i_PUBKEY_ex, (EVP_PKEY **, const unsigned char **, long, OSSL_LIB_CTX *, const char *))            \
    X(int, EVP_PKEY_get_base_id, (const EVP_PKEY *))                                                                   \
    X(int, EVP_PKEY_get_group_name, (const EVP_PKEY *, char *, size_t, size_t *))                                      \
    X(void, EVP_PKEY_free, (EVP_PKEY *))                                                                               \
    X(EVP_MD *, EVP_MD_fetch, (OSSL_LIB_CTX *, const char *, const char *))                                            \
    X(void, EVP_MD_free, (EVP_MD *))                                                                                   \
    X(int, EVP_Digest, (const void *, size_t, unsigned char *, unsigned int *, const EVP_MD *, void *))                \
    X(EVP_PKEY_CTX *, EVP_PKEY_CTX_new_from_pkey, (OSSL_LIB_CTX *, EVP_PKEY *, const char *))                          \
    X(void, EVP_PKEY_CTX_free, (EVP_PKEY_CTX *))                                                                       \
    X(int, EVP_PKEY_CTX_set_rsa_padding, (EVP_PKEY_CTX *, int))                                                        \
    X(int, EVP_PKEY_CTX_set_signature_md, (EVP_PKEY_CTX *, const EVP_MD *))                                            \
    X(int, EVP_PKEY_verify_init, (EVP_PKEY_CTX *))                                                                     \
    X(int, EVP_PKEY_verify, (EVP_PKEY_CTX *, const unsigned char *, size_t, const unsigned char *, size_t))            \
    X(EVP_PKEY *, d2i_AutoPrivateKey_ex, (EVP_PKEY **, const unsigned char **, long, OSSL_LIB_CTX *, const char *))    \
    X(int, i2d_PUBKEY, (const EVP_PKEY *, unsigned char **))                                                           \
    X(int, EVP_PKEY_sign_init, (EVP_PKEY_CTX *))                                                                       \
    X(int, EVP_PKEY_sign, (EVP_PKEY_CTX *, unsigned char *, size_t *, const unsigned char *, size_t))

// The library as found.
typedef struct {
#define LC_POINTER(result, name, parameters) result(*name) parameters;
    LC_SYMBOLS(LC_POINTER)
#undef LC_POINTER
    // A context of our own: no configuration file, environment variable or other user of the library changes what is
    // verified here, and nothing here changes it for them.
    OSSL_LIB_CTX *context;
    EVP_MD *sha256;
    // For receipts; NULL where the system has no SHA-1.
    EVP_MD *sha1;
} lc_library;

// The library, NULL if it is not there or not whole.
const lc_library *lc_load(void);

#endif
