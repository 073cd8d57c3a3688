# SPDX-License-Identifier: Apache-2.0
"""What is copied on one desktop and pasted on another: Wayland compositors with data control."""
# Labs: lo

from clipboards import Compositor, DesktopTest, SharedTests


class WaylandTests(SharedTests, DesktopTest):
    screen = Compositor
    pasting = ("wl-paste", "--no-newline")
