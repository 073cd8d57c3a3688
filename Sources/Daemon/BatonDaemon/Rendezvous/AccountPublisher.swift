// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import JSONCoding
import TLS
import Teams

/// Tells a server what has become of a team's account, as its operator.
///
/// The server replaces what it knows by what it is told. So this asks first, and adds to it: another administrator's
/// machine may have heard of more removals.
@Loop
final class AccountPublisher {
  private let account: ServerAccount
  private let pins: [[UInt8]]
  private let key: PrivateKey
  private let userToken: String
  private let system: [UInt8]
  /// Other administrators' machines may ask at the same time.
  private let inbox = "_INBOX.\(Base32.encode(SystemRandom.bytes(16)))"
  private var step = Step.asking
  private var connection: ServerConnection?
  private var session: NATSSession
  private var timer: Timer?
  /// A server that stays silent does not get more time by signs of life.
  private var deadline: Timer?
  private var completion: (@Loop (Result<Void, ServerFailure>) -> Void)?

  private enum Step { case asking, telling }

  /// How long its own token is valid, in seconds.
  private static let lifetime: Int64 = 300

  /// - Parameter completion: Called once, never before this returns, unless the object is released.
  init?(
    _ account: ServerAccount,
    to server: ServerAddress,
    for user: UserID,
    pins: [[UInt8]],
    completion: @escaping @Loop (Result<Void, ServerFailure>) -> Void
  ) {
    (self.account, self.pins, self.completion) = (account, pins, completion)
    session = NATSSession(payloadLimit: Limits.accountTokenLength, at: Loop.now)
    do {
      let now = Membership.now
      key = try PrivateKey.make()
      let rights = NATSToken(
        .user(publish: [], subscribe: []),
        name: "administrator",
        subject: try key.rawPublicKey,
        issued: now - 60,
        expires: now + Self.lifetime
      )
      let signer = try RendezvousSigner(seed: account.operator.system)
      (userToken, system) = (try signer.sign(rights), signer.publicKey)
    } catch {
      return nil
    }
    timer = Timer { [weak self] in self?.handle(.wake) }
    timer?.set(Loop.now + Limits.rendezvousReplyTime)
    deadline = Timer { [weak self] in self?.end(.failure(.session(.timedOut))) }
    deadline?.set(Loop.now + Limits.rendezvousReplyTime * 2)
    connection = ServerConnection(to: server, for: user) { [weak self] event in
      switch event {
      case .connected: break
      case .received(let bytes): self?.handle(.received(bytes))
      case .secured: self?.handle(.secured)
      case .ended(let failure): self?.end(.failure(failure))
      }
    }
  }

  isolated deinit { connection?.close() }

  private func handle(_ event: NATSSession.Event) {
    for effect in session.handle(event, at: Loop.now) {
      switch effect {
      case .send(let bytes): connection?.send(bytes)
      case .secure: connection?.secure(pins: pins)
      case .authenticate(let nonce):
        guard let signature = try? key.sign(Array(nonce.utf8)) else { return }
        handle(.authenticated(token: userToken, signature: signature))
      case .ready:
        handle(.subscribe(subject: inbox))
        // A server says nothing of an account that it does not know, but always knows its system account.
        for name in [account.key, system].map({ NATSKey.text(.account, $0) }) {
          handle(.request(subject: "$SYS.REQ.ACCOUNT.\(name).CLAIMS.LOOKUP", reply: inbox, payload: []))
        }
      case .message(_, let payload): hear(payload)
      case .rest(let instant): connection?.rest(until: instant)
      case .end(let failure): end(.failure(.session(failure)))
      case .wake(let instant): timer?.set(instant)
      }
    }
  }

  private func hear(_ payload: [UInt8]) {
    switch step {
    case .asking:
      let answer = String(decoding: payload, as: UTF8.self)
      do throws(TLSError) {
        guard let token = try account.token(besides: answer, now: Membership.now) else { return end(.success(())) }
        step = .telling
        handle(.request(subject: "$SYS.REQ.CLAIMS.UPDATE", reply: inbox, payload: Array(token.utf8)))
      } catch {
        end(.failure(.session(.unsuitable("this machine can't sign the team's account"))))
      }
    case .telling:
      // The answer to the second question, or another server's.
      guard NATSToken.subject(in: String(decoding: payload, as: UTF8.self)) == nil else { return }
      end(Self.result(of: payload))
    }
  }

  /// What a server answers: an object with `data`, whose `code` is 200 if it has taken the account.
  private static func result(of payload: [UInt8]) -> Result<Void, ServerFailure> {
    let answer = (try? JSON(parsing: payload, depth: 6))?.object
    guard answer?["data"]?.object?["code"]?.int64 != 200 else { return .success(()) }
    let why = answer?["error"]?.object?["description"]?.string ?? "it gave no reason"
    return .failure(.session(.unsuitable("it rejected the team's account: \(why.prefix(100))")))
  }

  private func end(_ result: Result<Void, ServerFailure>) {
    let completion = completion
    self.completion = nil
    connection?.close()
    connection = nil
    timer?.set(nil)
    deadline?.set(nil)
    completion?(result)
  }
}
