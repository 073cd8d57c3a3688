// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

/// What arrives during a TLS handshake, in pieces. Nobody gets in without a certificate.
enum HandshakeFuzzer: Fuzzer {
  static var seeds: [[UInt8]] {
    get throws {
      try [client(), joining()].map { context in
        let session = try TLSEngine(context)
        var output: [UInt8] = []
        session.withOutput { bytes in
          output = Array(bytes)
          return output.count
        }
        return [0, 2, 63, 9] + output
      } + [[1, 0, 22, 3, 3, 0, 1, 2], [2, 0, 21, 3, 3, 0, 2, 2, 40], [0, 0] + Array("GET / HTTP/1.1\r\n\r\n".utf8)]
    }
  }

  private static let keys = InvitationKeys(
    identity: [UInt8](repeating: 1, count: 16),
    preSharedKey: [UInt8](repeating: 2, count: 32)
  )
  private static let serverNameKey = [UInt8](repeating: 3, count: 32)

  private static func client() throws -> TLSContext { try .client(credentials: FuzzTeam.credentials) }

  private static func joining() throws -> TLSContext { try .joining(keys, serverNameKey: serverNameKey) }

  private static func server() throws -> TLSContext {
    try .server(
      credentials: [FuzzTeam.credentials],
      joinable: [(FuzzTeam.credentials.team, serverNameKey)],
      invitation: { _, identity in identity == keys.identity ? keys.preSharedKey : nil }
    )
  }

  nonisolated(unsafe) private static let contexts = try? [server(), client(), joining()]

  static let length = 4096

  static func run(_ input: [UInt8]) throws {
    guard let contexts else { fatalError("There are no contexts") }
    var choices = Choices(input)
    let session = try TLSEngine(choices.pick(contexts))
    var lengths = Choices(choices.bytes())
    var failure: TLSError?
    for piece in lengths.pieces(of: choices.remaining()) {
      do {
        try Array(piece).withUnsafeBytes { try session.receive($0) }
        hold(failure == nil, "It goes on after \(String(describing: failure))")
      } catch let error as TLSError {
        if let failure { same(error, failure, "It fails otherwise the second time") }
        failure = error
      }
      hold(!session.isEstablished && session.peer == nil && session.invitation == nil, "A stranger is in")
      hold(session.pendingOutput <= 64 * 1024, "\(session.pendingOutput) bytes wait to be sent")
      if choices.isOver { session.withOutput(\.count) }
    }
  }
}
