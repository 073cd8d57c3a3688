// SPDX-License-Identifier: Apache-2.0

// The protocols ext_data_control_v1 (wayland-protocols, staging) and zwlr_data_control_unstable_v1 (wlr-protocols), which
// have the same requests and events in the same order. The tables say only what goes over the wire.
#pragma once

#include <wayland-client.h>

struct data_control {
  const struct wl_interface manager, device, source, offer;
};

extern const struct data_control ext_data_control, wlr_data_control;

enum { MANAGER_CREATE_SOURCE = 0, MANAGER_GET_DEVICE = 1 };
enum { DEVICE_SET_SELECTION = 0 };
enum { SOURCE_OFFER = 0, SOURCE_DESTROY = 1 };
enum { OFFER_RECEIVE = 0, OFFER_DESTROY = 1 };

struct device_events {
  void (*data_offer)(void *, struct wl_proxy *device, struct wl_proxy *offer);
  void (*selection)(void *, struct wl_proxy *device, struct wl_proxy *offer);
  void (*finished)(void *, struct wl_proxy *device);
  void (*primary_selection)(void *, struct wl_proxy *device, struct wl_proxy *offer);
};

struct source_events {
  void (*send)(void *, struct wl_proxy *source, const char *type, int32_t descriptor);
  void (*cancelled)(void *, struct wl_proxy *source);
};

struct offer_events {
  void (*offer)(void *, struct wl_proxy *offer, const char *type);
};
