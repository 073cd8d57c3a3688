// SPDX-License-Identifier: Apache-2.0

#include "data-control.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

// Each message: its name, its signature (n: a new object, o: an object, s: a text, h: a descriptor, ?: may be missing, and
// the version that brought it), and the interfaces of its arguments.
#define PROTOCOL(prefix, variable, device_version, primary)                                                             \
  static const struct wl_interface *const variable##_none[] = {NULL, NULL};                                            \
  static const struct wl_interface *variable##_source_argument[] = {&variable.source};                                  \
  static const struct wl_interface *variable##_offer_argument[] = {&variable.offer};                                    \
  static const struct wl_interface *variable##_device_arguments[] = {&variable.device, &wl_seat_interface};             \
  static const struct wl_message variable##_manager_requests[] = {                                                      \
      {"create_data_source", "n", variable##_source_argument},                                                          \
      {"get_data_device", "no", variable##_device_arguments},                                                           \
      {"destroy", "", (const struct wl_interface **)variable##_none},                                                   \
  };                                                                                                                    \
  static const struct wl_message variable##_device_requests[] = {                                                       \
      {"set_selection", "?o", variable##_source_argument},                                                              \
      {"destroy", "", (const struct wl_interface **)variable##_none},                                                   \
      {"set_primary_selection", primary "?o", variable##_source_argument},                                              \
  };                                                                                                                    \
  static const struct wl_message variable##_device_events[] = {                                                         \
      {"data_offer", "n", variable##_offer_argument},                                                                   \
      {"selection", "?o", variable##_offer_argument},                                                                   \
      {"finished", "", (const struct wl_interface **)variable##_none},                                                  \
      {"primary_selection", primary "?o", variable##_offer_argument},                                                   \
  };                                                                                                                    \
  static const struct wl_message variable##_source_requests[] = {                                                       \
      {"offer", "s", (const struct wl_interface **)variable##_none},                                                    \
      {"destroy", "", (const struct wl_interface **)variable##_none},                                                   \
  };                                                                                                                    \
  static const struct wl_message variable##_source_events[] = {                                                         \
      {"send", "sh", (const struct wl_interface **)variable##_none},                                                    \
      {"cancelled", "", (const struct wl_interface **)variable##_none},                                                 \
  };                                                                                                                    \
  static const struct wl_message variable##_offer_requests[] = {                                                        \
      {"receive", "sh", (const struct wl_interface **)variable##_none},                                                 \
      {"destroy", "", (const struct wl_interface **)variable##_none},                                                   \
  };                                                                                                                    \
  static const struct wl_message variable##_offer_events[] = {                                                          \
      {"offer", "s", (const struct wl_interface **)variable##_none},                                                    \
  };                                                                                                                    \
  const struct data_control variable = {                                                                                \
      {prefix "_manager_v1", device_version, COUNT(variable##_manager_requests), variable##_manager_requests, 0, NULL}, \
      {prefix "_device_v1", device_version, COUNT(variable##_device_requests), variable##_device_requests,              \
       COUNT(variable##_device_events), variable##_device_events},                                                      \
      {prefix "_source_v1", 1, COUNT(variable##_source_requests), variable##_source_requests,                           \
       COUNT(variable##_source_events), variable##_source_events},                                                      \
      {prefix "_offer_v1", 1, COUNT(variable##_offer_requests), variable##_offer_requests,                              \
       COUNT(variable##_offer_events), variable##_offer_events},                                                        \
  };

PROTOCOL("ext_data_control", ext_data_control, 1, "")
PROTOCOL("zwlr_data_control", wlr_data_control, 2, "2")
