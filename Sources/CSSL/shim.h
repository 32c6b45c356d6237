// OpenSSL 3's libssl and the part of libcrypto that knows certificates and keys.
#ifndef WHEREABOUTS_SSL_H
#define WHEREABOUTS_SSL_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <time.h>

// What OpenSSL has as macros alone, or behind types that Swift doesn't see.

static inline int wb_set_protocols(SSL_CTX *context, int lowest, int highest) {
    return SSL_CTX_set_min_proto_version(context, lowest) && SSL_CTX_set_max_proto_version(context, highest);
}

/// Frees a connection's buffers while it is idle, and keeps no session for a later one.
static inline void wb_save_memory(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

/// Names the host by which a broker chooses its certificate (SNI).
static inline int wb_set_server_name(const SSL *connection, const char *host) {
    return (int)SSL_set_tlsext_host_name((SSL *)connection, host);
}

static inline int wb_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int wb_chain_count(X509_STORE_CTX *verification) {
    STACK_OF(X509) *chain = X509_STORE_CTX_get0_chain(verification);
    return chain ? sk_X509_num(chain) : 0;
}

static inline X509 *wb_chain_certificate(X509_STORE_CTX *verification, int index) {
    return sk_X509_value(X509_STORE_CTX_get0_chain(verification), index);
}

/// Unix seconds of a time, or INT64_MIN where it is none.
static inline int64_t wb_unix_time(const ASN1_TIME *time) {
    struct tm parts;
    if (!ASN1_TIME_to_tm(time, &parts)) return INT64_MIN;
    return (int64_t)timegm(&parts);
}

/// A name such as "CN=broker, O=Home" in UTF-8, control characters escaped, cut to the space there is.
static inline int wb_name_text(const X509_NAME *name, char *text, int space) {
    BIO *out = BIO_new(BIO_s_mem());
    if (!out) return -1;
    int length = X509_NAME_print_ex(out, name, 0, XN_FLAG_ONELINE & ~(ASN1_STRFLGS_ESC_MSB | XN_FLAG_SPC_EQ));
    if (length >= 0) length = BIO_read(out, text, space);
    BIO_free(out);
    return length;
}

/// The alternative name at an index: 1 for a host name, 2 for an address of 4 or 16 bytes, 0 for another, -1 behind the last.
static inline int wb_alternative_name(const X509 *certificate, int index, unsigned char *bytes, int space, int *length) {
    GENERAL_NAMES *names = (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    int kind = -1;
    if (names && index < sk_GENERAL_NAME_num(names)) {
        const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
        const ASN1_STRING *value = NULL;
        kind = 0;
        if (name->type == GEN_DNS) { kind = 1; value = name->d.dNSName; }
        if (name->type == GEN_IPADD) { kind = 2; value = name->d.iPAddress; }
        if (value) {
            *length = ASN1_STRING_length(value) < space ? ASN1_STRING_length(value) : space;
            for (int byte = 0; byte < *length; byte++) bytes[byte] = ASN1_STRING_get0_data(value)[byte];
        }
    }
    GENERAL_NAMES_free(names);
    return kind;
}

#endif
