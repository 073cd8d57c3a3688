// SPDX-License-Identifier: Apache-2.0

/* wire CONTROL NAMESPACE:INTERFACE NAMESPACE:INTERFACE

   A long Ethernet cable between TAP devices in two network namespaces, fast enough for benchmarks. Every 50 ms it reads
   CONTROL, a text file such as

       delay=20 loss=0.1 rate=1000 queue=5000000

   (ms each way, percent of segments, Mbit/s each way, and the bytes that may wait for their turn on the cable before
   more are dropped). What is absent is 0; no rate means as fast as this program is, and no queue that all may wait.
   Prints READY when both devices are there. Needs /dev/net/tun and root.

   The kernel hands over TCP segments in packets of up to 64 KiB, as it does to network cards (TSO), and takes them back
   like that (GRO). Loss, rate and queue count the segments in them; the packet goes on without those that are lost. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum {
  HEADER = sizeof(struct virtio_net_hdr),
  ETHERNET = 14,
  /* What each frame takes on the cable besides: preamble, checksum and gap. */
  FRAMING = 24,
  PACKET_MAX = HEADER + ETHERNET + 65536 + 64,
  /* The packets that are read in one go before those that are due leave. */
  BATCH = 64,
};
/* The bytes on their way in one direction: 75 ms at 20 Gbit/s. The kernel provides memory only for what is used. */
static const size_t RING = 192u << 20;
static const int64_t SECOND = 1000000000, CONTROL_INTERVAL = 50000000;

struct settings {
  double delay, loss, rate, queue;
};

/* A packet on its way. A length of 0 means that the next one is at the start of the ring. */
struct record {
  int64_t due;
  uint64_t length;
  uint8_t bytes[];
};

struct direction {
  int source, target;
  uint8_t *ring;
  size_t head, tail, used;
  /* When the cable has sent all that came, and when the last packet arrives at the other end. */
  int64_t is_free, last_due;
};

static struct settings settings;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * SECOND + time.tv_nsec;
}

static void die(const char *what) {
  fprintf(stderr, "wire: %s: %s\n", what, strerror(errno));
  exit(1);
}

/* ------------------------------------------------------------------------------------------------------ The devices */

static int open_tap(char *argument) {
  char path[256], *name = strchr(argument, ':');
  if (!name) errno = EINVAL, die(argument);
  snprintf(path, sizeof path, "/run/netns/%.*s", (int)(name - argument), argument);
  int home = open("/proc/self/ns/net", O_RDONLY), other = open(path, O_RDONLY);
  if (other < 0 || setns(other, CLONE_NEWNET)) die(path);
  int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
  struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR};
  strncpy(request.ifr_name, name + 1, IFNAMSIZ - 1);
  if (tap < 0 || ioctl(tap, TUNSETIFF, &request)) die("/dev/net/tun");
  if (ioctl(tap, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6)) die("TUNSETOFFLOAD");
  if (setns(home, CLONE_NEWNET)) die("setns");
  close(home);
  close(other);
  return tap;
}

static void read_settings(const char *path) {
  static int64_t next;
  if (now() < next) return;
  next = now() + CONTROL_INTERVAL;
  FILE *file = fopen(path, "r");
  if (!file) return;
  struct settings read = {0};
  char word[64];
  while (fscanf(file, "%63s", word) == 1) {
    char *value = strchr(word, '=');
    if (!value) continue;
    *value++ = 0;
    double number = atof(value);
    if (!strcmp(word, "delay")) read.delay = number;
    if (!strcmp(word, "loss")) read.loss = number;
    if (!strcmp(word, "rate")) read.rate = number;
    if (!strcmp(word, "queue")) read.queue = number;
  }
  fclose(file);
  settings = read;
}

/* ------------------------------------------------------------------------------------------------------- The packets */

static bool is_lost(void) {
  static uint64_t state = 88172645463325252u;
  if (settings.loss <= 0) return false;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (state >> 11) * 0x1p-53 * 100 < settings.loss;
}

