// What an authority does with OpenSSL 3 that Swift can't say: macros, and types that it doesn't see.
#ifndef WHEREABOUTS_AUTHORITY_H
#define WHEREABOUTS_AUTHORITY_H

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/// A new key on the curve P-256.
static inline EVP_PKEY *wb_new_key(void) { return EVP_EC_gen("P-256"); }

/// Bytes, the highest first, into a whole number.
static inline int wb_set_integer(ASN1_INTEGER *integer, const unsigned char *bytes, int count) {
    BIGNUM *value = BN_bin2bn(bytes, count, NULL);
    int done = value && BN_to_ASN1_INTEGER(value, integer) != NULL;
    BN_free(value);
    return done;
}

/// An extension by its number and its text (x509v3_config(5)) into a certificate.
static inline int wb_add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_nconf_nid(NULL, &context, kind, value);
    int done = extension && X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return done;
}

/// A revoked certificate into a list.
static inline int wb_add_revoked(X509_CRL *list, const unsigned char *serial, int count, int64_t at) {
    X509_REVOKED *revoked = X509_REVOKED_new();
    ASN1_INTEGER *number = ASN1_INTEGER_new();
    ASN1_TIME *time = ASN1_TIME_set(NULL, (time_t)at);
    int done = revoked && number && time && wb_set_integer(number, serial, count)
        && X509_REVOKED_set_serialNumber(revoked, number) && X509_REVOKED_set_revocationDate(revoked, time);
    ASN1_INTEGER_free(number);
    ASN1_TIME_free(time);
    if (!done || !X509_CRL_add0_revoked(list, revoked)) { X509_REVOKED_free(revoked); return 0; }
    return 1;
}

/// The number of a list (RFC 5280 section 5.2.3).
static inline int wb_set_list_number(X509_CRL *list, long number) {
    ASN1_INTEGER *integer = ASN1_INTEGER_new();
    int done = integer && ASN1_INTEGER_set_int64(integer, number)
        && X509_CRL_add1_ext_i2d(list, NID_crl_number, integer, 0, X509V3_ADD_REPLACE);
    ASN1_INTEGER_free(integer);
    return done;
}

/// The bytes of a BIO in memory, which stay its own.
static inline long wb_memory(BIO *memory, const unsigned char **bytes) {
    return BIO_get_mem_data(memory, (char **)bytes);
}

#endif
