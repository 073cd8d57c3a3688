#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""spoof_signals.py UID PATH INTERFACE MEMBER [--repeat SECONDS] [ARGUMENT...]: a user of the machine sends a signal to
every program on the system bus, as if it came from a service. Arguments: b:1, s:TEXT, o:PATH.

It ends when each program has handled the signal, or the bus has refused it.

Needs the package python3-dbus.
"""
import os
import sys
import time

import dbus
import dbus.lowlevel

MAKE = {"b": lambda text: dbus.Boolean(text == "1"), "s": dbus.String, "o": dbus.ObjectPath}


def main():
    uid, path, interface, member, *words = sys.argv[1:]
    os.setgroups([])
    os.setgid(int(uid))
    os.setuid(int(uid))
    seconds = 0
    if words[:1] == ["--repeat"]:
        seconds = float(words[1])
        words = words[2:]
    bus = dbus.SystemBus()
    end = time.monotonic() + seconds
    while True:
        others = [name for name in bus.list_names() if name.startswith(":") and name != bus.get_unique_name()]
        for name in others:
            message = dbus.lowlevel.SignalMessage(path, interface, member)
            message.set_destination(name)
            message.append(*(MAKE[word[0]](word[2:]) for word in words))
            bus.send_message(message)
        bus.flush()
        if time.monotonic() >= end:
            break
        time.sleep(0.005)
    for name in others:
        # Every library answers this by itself, in its turn.
        ping = dbus.lowlevel.MethodCallMessage(name, "/", "org.freedesktop.DBus.Peer", "Ping")
        try:
            bus.send_message_with_reply_and_block(ping, 20)
        except dbus.DBusException as error:
            if error.get_dbus_name() == "org.freedesktop.DBus.Error.NoReply" and name in bus.list_names():
                raise


main()
