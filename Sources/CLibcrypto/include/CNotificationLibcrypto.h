// The few questions that verifying Apple's signatures asks of OpenSSL's libcrypto.
//
// The library is loaded when first needed; no header of it is read and nothing is linked. Where it is missing, or
// lacks one symbol, lc_available() is 0 and every other function fails. On Apple platforms this target is empty.
#ifndef CLIBCRYPTO_H
#define CLIBCRYPTO_H

#if !defined(__APPLE__)

#include <stddef.h>
#include <stdint.h>

// Roots to trust.
typedef struct lc_store lc_store;
// A public key: on the curve P-256, or of RSA.
typedef struct lc_key lc_key;

// What a chain is for, which decides what is asked of it.
typedef enum {
    // Signed payloads: the leaf's key is on P-256, and nothing below 112 bits of security is taken.
    LC_PAYLOAD,
    // App receipts: the leaf's key is of RSA, and SHA-1 is taken. Sizes of keys are the caller's to judge.
    LC_RECEIPT
} lc_purpose;

// What came of verifying a chain.
typedef struct {
    // 0, or OpenSSL's X509_V_ERR_ number; -1 if it could not be asked at all.
    int error;
    // At which certificate: 0 leaf, 1 intermediate, 2 root.
    int depth;
    // How many certificates the chain has that was built, if error is 0.
    int length;
    // Whether its second certificate is the intermediate that was given.
    int uses_intermediate;
    // The place of its root in the order the roots were added, or -1.
    int root;
} lc_chain;

// 1 if libcrypto 3 or 4 was found with every symbol, else 0. Loads it on the first call; thread-safe, as all here is.
int lc_available(void);
// OpenSSL's own text of its version, NULL without it. Static.
const char *lc_version(void);

// An empty set of roots, NULL without libcrypto or memory.
lc_store *lc_store_new(void);
void lc_store_free(lc_store *store);
// Adds a root: 1, or 0 if the bytes are not one whole self-signed certificate. Not while others use the store.
//
// check: also the root's own signature, which proves nothing, but tells a damaged file. Where a system refuses SHA-1,
// the signature of an old root cannot be checked.
int lc_store_add(lc_store *store, const uint8_t *der, size_t length, int check);

// Verifies leaf and intermediate up to a root of the store, all judged at one time (seconds since 1970).
//
// strict: also what RFC 5280 asks of extensions. `chain` says what happened. Whether length, intermediate and root are
// as they must be, and the leaf's key, is the caller's to judge: a chain of two certificates can hold as well.
void lc_chain_verify(
    lc_store *store, lc_purpose purpose, const uint8_t *leaf, size_t leaf_length, const uint8_t *intermediate,
    size_t intermediate_length, int64_t time, int strict, lc_chain *chain);

// The key of a SubjectPublicKeyInfo in DER, NULL if it is not a whole one of the kind that the purpose asks for.
lc_key *lc_key_new(lc_purpose purpose, const uint8_t *der, size_t length);
void lc_key_free(lc_key *key);
// 1 if the 64 bytes r, s are the ECDSA signature of the message's SHA-256, else 0.
int lc_key_verify(lc_key *key, const uint8_t *message, size_t length, const uint8_t *signature);
// The private key of a PKCS #8 file in DER, NULL if it is not a whole one on the curve P-256.
lc_key *lc_private_key_new(const uint8_t *der, size_t length);
// Writes the SubjectPublicKeyInfo of a key in DER and returns its length; 0 if there is not room enough.
size_t lc_key_public(lc_key *key, uint8_t *output, size_t room);
// Writes the 64 bytes r, s of the ECDSA signature of the message's SHA-256: 1, or 0 if that fails.
int lc_key_sign(lc_key *key, const uint8_t *message, size_t length, uint8_t *signature);
// 1 if the signature is the RSA signature (PKCS #1 version 1.5) of the message's SHA-1 or, with sha256, SHA-256, else 0.
int lc_key_verify_rsa(
    lc_key *key, int sha256, const uint8_t *message, size_t length, const uint8_t *signature, size_t signature_length);

#endif
#endif
