#pragma once
#include <systemd/sd-bus.h>
#include <systemd/sd-device.h>
#include <systemd/sd-event.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
