#include <mosquitto.h>
// Part of mosquitto.h since 2.1, where its own name is refused.
#if !__has_include(<mosquitto/libmosquitto.h>)
#include <mqtt_protocol.h>
#endif
// Missing from Swift's Glibc module.
#include <sys/eventfd.h>
