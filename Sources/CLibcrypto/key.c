#if !defined(__APPLE__)

#include "CNotificationLibcrypto.h"
#include "libcrypto.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct lc_key {
    EVP_PKEY *key;
};

// Whether a key is of the kind that the purpose asks for. Without this a key on another curve would verify just as well.
static int is_for(const lc_library *lib, lc_purpose purpose, EVP_PKEY *key) {
    enum { rsa = 6, ec = 408 };  // OpenSSL's numbers of rsaEncryption and id-ecPublicKey
    if (purpose == LC_RECEIPT) return lib->EVP_PKEY_get_base_id(key) == rsa;
    char curve[32];
    size_t length = 0;
    return lib->EVP_PKEY_get_base_id(key) == ec
        && lib->EVP_PKEY_get_group_name(key, curve, sizeof curve, &length) == 1 && strcmp(curve, "prime256v1") == 0;
}

// Wraps a key that was read up to `end`, frees it if it is not a whole one of the kind that the purpose asks for.
static lc_key *wrap(const lc_library *lib, lc_purpose purpose, EVP_PKEY *key, int is_whole) {
    is_whole = key != NULL && is_whole && is_for(lib, purpose, key);
    lc_key *wrapped = is_whole ? malloc(sizeof *wrapped) : NULL;
    if (wrapped != NULL) wrapped->key = key;
    if (wrapped == NULL) lib->EVP_PKEY_free(key);
    lib->ERR_clear_error();
    return wrapped;
}

lc_key *lc_key_new(lc_purpose purpose, const uint8_t *der, size_t length) {
    const lc_library *lib = lc_load();
    if (lib == NULL || length > LONG_MAX) return NULL;
    const unsigned char *end = der;
    EVP_PKEY *key = lib->d2i_PUBKEY_ex(NULL, &end, (long)length, lib->context, NULL);
    return wrap(lib, purpose, key, end == der + length);
}

lc_key *lc_private_key_new(const uint8_t *der, size_t length) {
    const lc_library *lib = lc_load();
    if (lib == NULL || length > LONG_MAX) return NULL;
    const unsigned char *end = der;
    EVP_PKEY *key = lib->d2i_AutoPrivateKey_ex(NULL, &end, (long)length, lib->context, NULL);
    return wrap(lib, LC_PAYLOAD, key, end == der + length);
}

size_t lc_key_public(lc_key *key, uint8_t *output, size_t room) {
    const lc_library *lib = lc_load();
    if (lib == NULL || key == NULL) return 0;
    int length = lib->i2d_PUBKEY(key->key, NULL);
    if (length <= 0 || (size_t)length > room) return 0;
    unsigned char *end = output;
    return lib->i2d_PUBKEY(key->key, &end) == length ? (size_t)length : 0;
}

void lc_key_free(lc_key *key) {
    const lc_library *lib = lc_load();
    if (lib == NULL || key == NULL) return;
    lib->EVP_PKEY_free(key->key);
    free(key);
}

// Writes 32 bytes as a DER INTEGER and returns its length, at most 35: no leading zeros, but one where the first bit
// would say "negative".
static size_t write_integer(const uint8_t *number, uint8_t *output) {
    size_t skip = 0;
    while (skip < 31 && number[skip] == 0) skip++;
    size_t padding = number[skip] >> 7;
    size_t length = 32 - skip + padding;
    output[0] = 0x02;
    output[1] = (uint8_t)length;
    output[2] = 0;
    memcpy(output + 2 + padding, number + skip, 32 - skip);
    return 2 + length;
}

