import Activity

/// One message to a DNS server and its answer, on a TCP connection of its own, without the socket.
package struct DNSExchange: Sendable {
  package typealias Instant = ContinuousClock.Instant

  package enum Event: Equatable {
    case connected
    case received([UInt8])
    /// The connection has ended, or there was none.
    case closed
    case wake
  }

  package enum Effect: Equatable {
    case send([UInt8])
    /// Close the connection. Nothing follows.
    case done(Result<DNSAnswer, DNSFailure>)
    /// Send `.wake` at this instant. Nil: not needed.
    case wake(at: Instant?)
  }

  private let message: DNSMessage
  private let key: TSIGKey
  private let signature: TSIG
  private let request: [UInt8]
  private let deadline: Instant
  /// What has come: two bytes with the length of the response, and the response.
  private var received: [UInt8] = []
  private var isDone = false

  /// - Parameters:
  ///   - id: A random number.
  ///   - time: Seconds since 1970.
  ///   - now: When the connection begins.
  /// - Returns: Nil if the message is longer than 64 KiB.
  package init?(_ message: DNSMessage, key: TSIGKey, id: UInt16, time: Int64, at now: Instant) {
    var signature = TSIG(key: key.name, time: time, id: id)
    let signed = key.sign(message.bytes(id: id), signature)
    guard signed.bytes.count <= UInt16.max else { return nil }
    signature.mac = signed.mac
    (self.message, self.key, self.signature, request) = (message, key, signature, signed.bytes)
    // Checked: some seconds.
    deadline = now + Limits.dnsReplyTime
  }

  package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    guard !isDone else { return [] }
    do throws(DNSFailure) {
      switch event {
      case .connected:
        var bytes: [UInt8] = []
        bytes.append(counted: request)
        return [.send(bytes), .wake(at: deadline)]
      case .received(let bytes):
        received += bytes
        guard let response = try response() else { return [.wake(at: deadline)] }
        return end(.success(try response.answer(to: message, key: key, request: signature)))
      case .closed: throw .closed
      case .wake:
        guard now < deadline else { throw .timedOut }
        return [.wake(at: deadline)]
      }
    } catch { return end(.failure(error)) }
  }

  private mutating func end(_ result: Result<DNSAnswer, DNSFailure>) -> [Effect] {
    (isDone, received) = (true, [])
    return [.done(result), .wake(at: nil)]
  }

  /// Returns the response if all of it has come.
  private func response() throws(DNSFailure) -> DNSResponse? {
    guard received.count >= 2 else { return nil }
    var reader = DNSReader(received)
    let length = Int(try reader.uint16())
    guard received.count - 2 >= length else { return nil }
    let response = try DNSResponse(Array(try reader.bytes(length)), to: message)
    guard response.id == signature.originalID else { throw .malformed("the response to another message") }
    return response
  }
}
