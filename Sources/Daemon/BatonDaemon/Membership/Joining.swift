// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import JSONCoding
import TLS
import Teams

/// One attempt to join a team with a code. Every machine that could have issued the code is asked, several at the same
/// time. Only the first one that proves to know the code is told what this machine wants, whatever the result.
@Loop
final class Joining {
  /// How long one attempt looks for machines and asks them, in total.
  nonisolated static let joinTime = Duration.seconds(10)
  /// The maximum number of machines that one attempt asks at the same time.
  nonisolated static let joinCalls = 8
  /// The time from dialling a machine until it has proved that it knows the code, if others wait for its place. A local
  /// network answers in milliseconds.
  nonisolated static let joinSilence = Duration.seconds(2)

  /// The result of an attempt that succeeded.
  struct Admitted {
    let joined: Joined
    /// The key that was certified.
    let key: PrivateKey
    /// What the certificate must show.
    let nonce: [UInt8]
    /// Where the machine that admitted this one was reached.
    let address: SocketAddress?
  }

  /// Whether more candidates may come until the deadline.
  let isSearching: Bool
  private let takeNext: @Loop (inout JoinCandidates) -> SocketAddress?
  private let code: InvitationCode
  private let filter: InstanceFilter
  private let deviceKey: PrivateKey?
  private let member: Credentials?
  private let certificate: String?
  private let deviceName: String
  /// The port on which this machine listens.
  private let ownPort: UInt16
  /// This machine's own address, if it is asked, too. The reason why that did not help is not reported.
  private var ourselves: SocketAddress?
  private var completion: (@Loop (Result<Admitted, Reason>) -> Void)?
  private var candidates = JoinCandidates()
  /// The calls in progress, the oldest first.
  private var calls: [JoinCall] = []
  /// The machine that has proved to know the code, and what it is to certify.
  private var inviter: (call: JoinCall, key: PrivateKey, nonce: [UInt8])?
  /// When the next candidate may be asked.
  private var nextCall = Loop.now
  private var turn: Timer?
  private var deadline: Timer?
  /// Why the machines that were asked did not help: the most informative of their reasons.
  private var reason = Reason.inviterNotFound

  /// - Parameters:
  ///   - deviceKey: This machine's key in the team, or in the team to be replaced, if the user is already in it; nil
  ///     for a new key. Even a machine that made the code up sees the key's public half.
  ///   - member: This machine's credentials if it is in the team with another key. Only those who know the team's
  ///     discovery key can tell that it is.
  ///   - certificate: This machine's certificate in the team to be replaced, in PEM.
  ///   - addresses: The addresses of the machine to ask; nil if machines must be found, see ``add(_:)``.
  ///   - ownPort: The port on which this machine listens.
  ///   - takeNext: Takes the next candidate; nil if none may be dialled now.
  ///   - completion: Called once, never before this returns.
  init(
    _ code: InvitationCode,
    deviceName: String,
    deviceKey: PrivateKey?,
    member: Credentials?,
    certificate: String? = nil,
    addresses: [SocketAddress]?,
    ownPort: UInt16,
    takeNext: @escaping @Loop (inout JoinCandidates) -> SocketAddress?,
    completion: @escaping @Loop (Result<Admitted, Reason>) -> Void
  ) {
    self.code = code
    self.deviceName = deviceName
    self.deviceKey = deviceKey
    self.certificate = certificate
    self.ownPort = ownPort
    self.takeNext = takeNext
    self.member = member
    self.completion = completion
    filter = InstanceFilter(keys: [], inviterKeys: [code.inviterKey])
    isSearching = addresses == nil
    deadline = Timer { [weak self] in
      guard let self else { return }
      self.finish(.failure(self.reason))
    }
    deadline?.set(Loop.now + Self.joinTime)
    turn = Timer { [weak self] in self?.askNext() }
    if let addresses {
      // A name that nobody knows has no addresses.
      if addresses.isEmpty { reason = .peerUnreachable }
      candidates.name(addresses)
      askNext()
    }
  }

  /// `K_inviter` of the code's team.
  var inviterKey: [UInt8] { code.inviterKey }

  /// Whether an instance may be a machine that issued the code.
  func wants(_ instance: String) -> Bool { isSearching && filter.accepts(instance) }

  /// Adds a machine that was found and could have issued the code.
  func add(_ addresses: [SocketAddress]) {
    guard isSearching, inviter == nil else { return }
    candidates.find(addresses)
    askNext()
  }

