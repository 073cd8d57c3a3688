// SPDX-License-Identifier: Apache-2.0

/// A package that connects programs on this machine.
enum ConnectingPackage: String, CaseIterable {
  case browser = "baton-browser"
  case chrome = "baton-browser-chrome"
  case editors = "baton-editors"
  case desktop = "baton-desktop"
  case mpv = "mpv-mpris"
}
