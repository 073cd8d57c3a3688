import Activity
import EventLoop
import JSON
import PeerProtocol
import TLS
import Team

/// One attempt to join a team with a code: every machine that could have given it out is asked, one after the other.
@Loop
final class Joining {
  /// What came of it.
  struct Admitted {
    let joined: Joined
    /// The one that was certified.
    let key: PrivateKey
    /// What the certificate must show.
    let nonce: [UInt8]?
    /// Where the machine that admitted was reached.
    let address: SocketAddress?
  }

  /// How long machines are looked for and asked in all.
  private static let time = Duration.seconds(10)

  private let code: InvitationCode
  private let deviceKey: PrivateKey?
  private let nonce: [UInt8]?
  private let certificate: String?
  private let deviceName: String
  private var completion: (@Loop (Result<Admitted, Reason>) -> Void)?
  private var candidates: [(addresses: [SocketAddress], isThisMachine: Bool)] = []
  /// Of the machine that is being asked.
  private var isAskingThisMachine = false
  /// It is this one, under an address that was named or found.
  private var isReachingOurselves = false
  /// Where this machine listens.
  private let ownPort: UInt16
  /// More candidates may come until the deadline.
  private let isSearching: Bool
  private var dialer: Dialer?
  private var connection: TLSConnection?
  private var deadline: Timer?
  /// Why the machines that were asked did not help: the most telling of their reasons.
  private var reason = Reason.inviterNotFound

  /// - Parameters:
  ///   - deviceKey: This machine's, where it is in the team already, for another user, or in the one that is to be replaced;
  ///     nil for a new one.
  ///   - certificate: What it has in the team that is to be replaced, in PEM.
  ///   - addresses: Of the machine to ask; nil where machines are to be found, see ``add(_:)``.
  ///   - ownPort: Where this machine listens.
  ///   - completion: Called once, never before this returns.
  init(
    _ code: InvitationCode,
    deviceName: String,
    deviceKey: PrivateKey?,
    certificate: String? = nil,
    addresses: [SocketAddress]?,
    ownPort: UInt16,
    completion: @escaping @Loop (Result<Admitted, Reason>) -> Void
  ) {
    self.code = code
    self.deviceName = deviceName
    self.deviceKey = deviceKey
    self.certificate = certificate
    self.ownPort = ownPort
    nonce = deviceKey == nil ? nil : SystemRandom.bytes(Join.nonceLength)
    self.completion = completion
    isSearching = addresses == nil
    deadline = Timer { [weak self] in
      guard let self else { return }
      self.finish(.failure(self.reason))
    }
    deadline?.set(Loop.now + Self.time)
    if let addresses { add(addresses) }
  }

  /// Another machine that could have given out the code.
  ///
  /// - Parameter isThisMachine: Why it did not help is not told.
  func add(_ addresses: [SocketAddress], isThisMachine: Bool = false) {
    candidates.append((addresses, isThisMachine))
    askNext()
  }

  func cancel() { finish(.failure(.shuttingDown)) }

  private func askNext() {
    guard completion != nil, dialer == nil, connection == nil else { return }
    guard !candidates.isEmpty else {
      if !isSearching { finish(.failure(reason)) }
      return
    }
    let candidate = candidates.removeFirst()
    isAskingThisMachine = candidate.isThisMachine
    dialer = Dialer(candidate.addresses) { [weak self] descriptor, address in
      guard let self else { return }
      self.dialer = nil
      guard let descriptor else { return self.failed(.peerUnreachable) }
      self.ask(descriptor, address)
    }
  }

  private func ask(_ descriptor: Int32, _ address: SocketAddress?) {
    isReachingOurselves = Sockets.isWithinHost(descriptor, port: ownPort)
    let session: (TLSSession, PrivateKey)
    do {
      session = (try TLSSession(.joining(code: code)), try deviceKey ?? PrivateKey.make())
    } catch {
      Sockets.close(descriptor)
      return finish(.failure(.internalFailure))
    }
    let (tls, key) = session
    let connection = TLSConnection(owning: descriptor, address: address, tls: tls)
    self.connection = connection
    connection.onEnd = { [weak self] reason in
      self?.connection = nil
      self?.failed(reason)
    }
    connection.onEstablished = { [weak self, unowned connection] in
      guard let self, let request = try? CertificateRequest.make(for: key).pem() else { return }
      let join = Join(
        request: request,
        device: self.deviceName,
        nonce: self.nonce,
        certificate: self.certificate
      )
      connection.send(json: join.json, type: Join.frameType)
    }
    connection.onFrame = { [weak self] frame in self?.receive(frame, key) }
    connection.start()
  }

  private func receive(_ frame: FrameDecoder.Frame, _ key: PrivateKey) {
    let address = connection?.address
    connection?.finish()
    connection = nil
    if frame.type == Joined.frameType, let json = try? JSON(parsing: frame.payload, depth: Limits.messageDepth),
      let joined = Joined(json: json)
    {
      finish(.success(Admitted(joined: joined, key: key, nonce: nonce, address: address)))
    } else if frame.type == Refused.type, let refused = try? Refused(payload: frame.payload) {
      // Whoever says so knows the code: nobody else needs to be asked.
      finish(.failure(refused.reason))
    } else {
      failed(.protocolViolation)
    }
  }

  /// The machine that was asked does not help.
  private func failed(_ reason: Reason) {
    // Whether this machine is of the code's team, for another user, is not this user's business.
    let reason = isReachingOurselves && reason == .invitationUnknown ? .invitationForeign : reason
    if !isAskingThisMachine, Self.weight(reason) >= Self.weight(self.reason) { self.reason = reason }
    askNext()
  }

  private static func weight(_ reason: Reason) -> Int {
    switch reason {
    case .inviterNotFound: 0
    case .peerUnreachable, .handshakeTimedOut: 1
    case .invitationForeign: 3
    case .invitationUnknown: 4
    default: 2
    }
  }

  private func finish(_ result: Result<Admitted, Reason>) {
    guard let completion else { return }
    self.completion = nil
    deadline = nil
    dialer?.cancel()
    dialer = nil
    connection?.finish()
    connection = nil
    // Never from within a call that the owner makes here.
    Task { @Loop in completion(result) }
  }
}
