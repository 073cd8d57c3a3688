// SPDX-License-Identifier: Apache-2.0

import ChildProcess
import EventLoop
import Foundation
import Glibc

/// A D-Bus daemon of this test. It stands for both the system's and the user's bus: `DBUS_SYSTEM_BUS_ADDRESS` and
/// `DBUS_SESSION_BUS_ADDRESS` name it.
package final class TestBus {
  package let directory: String
  private var daemon: ChildProcess?
  private var address: String { "unix:path=\(directory)/bus" }

  package init() throws {
    var template = Array("/tmp/baton-bus-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestFailure("mkdtemp: \(errno)") }
    directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let configuration = """
      <busconfig>
        <type>system</type>
        <listen>\(address)</listen>
        <policy context="default">
          <allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_type="signal"/>
          <allow send_requested_reply="true" send_type="method_return"/>
          <allow send_requested_reply="true" send_type="error"/>
          <allow receive_type="method_call"/><allow receive_type="method_return"/><allow receive_type="error"/>
          <allow receive_type="signal"/>
        </policy>
      </busconfig>
      """
    try configuration.write(toFile: "\(directory)/bus.conf", atomically: true, encoding: .utf8)
    setenv("DBUS_SYSTEM_BUS_ADDRESS", address, 1)
    setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
  }

  package func start() throws {
    daemon = try ChildProcess([
      "/usr/bin/dbus-daemon", "--config-file=\(directory)/bus.conf", "--nofork", "--nopidfile",
    ])
    // Its socket is there before anybody can connect to it.
    try waitUntil("The bus is there") { (try? Sockets.connect(path: "\(directory)/bus")).map { close($0) } != nil }
  }

  package func signal(_ number: Int32) { daemon?.send(number) }

  /// Kills the D-Bus daemon.
  package func stop() {
    daemon?.send(SIGKILL)
    _ = daemon?.waitUntilExit()
    daemon = nil
    unlink("\(directory)/bus")
  }

  package func remove() {
    stop()
    try? FileManager.default.removeItem(atPath: directory)
  }
}
