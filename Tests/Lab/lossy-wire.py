#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lossy-wire.py CONTROL NAMESPACE:INTERFACE NAMESPACE:INTERFACE...

An Ethernet hub in user space between TAP devices in network namespaces, with loss, delay, duplicates and cuts, for
kernels without netem. Needs /dev/net/tun and root. Every 50 ms it reads CONTROL, a text file such as

    loss=30 delay=20 jitter=10 dup=5 down=va

(percent, ms, ms, percent, and interfaces that are cut off while their carrier stays up). Prints READY when all devices
are there. It is not fast, so it is for tests only. WIRE_SEED sets the seed of its random numbers.
"""
import ctypes
import fcntl
import heapq
import os
import random
import select
import struct
import sys
import time

CLONE_NEWNET = 0x40000000
TUNSETIFF = 0x400454CA
IFF_TAP_NO_PI = 0x0002 | 0x1000
CONTROL_INTERVAL = 0.05

libc = ctypes.CDLL(None, use_errno=True)


def open_tap(namespace, name):
    home = os.open("/proc/self/ns/net", os.O_RDONLY)
    target = os.open("/run/netns/" + namespace, os.O_RDONLY)
    if libc.setns(target, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns " + namespace)
    fd = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP_NO_PI))
    libc.setns(home, CLONE_NEWNET)
    os.close(home)
    os.close(target)
    return fd


class Settings:
    def __init__(self, path):
        self.path = path
        self.read_at = 0
        self.values = {}

    def refresh(self, now):
        if now - self.read_at < CONTROL_INTERVAL:
            return
        self.read_at = now
        try:
            with open(self.path) as file:
                self.values = dict(word.split("=", 1) for word in file.read().split())
        except (OSError, ValueError):
            pass  # Being written: the old values hold for another 50 ms.

    def number(self, key):
        return float(self.values.get(key, 0))

    def chance(self, key):
        return random.random() * 100 < self.number(key)

    def delay(self):
        return (self.number("delay") + random.random() * self.number("jitter")) / 1000

    def is_down(self, *names):
        down = self.values.get("down", "").split(",")
        return any(name in down for name in names)


def main():
    settings = Settings(sys.argv[1])
    ports = {}
    for argument in sys.argv[2:]:
        namespace, name = argument.split(":")
        ports[open_tap(namespace, name)] = name
    print("READY", flush=True)
    random.seed(int(os.environ.get("WIRE_SEED", "1")))

    waiting = []  # Heap of (time, number, descriptor, packet).
    number = 0
    while True:
        now = time.monotonic()
        settings.refresh(now)
        while waiting and waiting[0][0] <= now:
            _, _, fd, packet = heapq.heappop(waiting)
            try:
                os.write(fd, packet)
            except OSError:
                pass  # The interface is down.
        timeout = min(CONTROL_INTERVAL, max(0, waiting[0][0] - now)) if waiting else CONTROL_INTERVAL
        readable, _, _ = select.select(list(ports), [], [], timeout)
        for source in readable:
            try:
                packet = os.read(source, 65600)
            except OSError:
                continue
            for target, name in ports.items():
                if target == source or settings.is_down(ports[source], name) or settings.chance("loss"):
                    continue
                for _ in range(2 if settings.chance("dup") else 1):
                    number += 1
                    heapq.heappush(waiting, (time.monotonic() + settings.delay(), number, target, packet))


main()
