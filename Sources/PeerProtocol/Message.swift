import Activity

/// Everything that two daemons say to each other in a session, except the bytes of streams (Protocol.md section 4).
package enum Message: Equatable, Sendable {
  case hello(Hello)
  case accepted(Accepted)
  case refused(Refused)
  case bye(Bye)
  case ping(Ping)
  case pong(Pong)
  case offer(Offer)
  case withdraw(Withdraw)
  case fetch(Fetch)
  case payload(Payload)
  case failure(Failure)
  case continued(Continued)
  case open(Open)
  case opened(Opened)
  case acknowledge(Acknowledge)
  case finish(Finish)
  case reset(Reset)
  case resume(Resume)
  case revocations(Revocations)
  case probe(Probe)
  case probed(Probed)
  case renamed(Renamed)
  case renew(Renew)
  case renewed(Renewed)
  case promote(Promote)
  case promoted(Promoted)
  case admitted(Admitted)

  /// - Returns: Nil for a type that must be ignored.
  /// - Throws: `Reason.protocolViolation` for an unknown type, or if the payload is not valid for the type.
  package init?(type: UInt8, payload: ArraySlice<UInt8>) throws(Reason) {
    switch type {
    case Hello.type: self = .hello(try Hello(payload: payload))
    case Accepted.type: self = .accepted(try Accepted(payload: payload))
    case Refused.type: self = .refused(try Refused(payload: payload))
    case Bye.type: self = .bye(try Bye(payload: payload))
    case Ping.type: self = .ping(try Ping(payload: payload))
    case Pong.type: self = .pong(try Pong(payload: payload))
    case Offer.type: self = .offer(try Offer(payload: payload))
    case Withdraw.type: self = .withdraw(try Withdraw(payload: payload))
    case Fetch.type: self = .fetch(try Fetch(payload: payload))
    case Payload.type: self = .payload(try Payload(payload: payload))
    case Failure.type: self = .failure(try Failure(payload: payload))
    case Continued.type: self = .continued(try Continued(payload: payload))
    case Open.type: self = .open(try Open(payload: payload))
    case Opened.type: self = .opened(try Opened(payload: payload))
    case Acknowledge.type: self = .acknowledge(try Acknowledge(payload: payload))
    case Finish.type: self = .finish(try Finish(payload: payload))
    case Reset.type: self = .reset(try Reset(payload: payload))
    case Resume.type: self = .resume(try Resume(payload: payload))
    case Revocations.type: self = .revocations(try Revocations(payload: payload))
    case Probe.type: self = .probe(try Probe(payload: payload))
    case Probed.type: self = .probed(try Probed(payload: payload))
    case FrameHeader.firstIgnorableType...:
      // An unknown extension may use the same number, so ignore a payload that is not ours.
      guard let message = try? Self.addition(type: type, payload: payload) else { return nil }
      self = message
    default: throw .protocolViolation
    }
  }

  /// Decodes a message that was added after version 1. Daemons that do not know it ignore it.
  private static func addition(type: UInt8, payload: ArraySlice<UInt8>) throws(Reason) -> Message? {
    switch type {
    case Renew.type: .renew(try Renew(payload: payload))
    case Renewed.type: .renewed(try Renewed(payload: payload))
    case Promote.type: .promote(try Promote(payload: payload))
    case Promoted.type: .promoted(try Promoted(payload: payload))
    case Admitted.type: .admitted(try Admitted(payload: payload))
    case Renamed.type: .renamed(try Renamed(payload: payload))
    default: nil
    }
  }

  /// The whole frame.
  package var frame: [UInt8] {
    switch self {
    case .hello(let body): body.frame
    case .accepted(let body): body.frame
    case .refused(let body): body.frame
    case .bye(let body): body.frame
    case .ping(let body): body.frame
    case .pong(let body): body.frame
    case .offer(let body): body.frame
    case .withdraw(let body): body.frame
    case .fetch(let body): body.frame
    case .payload(let body): body.frame
    case .failure(let body): body.frame
    case .continued(let body): body.frame
    case .open(let body): body.frame
    case .opened(let body): body.frame
    case .acknowledge(let body): body.frame
    case .finish(let body): body.frame
    case .reset(let body): body.frame
    case .resume(let body): body.frame
    case .revocations(let body): body.frame
    case .probe(let body): body.frame
    case .probed(let body): body.frame
    case .renamed(let body): body.frame
    case .renew(let body): body.frame
    case .renewed(let body): body.frame
    case .promote(let body): body.frame
    case .promoted(let body): body.frame
    case .admitted(let body): body.frame
    }
  }
}
