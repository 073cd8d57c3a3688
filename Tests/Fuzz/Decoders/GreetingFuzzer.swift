// SPDX-License-Identifier: Apache-2.0

import Activity

@testable import TLS

/// The first bytes of a connection, before OpenSSL sees them. A decision stays the same, no matter what follows. A
/// client without a name of the team's gets the refusal and nothing else.
enum GreetingFuzzer: Fuzzer {
  static var seeds: [[UInt8]] {
    get throws {
      try [(nil, false), (FuzzTeam.credentials.device, true)].map { device, isReturning in
        let session = try TLSEngine(
          .client(credentials: FuzzTeam.credentials),
          expecting: device,
          isReturning: isReturning
        )
        var output: [UInt8] = []
        session.withOutput { bytes in
          output = Array(bytes)
          return output.count
        }
        return [3, 0, 0, 9] + output
      } + [[1, 0, 22, 3, 3, 0, 1, 1], [0, 21, 3, 3, 0, 2, 2, 40]]
    }
  }

  static let length = 5000

  nonisolated(unsafe) private static let context = try? TLSContext.server(credentials: [FuzzTeam.credentials])

  static func run(_ input: [UInt8]) throws {
    guard let context else { fatalError("There is no context") }
    var choices = Choices(input)
    var lengths = Choices(choices.bytes())
    let bytes = choices.remaining()
    var received: [UInt8] = []
    var decision = Greeting.incomplete
    for piece in lengths.pieces(of: bytes) {
      received += piece
      let greeting = context.greeting(received)
      if decision != .incomplete { same(greeting, decision, "It decides anew") }
      decision = greeting
      hold(greeting != .incomplete || received.count < Limits.clientHelloLength + 5, "It waits for more and more")
    }
    guard decision == .forNoTeam || decision == .ofOtherVersion else { return }
    let session = try TLSEngine(context)
    let isRefused = (try? bytes.withUnsafeBytes { try session.receive($0) }) == nil
    hold(!isRefused || session.pendingOutput <= Greeting.refusal.count, "\(session.pendingOutput) bytes for a stranger")
    hold(!session.isEstablished, "A stranger is in")
  }
}
