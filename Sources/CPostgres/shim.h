// libpq as Swift can call it.
#ifndef WHEREABOUTS_POSTGRES_H
#define WHEREABOUTS_POSTGRES_H

#include <libpq-fe.h>
#include <sys/eventfd.h>

#endif
