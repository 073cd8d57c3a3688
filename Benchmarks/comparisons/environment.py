# SPDX-License-Identifier: Apache-2.0
"""On what it was measured, and with which versions."""
import os
import pathlib
import platform
import re
import subprocess

VERSIONS = {
    "batond": ["{build}/batond", "--version"],
    "OpenSSH": ["ssh", "-V"],
    "OpenSSL": ["openssl", "version"],
    "socat": ["socat", "-V"],
    "stunnel": ["stunnel4", "-version"],
    "nginx": ["nginx", "-v"],
    "curl": ["curl", "--version"],
    "iperf3": ["iperf3", "--version"],
    "Avahi": ["avahi-daemon", "--version"],
    "perf": ["perf", "--version"],
}


def machine():
    info = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"^model name\s*:\s*(.*)$", info, re.M)
    memory = re.search(r"MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text())
    release = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
    return {
        "processor": model[1] if model else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memory": f"{int(memory[1]) / 1e6:.0f} GB",
        "kernel": platform.release(),
        "system": release.get("PRETTY_NAME", "").strip('"'),
        "load": round(os.getloadavg()[0], 2),
    }


def versions(build):
    found = {}
    for name, command in VERSIONS.items():
        words = [word.format(build=build) for word in command]
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=10)
        except OSError:
            continue
        lines = [line for line in (done.stdout + done.stderr).splitlines() if re.search(r"\d\.\d", line)]
        found[name] = lines[0].strip() if lines else "?"
    return found
