# SPDX-License-Identifier: Apache-2.0
"""The two looks of the pictures: light and dark."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Theme:
    """What differs between a light and a dark desktop."""

    name: str
    # A GTK and Xfce theme of arc-theme.
    gtk: str
    # The colours of the ground on which both screens stand, and of what is written there.
    page: str
    ink: str
    accent: str
    # The desktop's background, from top to bottom.
    sky: tuple
    # A terminal's ground, text, and its sixteen colours.
    ground: str
    text: str
    colours: str

    @property
    def is_dark(self):
        return self.name == "dark"

    @property
    def suffix(self):
        """What the names of the dark files end with."""
        return "-dark" if self.is_dark else ""


LIGHT = Theme(
    name="light", gtk="Arc", page="#ffffff", ink="#24292f", accent="#0969da", sky=("#5d86a8", "#b9cfdc"), ground="#fafbfc", text="#24292f",
    colours="#24292f;#b3261e;#1a7f37;#8a6100;#0550ae;#8250df;#11708a;#57606a;#57606a;#a40e26;#1a7f37;#633c01;#0969da;#6639ba;#3192aa;#24292f",
)
DARK = Theme(
    name="dark", gtk="Arc-Dark", page="#0d1117", ink="#e6edf3", accent="#58a6ff", sky=("#16202e", "#2f4a5f"), ground="#1c2128", text="#dbe2ea",
    colours="#1c2128;#ff7b72;#3fb950;#d29922;#58a6ff;#bc8cff;#39c5cf;#b1bac4;#6e7681;#ffa198;#56d364;#e3b341;#79c0ff;#d2a8ff;#56d4dd;#f0f6fc",
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}
