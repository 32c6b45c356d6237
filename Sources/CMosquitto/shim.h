#include <mosquitto.h>
#include <mqtt_protocol.h>
// Missing from Swift's Glibc module.
#include <sys/eventfd.h>
