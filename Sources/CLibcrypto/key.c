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

lc_key *lc_key_new(lc_purpose purpose, const uint8_t *der, size_t length) {
    const lc_library *lib = lc_load();
    if (lib == NULL || length > LONG_MAX) return NULL;
    const unsigned char *end = der;
    EVP_PKEY *key = lib->d2i_PUBKEY_ex(NULL, &end, (long)length, lib->context, NULL);
    int is_whole = key != NULL && end == der + length && is_for(lib, purpose, key);
    lc_key *wrapped = is_whole ? malloc(sizeof *wrapped) : NULL;
    if (wrapped != NULL) wrapped->key = key;
    if (wrapped == NULL) lib->EVP_PKEY_free(key);
    lib->ERR_clear_error();
    return wrapped;
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
