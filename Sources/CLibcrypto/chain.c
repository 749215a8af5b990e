#if !defined(__APPLE__)

#include "CNotificationLibcrypto.h"
#include "libcrypto.h"
#include "libcrypto.h"

#include <limits.h>
#include <stdlib.h>

struct lc_store {
    X509_STORE *store;
    X509 **roots;
    int count;
};

// One certificate of exactly these bytes, NULL if they are something else. d2i_X509 alone takes bytes that follow.
static X509 *parse(const lc_library *lib, const uint8_t *der, size_t length) {
    if (length > LONG_MAX) return NULL;
    X509 *certificate = lib->X509_new_ex(lib->context, NULL);
    if (certificate == NULL) return NULL;
    const unsigned char *end = der;
    if (lib->d2i_X509(&certificate, &end, (long)length) == NULL || end != der + length) {
        lib->X509_free(certificate);
        lib->ERR_clear_error();
        return NULL;
    }
    return certificate;
}

lc_store *lc_store_new(void) {
    const lc_library *lib = lc_load();
    if (lib == NULL) return NULL;
    lc_store *store = calloc(1, sizeof *store);
    if (store == NULL) return NULL;
    store->store = lib->X509_STORE_new();
    if (store->store != NULL) return store;
    free(store);
    return NULL;
}

void lc_store_free(lc_store *store) {
    const lc_library *lib = lc_load();
    if (lib == NULL || store == NULL) return;
    for (int place = 0; place < store->count; place++) lib->X509_free(store->roots[place]);
    free(store->roots);
    lib->X509_STORE_free(store->store);
    free(store);
}

int lc_store_add(lc_store *store, const uint8_t *der, size_t length, int check) {
    const lc_library *lib = lc_load();
    if (lib == NULL || store == NULL) return 0;
    X509 *root = parse(lib, der, length);
    if (root == NULL) return 0;
    X509 **roots = realloc(store->roots, (size_t)(store->count + 1) * sizeof *roots);
    if (roots != NULL) store->roots = roots;
    if (roots == NULL || lib->X509_self_signed(root, check) != 1 || lib->X509_STORE_add_cert(store->store, root) != 1) {
        lib->X509_free(root);
        lib->ERR_clear_error();
        return 0;
    }
    roots[store->count++] = root;
    return 1;
}

// Notes what the chain that was built consists of.
static void describe(
    const lc_library *lib, const lc_store *store, const X509_STORE_CTX *context, const X509 *intermediate,
    lc_chain *chain) {
    const OPENSSL_STACK *built = lib->X509_STORE_CTX_get0_chain(context);
    chain->length = built == NULL ? 0 : lib->OPENSSL_sk_num(built);
    if (chain->length < 2) return;
    chain->uses_intermediate = lib->X509_cmp(lib->OPENSSL_sk_value(built, 1), intermediate) == 0;
    const X509 *last = lib->OPENSSL_sk_value(built, chain->length - 1);
    for (int place = 0; place < store->count && chain->root < 0; place++) {
        if (lib->X509_cmp(store->roots[place], last) == 0) chain->root = place;
    }
}

static void verify(
    const lc_library *lib, const lc_store *store, lc_purpose purpose, X509 *leaf, X509 *intermediate, int64_t time,
    int strict, lc_chain *chain) {
    // Level 1 refuses SHA-1 already.
    enum { x509_strict = 0x20, any_level = 0, level_112_bits = 2, intermediates = 1 };
    OPENSSL_STACK *untrusted = lib->OPENSSL_sk_new_null();
    X509_STORE_CTX *context = lib->X509_STORE_CTX_new_ex(lib->context, NULL);
    if (untrusted != NULL && context != NULL && lib->OPENSSL_sk_push(untrusted, intermediate) > 0
        && lib->X509_STORE_CTX_init(context, store->store, leaf, untrusted) == 1) {
        X509_VERIFY_PARAM *parameters = lib->X509_STORE_CTX_get0_param(context);
        lib->X509_VERIFY_PARAM_set_time(parameters, (time_t)time);
        lib->X509_VERIFY_PARAM_set_depth(parameters, intermediates);
        lib->X509_VERIFY_PARAM_set_auth_level(parameters, purpose == LC_RECEIPT ? any_level : level_112_bits);
        int ready = !strict || lib->X509_VERIFY_PARAM_set_flags(parameters, x509_strict) == 1;
        int holds = ready && lib->X509_verify_cert(context) == 1;
        int error = lib->X509_STORE_CTX_get_error(context);
        if (holds && error == 0) {
            chain->error = 0;
            describe(lib, store, context, intermediate, chain);
        } else {
            // Error 1 is "unspecified": a failure without a reason stays a failure.
            chain->error = error == 0 ? 1 : error;
            chain->depth = lib->X509_STORE_CTX_get_error_depth(context);
        }
    }
    lib->X509_STORE_CTX_free(context);
    lib->OPENSSL_sk_free(untrusted);
    lib->ERR_clear_error();
}

void lc_chain_verify(
    lc_store *store, lc_purpose purpose, const uint8_t *leaf, size_t leaf_length, const uint8_t *intermediate,
    size_t intermediate_length, int64_t time, int strict, lc_chain *chain) {
    *chain = (lc_chain){.error = -1, .root = -1};
    const lc_library *lib = lc_load();
    if (lib == NULL || store == NULL) return;
    X509 *first = parse(lib, leaf, leaf_length);
    X509 *second = parse(lib, intermediate, intermediate_length);
    if (first != NULL && second != NULL) {
        verify(lib, store, purpose, first, second, time, strict, chain);
    } else {
        chain->depth = first == NULL ? 0 : 1;
    }
    lib->X509_free(first);
    lib->X509_free(second);
}

#endif
