// SPDX-License-Identifier: Apache-2.0

// Who has a TCP port of this machine, from the kernel's table of sockets (sock_diag(7)), which needs no file in /proc.
#pragma once

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

// Asks about the sockets of one IP version. Returns the user of a listening one; otherwise `other`, or the user of another.
static inline int64_t clinux_port_user(int netlink, unsigned char family, uint16_t port, int64_t other) {
  // The last bit is for sockets that only have the port, which Linux tells since 6.8.
  enum { LISTENING = 10, TIME_WAIT = 6, EVERY_STATE = 0xfff | 1 << 13 };
  struct {
    struct nlmsghdr header;
    struct inet_diag_req_v2 request;
  } question = {
      .header = {sizeof question, SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST | NLM_F_DUMP, 0, 0},
      .request = {.sdiag_family = family, .sdiag_protocol = IPPROTO_TCP, .idiag_states = EVERY_STATE},
  };
  question.request.id.idiag_sport = htons(port);
  if (send(netlink, &question, sizeof question, 0) != (ssize_t)sizeof question) return other;
  union {
    struct nlmsghdr header;
    char bytes[16384];
  } answer;
  for (;;) {
    ssize_t count = recv(netlink, &answer, sizeof answer, 0);
    if (count <= 0) return other;
    unsigned int rest = (unsigned int)count;
    for (struct nlmsghdr *header = &answer.header; NLMSG_OK(header, rest); header = NLMSG_NEXT(header, rest)) {
      if (header->nlmsg_type != SOCK_DIAG_BY_FAMILY) return other;
      if (header->nlmsg_len < NLMSG_LENGTH(sizeof(struct inet_diag_msg))) continue;
      const struct inet_diag_msg *found = (const struct inet_diag_msg *)NLMSG_DATA(header);
      if (found->idiag_state == LISTENING) return found->idiag_uid;
      if (found->idiag_state != TIME_WAIT) other = found->idiag_uid;
    }
  }
}

// Returns the user of the socket that has a TCP port, preferably of one that listens; -1 if none is known.
static inline int64_t clinux_port_owner(uint16_t port) {
  int netlink = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (netlink < 0) return -1;
  struct timeval patience = {.tv_usec = 200000};
  int64_t owner = -1;
  if (setsockopt(netlink, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0) {
    owner = clinux_port_user(netlink, AF_INET6, port, owner);
    owner = clinux_port_user(netlink, AF_INET, port, owner);
  }
  close(netlink);
  return owner;
}