  /// Adds this machine itself, which could have issued the code.
  func addOurselves(_ address: SocketAddress) {
    ourselves = address
    candidates.name([address])
    askNext()
  }

  func cancel() { finish(.failure(.shuttingDown)) }

  // MARK: Asking

  /// Asks the next candidate, or waits until it may be asked.
  private func askNext() {
    guard completion != nil, inviter == nil else { return }
    guard !candidates.isEmpty else {
      if calls.isEmpty, !isSearching { finish(.failure(reason)) }
      return
    }
    // A machine that has been silent for a long time gives its place to one that waits.
    let silent = calls.count < Self.joinCalls ? nil : calls.first
    let time = max(nextCall, silent.map { $0.begin + Self.joinSilence } ?? nextCall)
    guard time <= Loop.now, let address = takeNext(&candidates) else {
      turn?.set(time > Loop.now ? time : Loop.now + Limits.dialStep)
      return
    }
    nextCall = Loop.now + Limits.dialStep
    ask(address)
    if let silent {
      silent.cancel()
      ended(silent, .handshakeTimedOut)
    } else {
      askNext()
    }
  }

  private func ask(_ address: SocketAddress) {
    guard let tls = try? TLSEngine(.joining(code: code)) else { return finish(.failure(.internalFailure)) }
    calls.append(JoinCall(address, tls, ownPort: ownPort) { [weak self] call, event in self?.handle(event, of: call) })
  }

  private func handle(_ event: JoinCall.Event, of call: JoinCall) {
    switch event {
    case .proved: proved(call)
    case .frame(let frame): receive(frame)
    case .ended(let reason):
      // The next one need not wait any longer.
      nextCall = Loop.now
      ended(call, reason)
    }
  }

  /// Called when the machine that was asked does not help.
  private func ended(_ call: JoinCall, _ reason: Reason) {
    // The code may be used up now, so nobody else is asked.
    guard call !== inviter?.call else { return finish(.failure(reason)) }
    calls.removeAll { $0 === call }
    if call.hungUp { candidates.askAgain(call.address) }
    // This user must not learn whether this machine is in the code's team for another user.
    let reason = call.isWithinHost && reason == .invitationUnknown ? .invitationForeign : reason
    if call.address != ourselves, Self.weight(reason) >= Self.weight(self.reason) { self.reason = reason }
    askNext()
  }

  /// Which reason is told, of those that several machines have given. None has proved anything, and a stranger can give
  /// each.
  private static func weight(_ reason: Reason) -> Int {
    switch reason {
    case .inviterNotFound: 0
    case .peerUnreachable, .handshakeTimedOut: 1
    case .invitationForeign: 3
    case .invitationUnknown: 4
    // Others of our version that do not know the code's team say `invitationForeign`.
    case .versionMismatch: 5
    default: 2
    }
  }

  // MARK: Joining

  private func proved(_ call: JoinCall) {
    guard let key = try? deviceKey ?? PrivateKey.make(),
      let request = try? CertificateRequest.make(for: key).pem(), let requested = try? key.deviceID
    else { return finish(.failure(.internalFailure)) }
    let nonce = member?.joinNonce(for: requested) ?? SystemRandom.bytes(Join.nonceLength)
    inviter = (call, key, nonce)
    reason = .peerTimedOut
    for other in calls where other !== call { other.cancel() }
    calls = [call]
    call.send(Join(request: request, device: deviceName, nonce: nonce, certificate: certificate))
  }

  private func receive(_ frame: FrameDecoder.Frame) {
    guard let inviter else { return }
    if frame.type == Joined.frameType, let json = try? JSON(parsing: frame.payload, depth: Limits.messageDepth),
      let joined = Joined(json: json)
    {
      finish(.success(Admitted(joined: joined, key: inviter.key, nonce: inviter.nonce, address: inviter.call.address)))
    } else if frame.type == Refused.type, let refused = try? Refused(payload: frame.payload) {
      finish(.failure(refused.reason))
    } else {
      finish(.failure(.protocolViolation))
    }
  }

  private func finish(_ result: Result<Admitted, Reason>) {
    guard let completion else { return }
    self.completion = nil
    deadline = nil
    turn = nil
    for call in calls { call.cancel() }
    calls = []
    // Later, never within a call that the owner makes to this object.
    Task { @Loop in completion(result) }
  }
}
