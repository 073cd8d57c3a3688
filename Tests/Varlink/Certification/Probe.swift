// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import JSONCoding
import Varlink
import VarlinkServer

/// What the certification does not test: a method that upgrades the connection, and one that needs `more`.
@Loop
enum Probe {
  enum Echo: Method {
    static let name = "io.baton.Probe.Echo"
    static let requiredMode: Call.Mode? = .upgrade
    typealias Parameters = Nothing
    typealias Reply = Nothing
  }

  enum Count: Method {
    static let name = "io.baton.Probe.Count"
    static let requiredMode: Call.Mode? = .more
    typealias Parameters = Arguments
    typealias Reply = Arguments
  }

  static func add(to server: VarlinkServer) {
    server.add(
      InterfaceDescription(
        name: "io.baton.Probe",
        text: """
          interface io.baton.Probe

          # Gives back the bytes that follow. Must be called with `upgrade`.
          method Echo() -> ()

          # Counts from 1 to 3. Must be called with `more`.
          method Count() -> (number: int)

          """
      )
    )
    server.on(Echo.self) { _, exchange in
      exchange.upgrade(Nothing()) { descriptor, rest in echo(rest, descriptor) }
    }
    server.on(Count.self) { _, exchange in
      exchange.replyContinuing(Arguments(["number": 1]))
      exchange.replyContinuing(Arguments(["number": 2]))
      exchange.reply(Arguments(["number": 3]))
    }
  }

  private static func echo(_ rest: [UInt8], _ descriptor: Int32) {
    let readiness = Readiness(owning: descriptor)
    _ = send(descriptor, rest, rest.count, Int32(MSG_NOSIGNAL))
    readiness.onReadable = {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return readiness.close() }
      _ = send(descriptor, buffer, count, Int32(MSG_NOSIGNAL))
    }
    readiness.isReading = true
  }
}
