// SPDX-License-Identifier: Apache-2.0

import EventLoop
import JSONCoding
import Varlink
import VarlinkServer

/// The service side of org.varlink.certification.
@Loop
final class Certification {
  /// The method that each client must call next.
  private var next: [String: String] = [:]
  private var lastClient = 0

  static func add(to server: VarlinkServer) { Certification().serve(on: server) }

  private func serve(on server: VarlinkServer) {
    server.add(.certification)
    server.on(Start.self) { _, exchange in
      self.lastClient += 1
      let client = "client-\(self.lastClient)"
      self.next[client] = Test01.name
      exchange.reply(Arguments(["client_id": .string(client)]))
    }
    serve(Test01.self, before: Test02.self, on: server)
    serve(Test02.self, before: Test03.self, on: server)
    serve(Test03.self, before: Test04.self, on: server)
    serve(Test04.self, before: Test05.self, on: server)
    serve(Test05.self, before: Test06.self, on: server)
    serve(Test06.self, before: Test07.self, on: server)
    serve(Test07.self, before: Test08.self, on: server)
    serve(Test08.self, before: Test09.self, on: server)
    serve(Test09.self, before: Test10.self, on: server)
    serve(Test10.self, before: Test11.self, on: server)
    serve(Test11.self, before: End.self, on: server)
    serve(End.self, before: nil, on: server)
  }

  private func serve<S: Step>(_ step: S.Type, before following: (any Step.Type)?, on server: VarlinkServer) {
    server.on(step) { arguments, exchange in
      var got = arguments.members
      guard let client = got.removeValue(forKey: "client_id")?.string, let expected = self.next[client] else {
        return exchange.fail("org.varlink.certification.ClientIdError")
      }
      guard expected == S.name, exchange.mode == S.mode, got == S.wants else {
        self.next[client] = nil
        return exchange.fail(
          "org.varlink.certification.CertificationError",
          [
            "wants": ["method": .string(expected), "parameters": .object(S.wants)],
            "got": ["method": .string(S.name), "parameters": .object(got)],
          ]
        )
      }
      self.next[client] = following?.name
      for reply in S.gives.dropLast() { exchange.replyContinuing(Arguments(reply)) }
      exchange.reply(Arguments(S.gives.last ?? [:]))
    }
  }
}