/* Whether so many bytes still have a place in the queue; they take their time on the cable. */
static bool is_sent(struct direction *way, size_t length, int64_t time) {
  if (settings.rate <= 0) return true;
  double nanoseconds = length * 8e3 / settings.rate;
  int64_t begin = way->is_free > time ? way->is_free : time;
  if (settings.queue > 0 && (begin - time) * settings.rate / 8e3 > settings.queue) return false;
  way->is_free = begin + (int64_t)nanoseconds;
  return true;
}

static void push(struct direction *way, const struct iovec *parts, int count, int64_t time) {
  size_t length = 0;
  for (int i = 0; i < count; i++) length += parts[i].iov_len;
  size_t need = (sizeof(struct record) + length + 15) & ~(size_t)15;
  if (way->used == 0) way->head = way->tail = 0;
  size_t rest = RING - way->tail, skipped = rest < need + sizeof(struct record) ? rest : 0;
  if (way->used + skipped + need + sizeof(struct record) > RING) return;
  if (skipped) {
    ((struct record *)(way->ring + way->tail))->length = 0;
    way->used += skipped;
    way->tail = 0;
  }
  struct record *record = (struct record *)(way->ring + way->tail);
  record->length = length;
  int64_t sent = settings.rate > 0 && way->is_free > time ? way->is_free : time;
  record->due = sent + (int64_t)(settings.delay * 1e6);
  if (record->due < way->last_due) record->due = way->last_due;
  way->last_due = record->due;
  uint8_t *place = record->bytes;
  for (int i = 0; i < count; place += parts[i++].iov_len) memcpy(place, parts[i].iov_base, parts[i].iov_len);
  way->tail += need;
  way->used += need;
}

static uint16_t folded(uint32_t sum) {
  while (sum >> 16) sum = (sum & 0xFFFF) + (sum >> 16);
  return sum;
}

static void put16(uint8_t *place, uint16_t value) { place[0] = value >> 8, place[1] = value; }
static void put32(uint8_t *place, uint32_t value) { put16(place, value >> 16), put16(place + 2, value); }
static uint16_t get16(const uint8_t *place) { return place[0] << 8 | place[1]; }
static uint32_t get32(const uint8_t *place) { return (uint32_t)get16(place) << 16 | get16(place + 2); }

/* Sends segments first..<end of a packet that has `whole` bytes of payload after `headers` bytes. */
static void push_segments(
    struct direction *way, const uint8_t *packet, size_t headers, size_t whole, size_t first, size_t end, int64_t time) {
  struct virtio_net_hdr offload;
  memcpy(&offload, packet, HEADER);
  size_t size = offload.gso_size, begin = first * size, stop = end * size < whole ? end * size : whole;
  uint8_t copy[256];
  memcpy(copy, packet, headers);
  size_t network = HEADER + ETHERNET, transport = HEADER + offload.csum_start;
  uint16_t length = headers - transport + stop - begin, old = headers - transport + whole;
  bool is_old = copy[network] >> 4 == 4;
  if (is_old) {
    size_t ip = (copy[network] & 15) * 4;
    put16(copy + network + 2, ip + length);
    put16(copy + network + 4, get16(copy + network + 4) + first);
    put16(copy + network + 10, 0);
    uint32_t sum = 0;
    for (size_t i = 0; i < ip; i += 2) sum += get16(copy + network + i);
    put16(copy + network + 10, ~folded(sum));
  } else {
    put16(copy + network + 4, length + (transport - network - 40));
  }
  put32(copy + transport + 4, get32(copy + transport + 4) + begin);
  /* The checksum so far is that of the addresses and the length; the kernel adds the rest. */
  put16(copy + transport + 16, folded(get16(copy + transport + 16) + (uint16_t)~old + length));
  if (stop < whole) copy[transport + 13] &= ~0x09; /* PSH and FIN */
  if (end - first == 1) offload.gso_type = VIRTIO_NET_HDR_GSO_NONE, offload.gso_size = 0;
  memcpy(copy, &offload, HEADER);
  struct iovec parts[] = {{copy, headers}, {(void *)(packet + headers + begin), stop - begin}};
  push(way, parts, 2, time);
}

