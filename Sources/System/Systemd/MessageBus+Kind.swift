// SPDX-License-Identifier: Apache-2.0

import Activity
import CSystemd
import EventLoop
import Glibc

extension MessageBus {
  /// What a connection leads to.
  package enum Kind: Sendable {
    /// `DBUS_SYSTEM_BUS_ADDRESS`, or the default address of the system bus.
    case system
    /// `DBUS_SESSION_BUS_ADDRESS`, or `bus` in `XDG_RUNTIME_DIR`.
    case user
    /// systemd's own socket in `XDG_RUNTIME_DIR`, where systemctl(1) reaches the user's systemd. It is not a bus:
    /// systemd is the only peer, and sends all its signals to every connection.
    case userManager

    /// What is named in the error if it cannot be opened.
    var name: String {
      switch self {
      case .system: "sd_bus_open_system"
      case .user: "sd_bus_open_user"
      case .userManager: "systemd/private"
      }
    }

    /// - Returns: Negative, without a connection, if there is none, or if it is that of another user.
    func open(_ bus: inout OpaquePointer?) -> Int32 {
      let result =
        switch self {
        case .system: sd_bus_open_system(&bus)
        case .user: sd_bus_open_user(&bus)
        case .userManager: Self.openManager(&bus)
        }
      guard result >= 0, isFromEnvironment, !Sockets.isBelieved(sd_bus_get_fd(bus)) else { return result }
      bus = sd_bus_close_unref(bus)
      return -EPERM
    }

    /// Whether a variable leads there.
    private var isFromEnvironment: Bool { self != .system || getenv("DBUS_SYSTEM_BUS_ADDRESS") != nil }

    private static func openManager(_ bus: inout OpaquePointer?) -> Int32 {
      guard let directory = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), directory.starts(withBytesOf: "/")
      else {
        return -ENOMEDIUM
      }
      var result = sd_bus_new(&bus)
      if result >= 0 { result = sd_bus_set_address(bus, "unix:path=\(escaped("\(directory)/systemd/private"))") }
      if result >= 0 { result = sd_bus_start(bus) }
      if result < 0 { bus = sd_bus_unref(bus) }
      return result
    }

    /// Escapes a value for an address (D-Bus Specification, "Server Addresses").
    private static func escaped(_ path: String) -> String {
      path.utf8.map { byte in
        let scalar = Unicode.Scalar(byte)
        if scalar.isASCII, scalar.properties.isAlphabetic || "0123456789-_/.".unicodeScalars.contains(scalar) {
          return String(scalar)
        }
        return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    }
  }
}
