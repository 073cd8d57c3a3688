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
  case index(Index)
  case rendezvous(RendezvousAccess)
  case askRendezvous(AskRendezvous)

  /// - Returns: Nil for a frame that must be ignored.
  /// - Throws: `Reason.protocolViolation` for an unknown type, or if the payload is not valid for the type.
  package init?(type: UInt8, payload: ArraySlice<UInt8>) throws(Reason) {
    do throws(Reason) {
      guard let known = MessageType(rawValue: type) else { throw .protocolViolation }
      self = try Self.decode(known, payload)
    } catch {
      // An unknown extension may use the same number, so ignore a payload that is not ours.
      guard type >= FrameHeader.firstIgnorableType else { throw error }
      return nil
    }
  }

  private static func decode(_ type: MessageType, _ payload: ArraySlice<UInt8>) throws(Reason) -> Message {
    switch type {
    case .hello: .hello(try Hello(payload: payload))
    case .accepted: .accepted(try Accepted(payload: payload))
    case .refused: .refused(try Refused(payload: payload))
    case .bye: .bye(try Bye(payload: payload))
    case .ping: .ping(try Ping(payload: payload))
    case .pong: .pong(try Pong(payload: payload))
    case .offer: .offer(try Offer(payload: payload))
    case .withdraw: .withdraw(try Withdraw(payload: payload))
    case .fetch: .fetch(try Fetch(payload: payload))
    case .payload: .payload(try Payload(payload: payload))
    case .failure: .failure(try Failure(payload: payload))
    case .continued: .continued(try Continued(payload: payload))
    case .open: .open(try Open(payload: payload))
    case .opened: .opened(try Opened(payload: payload))
    case .acknowledge: .acknowledge(try Acknowledge(payload: payload))
    case .finish: .finish(try Finish(payload: payload))
    case .reset: .reset(try Reset(payload: payload))
    case .resume: .resume(try Resume(payload: payload))
    case .revocations: .revocations(try Revocations(payload: payload))
    case .probe: .probe(try Probe(payload: payload))
    case .probed: .probed(try Probed(payload: payload))
    case .renamed: .renamed(try Renamed(payload: payload))
    case .renew: .renew(try Renew(payload: payload))
    case .renewed: .renewed(try Renewed(payload: payload))
    case .promote: .promote(try Promote(payload: payload))
    case .promoted: .promoted(try Promoted(payload: payload))
    case .admitted: .admitted(try Admitted(payload: payload))
    case .index: .index(try Index(payload: payload))
    case .rendezvous: .rendezvous(try RendezvousAccess(payload: payload))
    case .askRendezvous: .askRendezvous(try AskRendezvous(payload: payload))
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
    case .index(let body): body.frame
    case .rendezvous(let body): body.frame
    case .askRendezvous(let body): body.frame
    }
  }
}
