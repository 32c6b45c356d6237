// The functions of one algorithm each are declared as deprecated since OpenSSL 3.0, unless an older interface is asked for.
#define OPENSSL_API_COMPAT 10100
#include <openssl/aes.h>
#include <openssl/sha.h>
#include <openssl/evp.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
