// SPDX-License-Identifier: Apache-2.0

// Who listens on an address of this machine, and who is at the other end of a connection within it, from the kernel's table
// of sockets (sock_diag(7)). Loopback addresses are shared by all users.
#pragma once

#include "SocketOwner.h"

// Sends a question, and returns the socket for the answer; -1 if that fails.
static inline int clinux_ask_sockets(struct inet_diag_req_v2 request, unsigned short flags) {
  struct {
    struct nlmsghdr header;
    struct inet_diag_req_v2 request;
  } question = {
      .header = {sizeof question, SOCK_DIAG_BY_FAMILY, (unsigned short)(NLM_F_REQUEST | flags), 0, 0},
      .request = request,
  };
  int netlink = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (netlink < 0) return -1;
  struct timeval patience = {.tv_usec = 200000};
  if (setsockopt(netlink, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0 &&
      send(netlink, &question, sizeof question, 0) == (ssize_t)sizeof question)
    return netlink;
  close(netlink);
  return -1;
}

// Returns the user of a connected TCP socket, given its own address and that of its peer, which have 4 or 16 bytes; -1 if
// there is none. The kernel says 0 of a socket that no program has any more.
static inline int64_t clinux_connection_user(const uint8_t *own, uint16_t own_port, const uint8_t *peer, uint16_t peer_port,
                                             size_t length) {
  enum { LISTENING = 10, TIME_WAIT = 6, EVERY_STATE = 0xfff };
  if (length != 4 && length != 16) return -1;
  struct inet_diag_req_v2 request = {
      .sdiag_family = length == 4 ? AF_INET : AF_INET6, .sdiag_protocol = IPPROTO_TCP, .idiag_states = EVERY_STATE};
  request.id.idiag_sport = htons(own_port);
  request.id.idiag_dport = htons(peer_port);
  __builtin_memcpy(request.id.idiag_src, own, length);
  __builtin_memcpy(request.id.idiag_dst, peer, length);
  request.id.idiag_cookie[0] = request.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  int netlink = clinux_ask_sockets(request, 0);
  if (netlink < 0) return -1;
  union {
    struct nlmsghdr header;
    char bytes[4096];
  } answer;
  ssize_t count = recv(netlink, &answer, sizeof answer, 0);
  close(netlink);
  if (count < (ssize_t)NLMSG_LENGTH(sizeof(struct inet_diag_msg)) || !NLMSG_OK(&answer.header, (unsigned int)count) ||
      answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY || answer.header.nlmsg_len < NLMSG_LENGTH(sizeof(struct inet_diag_msg)))
    return -1;
  const struct inet_diag_msg *found = (const struct inet_diag_msg *)NLMSG_DATA(&answer.header);
  return found->idiag_state == LISTENING || found->idiag_state == TIME_WAIT ? -1 : (int64_t)found->idiag_uid;
}

// Looks at the listening sockets of one IP version that have a port. `exact` becomes the user of one at the address, and
// `any` that of one at all addresses; -2 if there are several users.
static inline int clinux_look_at_listeners(unsigned char family, const uint8_t *address, size_t length, uint16_t port,
                                           int64_t *exact, int64_t *any) {
  enum { LISTENING = 10 };
  static const uint8_t zeros[16] = {0};
  struct inet_diag_req_v2 request = {
      .sdiag_family = family, .sdiag_protocol = IPPROTO_TCP, .idiag_states = 1 << LISTENING};
  request.id.idiag_sport = htons(port);
  int netlink = clinux_ask_sockets(request, NLM_F_DUMP);
  if (netlink < 0) return -1;
  size_t width = family == AF_INET ? 4 : 16;
  // An IPv4 address in a socket of IPv6.
  uint8_t wanted[16] = {[10] = 0xff, [11] = 0xff};
  __builtin_memcpy(width == length ? wanted : wanted + 12, address, length);
  union {
    struct nlmsghdr header;
    char bytes[16384];
  } answer;
  for (;;) {
    ssize_t count = recv(netlink, &answer, sizeof answer, 0);
    if (count <= 0) break;
    unsigned int rest = (unsigned int)count;
    for (struct nlmsghdr *header = &answer.header; NLMSG_OK(header, rest); header = NLMSG_NEXT(header, rest)) {
      if (header->nlmsg_type == NLMSG_DONE) {
        close(netlink);
        return 0;
      }
      if (header->nlmsg_type != SOCK_DIAG_BY_FAMILY || header->nlmsg_len < NLMSG_LENGTH(sizeof(struct inet_diag_msg))) {
        close(netlink);
        return -1;
      }
      const struct inet_diag_msg *found = (const struct inet_diag_msg *)NLMSG_DATA(header);
      if (found->idiag_state != LISTENING || found->id.idiag_sport != htons(port)) continue;
      int64_t *place = __builtin_memcmp(found->id.idiag_src, wanted, width) == 0  ? exact
                       : __builtin_memcmp(found->id.idiag_src, zeros, width) == 0 ? any
                                                                        : NULL;
      if (place) *place = *place == -1 || *place == (int64_t)found->idiag_uid ? (int64_t)found->idiag_uid : -2;
    }
  }
  close(netlink);
  return -1;
}

// Returns the user of the socket to which the kernel gives connections to an address, which has 4 or 16 bytes; -1 if none
// listens there or that is unknown, and -2 if several users' sockets do.
static inline int64_t clinux_listening_user(const uint8_t *address, size_t length, uint16_t port) {
  int64_t exact = -1, any = -1, exact6 = -1, any6 = -1;
  if (length != 4 && length != 16) return -1;
  if (length == 4 && clinux_look_at_listeners(AF_INET, address, length, port, &exact, &any) != 0) return -1;
  // Without IPv6, there are none.
  (void)clinux_look_at_listeners(AF_INET6, address, length, port, &exact6, &any6);
  if (exact != -1 && exact6 != -1 && exact != exact6) return -2;
  if (exact != -1 || exact6 != -1) return exact != -1 ? exact : exact6;
  if (any != -1 && any6 != -1 && any != any6) return -2;
  return any != -1 ? any : any6;
}
