#ifndef KEY_H
#define KEY_H

#include "CLibcrypto.h"
#include "libcrypto.h"

// A reference to a key of OpenSSL's if it is of the kind that the purpose asks for, else NULL. The caller keeps its own.
lc_key *lc_key_wrap(const lc_library *lib, lc_purpose purpose, EVP_PKEY *key);

#endif
