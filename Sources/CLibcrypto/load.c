#if !defined(__APPLE__)

#include "CNotificationLibcrypto.h"
#include "libcrypto.h"

#include <dlfcn.h>
#include <pthread.h>

static lc_library library;
static int is_loaded = 0;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Fills in every symbol from an open library: 1, or 0 if one is missing.
static int find_symbols(void *handle) {
#define LC_FIND(result, name, parameters)                                                                              \
    *(void **)&library.name = dlsym(handle, #name);                                                                    \
    if (library.name == NULL) return 0;
    LC_SYMBOLS(LC_FIND)
#undef LC_FIND
    return 1;
}

// Makes the context and the digests that verification uses: 1, or 0 without the one that is always needed.
static int make_context(void) {
    library.context = library.OSSL_LIB_CTX_new();
    if (library.context == NULL) return 0;
    library.sha256 = library.EVP_MD_fetch(library.context, "SHA2-256", NULL);
    library.sha1 = library.EVP_MD_fetch(library.context, "SHA1", NULL);
    if (library.sha256 != NULL) return 1;
    library.EVP_MD_free(library.sha1);
    library.OSSL_LIB_CTX_free(library.context);
    return 0;
}

static void load(void) {
    // Exact names only: what else is called libcrypto may be of another interface. RTLD_LOCAL keeps its symbols from
    // meeting those of another OpenSSL in the same process.
    static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.4"};
    for (size_t place = 0; place < sizeof names / sizeof names[0] && !is_loaded; place++) {
        void *handle = dlopen(names[place], RTLD_NOW | RTLD_LOCAL);
        if (handle == NULL) continue;
        if (find_symbols(handle) && make_context()) {
            is_loaded = 1;
        } else {
            dlclose(handle);
        }
    }
}

const lc_library *lc_load(void) {
    pthread_once(&once, load);
    return is_loaded ? &library : NULL;
}

int lc_available(void) {
    return lc_load() != NULL;
}

const char *lc_version(void) {
    const lc_library *lib = lc_load();
    return lib == NULL ? NULL : lib->OpenSSL_version(0);
}

#endif