static void receive(struct direction *way, uint8_t *packet, size_t length) {
  int64_t time = now();
  struct virtio_net_hdr offload;
  memcpy(&offload, packet, HEADER);
  size_t headers = 0;
  if (offload.gso_type != VIRTIO_NET_HDR_GSO_NONE && offload.gso_size) {
    size_t transport = HEADER + offload.csum_start;
    if (transport + 20 <= length) headers = transport + (packet[transport + 12] >> 4) * 4;
  }
  if (headers == 0 || headers > 250 || headers >= length) {
    if (is_lost() || !is_sent(way, length - HEADER + FRAMING, time)) return;
    struct iovec whole = {packet, length};
    push(way, &whole, 1, time);
    return;
  }
  size_t payload = length - headers, count = (payload + offload.gso_size - 1) / offload.gso_size, first = 0;
  for (size_t i = 0; i < count; i++) {
    size_t part = i + 1 < count ? offload.gso_size : payload - i * offload.gso_size;
    if (!is_lost() && is_sent(way, headers - HEADER + part + FRAMING, time)) continue;
    if (first < i) push_segments(way, packet, headers, payload, first, i, time);
    first = i + 1;
  }
  if (first == 0) {
    struct iovec whole = {packet, length};
    push(way, &whole, 1, time);
  } else if (first < count) {
    push_segments(way, packet, headers, payload, first, count, time);
  }
}

/* Lets out what is due. Returns when the next packet is, or the maximum. */
static int64_t deliver(struct direction *way) {
  int64_t time = now();
  while (way->used) {
    struct record *record = (struct record *)(way->ring + way->head);
    if (record->length == 0) {
      way->used -= RING - way->head;
      way->head = 0;
      continue;
    }
    if (record->due > time && record->due > (time = now())) return record->due;
    /* A device that is down takes nothing. */
    if (write(way->target, record->bytes, record->length) < 0 && errno == EAGAIN) return time + 10000;
    size_t taken = (sizeof *record + record->length + 15) & ~(size_t)15;
    way->head += taken;
    way->used -= taken;
  }
  return INT64_MAX;
}

int main(int count, char **arguments) {
  if (count != 4) {
    fprintf(stderr, "Usage: wire CONTROL NAMESPACE:INTERFACE NAMESPACE:INTERFACE\n");
    return 64;
  }
  static uint8_t packet[PACKET_MAX];
  int taps[2] = {open_tap(arguments[2]), open_tap(arguments[3])};
  struct direction ways[2];
  for (int i = 0; i < 2; i++) {
    ways[i] = (struct direction){.source = taps[i], .target = taps[1 - i]};
    ways[i].ring = mmap(NULL, RING, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (ways[i].ring == MAP_FAILED) die("mmap");
  }
  prctl(PR_SET_TIMERSLACK, 1);
  puts("READY");
  fflush(stdout);
  while (true) {
    read_settings(arguments[1]);
    int64_t next = now() + CONTROL_INTERVAL;
    for (int i = 0; i < 2; i++) {
      int64_t due = deliver(&ways[i]);
      if (due < next) next = due;
    }
    int64_t rest = next - now();
    if (rest < 0) rest = 0;
    struct pollfd items[] = {{.fd = taps[0], .events = POLLIN}, {.fd = taps[1], .events = POLLIN}};
    struct timespec pause = {rest / SECOND, rest % SECOND};
    if (ppoll(items, 2, &pause, NULL) < 0 && errno != EINTR) die("ppoll");
    for (int i = 0; i < 2; i++) {
      if (!(items[i].revents & POLLIN)) continue;
      for (int n = 0; n < BATCH; n++) {
        ssize_t length = read(taps[i], packet, sizeof packet);
        if (length < HEADER + ETHERNET) break;
        receive(&ways[i], packet, length);
      }
    }
  }
}
