# SPDX-License-Identifier: Apache-2.0
"""search_call.py METHOD: calls a method of io.baton.Search as its user, with the parameters on standard input, and prints the reply."""
import json
import os
import sys

from control_socket import Varlink

with Varlink(f"{os.environ['XDG_RUNTIME_DIR']}/baton/search.sock") as connection:
    print(json.dumps(connection.call(f"io.baton.Search.{sys.argv[1]}", **json.load(sys.stdin))))