int lc_key_verify(lc_key *key, const uint8_t *message, size_t length, const uint8_t *signature) {
    const lc_library *lib = lc_load();
    if (lib == NULL || key == NULL) return 0;
    // SEQUENCE { r, s }; that both are between 1 and the curve's order is checked by OpenSSL.
    uint8_t der[2 + 35 + 35];
    size_t size = write_integer(signature, der + 2);
    size += write_integer(signature + 32, der + 2 + size);
    der[0] = 0x30;
    der[1] = (uint8_t)size;
    uint8_t digest[32];
    unsigned int digest_length = 0;
    int holds = 0;
    EVP_PKEY_CTX *context = lib->EVP_PKEY_CTX_new_from_pkey(lib->context, key->key, NULL);
    if (context != NULL && lib->EVP_Digest(message, length, digest, &digest_length, lib->sha256, NULL) == 1
        && digest_length == sizeof digest && lib->EVP_PKEY_verify_init(context) == 1) {
        holds = lib->EVP_PKEY_verify(context, der, size + 2, digest, sizeof digest) == 1;
    }
    lib->EVP_PKEY_CTX_free(context);
    if (!holds) lib->ERR_clear_error();
    return holds;
}

// Reads a DER INTEGER as 32 bytes; returns where it ends, NULL if it is none.
static const uint8_t *read_integer(const uint8_t *at, const uint8_t *end, uint8_t *number) {
    if (end - at < 2 || at[0] != 0x02 || at[1] == 0 || at[1] > end - at - 2) return NULL;
    size_t length = at[1];
    at += 2;
    while (length > 32 && at[0] == 0) at++, length--;
    if (length > 32) return NULL;
    memset(number, 0, 32);
    memcpy(number + 32 - length, at, length);
    return at + length;
}

int lc_key_sign(lc_key *key, const uint8_t *message, size_t length, uint8_t *signature) {
    const lc_library *lib = lc_load();
    if (lib == NULL || key == NULL) return 0;
    uint8_t digest[32], der[80];
    unsigned int digest_length = 0;
    size_t size = sizeof der;
    int is_signed = 0;
    EVP_PKEY_CTX *context = lib->EVP_PKEY_CTX_new_from_pkey(lib->context, key->key, NULL);
    if (context != NULL && lib->EVP_Digest(message, length, digest, &digest_length, lib->sha256, NULL) == 1
        && digest_length == sizeof digest && lib->EVP_PKEY_sign_init(context) == 1
        && lib->EVP_PKEY_sign(context, der, &size, digest, sizeof digest) == 1 && size > 2 && size <= sizeof der) {
        // SEQUENCE { r, s }, of less than 128 bytes.
        const uint8_t *next = read_integer(der + 2, der + size, signature);
        is_signed = next != NULL && read_integer(next, der + size, signature + 32) != NULL;
    }
    lib->EVP_PKEY_CTX_free(context);
    if (!is_signed) lib->ERR_clear_error();
    return is_signed;
}

int lc_key_verify_rsa(
    lc_key *key, int sha256, const uint8_t *message, size_t length, const uint8_t *signature, size_t signature_length) {
    enum { pkcs1_padding = 1 };
    const lc_library *lib = lc_load();
    if (lib == NULL || key == NULL) return 0;
    const EVP_MD *method = sha256 ? lib->sha256 : lib->sha1;
    if (method == NULL) return 0;
    uint8_t digest[32];
    unsigned int digest_length = 0;
    int holds = 0;
    EVP_PKEY_CTX *context = lib->EVP_PKEY_CTX_new_from_pkey(lib->context, key->key, NULL);
    // A system may refuse SHA-1 at set_signature_md: then nothing holds here.
    if (context != NULL && lib->EVP_Digest(message, length, digest, &digest_length, method, NULL) == 1
        && digest_length == (sha256 ? 32 : 20) && lib->EVP_PKEY_verify_init(context) == 1
        && lib->EVP_PKEY_CTX_set_rsa_padding(context, pkcs1_padding) == 1
        && lib->EVP_PKEY_CTX_set_signature_md(context, method) == 1) {
        holds = lib->EVP_PKEY_verify(context, signature, signature_length, digest, digest_length) == 1;
    }
    lib->EVP_PKEY_CTX_free(context);
    if (!holds) lib->ERR_clear_error();
    return holds;
}

#endif
