#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a Varlink service, byte for byte on the socket, with systemd's own implementation (sd-varlink).

oracle.py unix:PATH                    sends each vector and compares what happens with the stored results of systemd
oracle.py --record unix:PATH|exec:CMD  prints the results, in the form that is stored in systemd-*.json

exec:CMD starts CMD for each vector with the connection as descriptor 3, as socket activation does; systemd-creds (see
get-varlinkctl) is such a service. Every vector uses nothing but org.varlink.service, which every service has.
Exit status: 0 where each vector ends as with one of the stored systemd versions, else 1."""

import json
import os
import pathlib
import select
import signal
import socket
import sys
import time

# In seconds.
PATIENCE = 30
GET_INFO = 'org.varlink.service.GetInfo'
DESCRIBE = 'org.varlink.service.GetInterfaceDescription'
UNKNOWN = {'interface': 'org.example.nope'}


def message(**members):
    return json.dumps(members).encode() + b'\0'


info = message(method=GET_INFO)
unknown = message(method=DESCRIBE, parameters=UNKNOWN)
name = GET_INFO.encode()

# Name, bytes, whether the client's sending direction is then shut down
VECTORS = [
    ('GetInfo', info, False),
    ('GetInfo, parameters {}', message(method=GET_INFO, parameters={}), False),
    ('GetInfo, parameters null', message(method=GET_INFO, parameters=None), False),
    ('GetInfo, parameters []', message(method=GET_INFO, parameters=[]), False),
    ('two pipelined', info + unknown, False),
    ('two pipelined, half-close', info + unknown, True),
    ('fifty pipelined, half-close', unknown * 50, True),
    ('unknown interface', message(method='org.example.x.Foo'), False),
    ('unknown method of known interface', message(method='org.varlink.service.Foo'), False),
    ('method without dot', message(method='Foo'), False),
    ('missing parameter', message(method=DESCRIBE), False),
    ('wrong type of parameter', message(method=DESCRIBE, parameters={'interface': 1}), False),
    ('unknown parameter', message(method=DESCRIBE, parameters={'interface': 'org.varlink.service', 'zzz': 1}), False),
    ('unknown top-level key', message(method=GET_INFO, foo=1), False),
    ('vendor top-level key', b'{"method":"' + name + b'","org.example":{"a":1}}\0', False),
    ('method missing', b'{"parameters":{}}\0', False),
    ('method not a string', b'{"method":1}\0', False),
    ('oneway, then a normal call', message(method=GET_INFO, oneway=True) + unknown, False),
    ('oneway unknown method, then normal', message(method='a.b.C', oneway=True) + unknown, False),
    ('oneway false', message(method=DESCRIBE, parameters=UNKNOWN, oneway=False), False),
    ('oneway null', message(method=DESCRIBE, parameters=UNKNOWN, oneway=None), False),
    ('more where not supported', message(method=DESCRIBE, parameters=UNKNOWN, more=True), False),
    ('more + oneway', message(method=GET_INFO, more=True, oneway=True), False),
    ('upgrade where not supported', message(method=DESCRIBE, parameters=UNKNOWN, upgrade=True), False),
    ('bad JSON, then a good call', b'{nope}\0' + info, False),
    ('array at top level', b'[1]\0', False),
    ('lone NUL, then a good call', b'\0' + info, False),
    ('white space and newlines', b'  {\n "method" : "' + name + b'" }\n\0', False),
    ('trailing garbage', b'{"method":"' + name + b'"} xx\0', False),
    ('duplicate key', b'{"method":"' + name + b'","method":"' + name + b'"}\0', False),
    ('invalid UTF-8', b'{"method":"org.varlink.service.Get\xff"}\0', False),
    ('escaped method name', b'{"method":"org.varlink.service.Get\\u0049nfo"}\0', False),
    ('no NUL, half-close', b'{"method":"' + name + b'"}', True),
    ('20 MB message', b'{"method":"' + name + b'","parameters":{"x":"' + b'y' * 20_000_000 + b'"}}\0', False),
]


def connect(target):
    """A connection to the service, and the process to end afterwards."""
    if target.startswith('unix:'):
        client = socket.socket(socket.AF_UNIX)
        client.connect(target[5:])
        return client, None
    client, server = socket.socketpair()
    process = os.fork()
    if process == 0:
        client.close()
        os.dup2(server.fileno(), 3, inheritable=True)
        null = os.open('/dev/null', os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        os.closerange(4, 64)
        activation = {'LISTEN_FDS': '1', 'LISTEN_PID': str(os.getpid()), 'LISTEN_FDNAMES': 'varlink'}
        command = target.removeprefix('exec:')
        os.execve(command, [command], {**os.environ, **activation})
    server.close()
    return client, process


def run(target, data, half_close, quiet, is_expected):
    """Whether the connection is open or closed in the end, and the replies; what GetInfo says is left out.

    It is the end when nothing follows for `quiet` seconds, and the result is as expected or PATIENCE is over."""
    client, process = connect(target)
    client.settimeout(5)
    received, state = b'', 'open'

    def result():
        *messages, rest = received.split(b'\0')
        return {'state': state, 'replies': [short(m) for m in messages], 'rest': len(rest)}

    try:
        client.sendall(data)
        if half_close:
            client.shutdown(socket.SHUT_WR)
    except OSError:
        state = 'closed'
    deadline = time.monotonic() + PATIENCE
    while True:
        wait = quiet if is_expected(result()) else max(quiet, deadline - time.monotonic())
        if not select.select([client], [], [], wait)[0]:
            break
        try:
            part = client.recv(65536)
        except OSError:
            part = b''
        if not part:
            state = 'closed'
            break
        received += part
    client.close()
    if process:
        try:
            os.kill(process, signal.SIGTERM)
        except ProcessLookupError:
            pass
        os.waitpid(process, 0)
    return result()


def short(reply):
    value = json.loads(reply)
    return 'GetInfo' if 'vendor' in (value.get('parameters') or {}) else value


def main():
    arguments = sys.argv[1:]
    record = arguments[:1] == ['--record']
    if len(arguments) != 1 + record:
        sys.exit(__doc__)
    target = arguments[-1]
    if record:
        results = {n: run(target, data, half, 1.5, lambda result: True) for n, data, half in VECTORS}
        lines = [f'  {json.dumps(n)}: {json.dumps(result)}' for n, result in results.items()]
        print('{\n' + ',\n'.join(lines) + '\n}')
        return 0
    stored = {p.stem: json.loads(p.read_text()) for p in sorted(pathlib.Path(__file__).parent.glob('systemd-*.json'))}
    if not stored:
        sys.exit('No stored results')
    results = {
        n: run(target, data, half, 0.4, lambda result: any(e.get(n) == result for e in stored.values()))
        for n, data, half in VECTORS
    }
    same = 0
    for vector, result in results.items():
        as_in = [version for version, expected in stored.items() if expected.get(vector) == result]
        same += bool(as_in)
        if len(as_in) == len(stored):
            continue
        if as_in:
            print(f'{vector}: as {", ".join(as_in)}, where the versions differ')
        else:
            print(f'{vector}: {json.dumps(result)}')
            for version, expected in stored.items():
                print(f'    {version}: {json.dumps(expected.get(vector))}')
    print(f'{same} same, {len(results) - same} different')
    return 0 if same == len(results) else 1


if __name__ == '__main__':
    sys.exit(main())
