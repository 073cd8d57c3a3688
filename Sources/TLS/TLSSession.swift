import Activity
import COpenSSL

/// One TLS 1.3 connection without its socket: ciphertext in and out, plaintext in and out. To be used on one thread or
/// queue.
///
/// What comes from the network goes to ``receive(_:)``; after that ``read(into:)`` is called until it gives 0, and what
/// is pending is sent, also where one of them throws: the alert that tells the other side is there. Once a method has
/// thrown, all throw the same.
package final class TLSSession {
  /// `SSL`, owned.
  private let ssl: OpaquePointer
  private let transport = Transport()
  private let handshake: Handshake
  private var failure: TLSError?

  /// Both sides have proved what they are to this side, and it may write. A server may still refuse a client that
  /// believes itself established: Protocol.md section 3.
  package private(set) var isEstablished = false
  /// The device of the other side; nil before ``isEstablished`` and in a session for joining.
  package private(set) var peer: DeviceID?
  /// What the peer has shown; nil as ``peer``.
  package private(set) var peerCertificate: Certificate?
  /// The other side has sent all it wanted to (`close_notify`). An end of the connection without it is a truncation.
  package private(set) var isEnded = false

  /// A client's first message is in ``pendingOutput`` at once.
  ///
  /// - Parameters:
  ///   - expecting: As a client, the one device of the team to talk to (`peerNotFound` where it is another); nil for
  ///     any.
  ///   - isReturning: As a client, asks for the team by a name made with `K_return`: the other side has another
  ///     discovery key.
  ///   - clockOffset: As a client, how far the other side's clock is ahead of this machine's, in seconds.
  ///   - toleratesClocks: As a server, also takes a client whose clock is wrong: a device of a team was met where it is.
  ///   - isOwn: As a server, also takes what this machine said as a client: it comes from this machine.
  package init(
    _ context: TLSContext,
    expecting: DeviceID? = nil,
    isReturning: Bool = false,
    clockOffset: Int64 = 0,
    toleratesClocks: Bool = false,
    isOwn: Bool = false
  ) throws(TLSError) {
    handshake = Handshake(
      context: context,
      expecting: expecting,
      isReturning: isReturning,
      clockOffset: clockOffset,
      toleratesClocks: toleratesClocks,
      isOwn: isOwn
    )
    ssl = try context.makeSSL()
    // From here on `deinit` frees the SSL, and with it the BIO.
    let bio = try transport.makeBIO()
    SSL_set_bio(ssl, bio, bio)
    SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(handshake).toOpaque())
    try handshake.start(ssl)
    try shakeHands()
  }

  deinit { SSL_free(ssl) }

  /// What the session is for; a server knows it when it is established.
  package var application: ApplicationProtocol { handshake.application }

  /// The team of both sides; of the invitation in a session that a server has for joining. Nil for the joining side,
  /// and for a server before it is established.
  package var team: TeamID? { isEstablished || !handshake.isServer ? handshake.team : nil }

  /// The identity of the invitation by which the other side proved that it may join; nil for anyone but such a server.
  package var invitation: [UInt8]? { isEstablished ? handshake.invitation : nil }

  // MARK: Ciphertext

  /// Takes what came from the other side, and goes on with the handshake until it is finished.
  ///
  /// - Throws: The reason for which either side ended the handshake.
  package func receive(_ ciphertext: UnsafeRawBufferPointer) throws(TLSError) {
    transport.input.append(ciphertext)
    try shakeHands()
  }

  /// The same without a copy: `body` writes to the space of `length` bytes that it is given, and returns how many. It
  /// must not use the session.
  ///
  /// - Returns: What `body` returned, where that was possible.
  @discardableResult
  package func receive(
    upTo length: Int,
    from body: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(TLSError) -> Int {
    let count = transport.input.append(upTo: length, from: body)
    try shakeHands()
    return count
  }

  /// Bytes of ciphertext that wait to be sent.
  package var pendingOutput: Int { transport.output.count }

  /// Gives `body` the ciphertext that waits to be sent; it returns how many bytes of it were. It must not use the
  /// session.
  ///
  /// - Returns: What `body` returned, where that was possible.
  @discardableResult
  package func withOutput(_ body: (UnsafeRawBufferPointer) -> Int) -> Int { transport.output.take(body) }

  // MARK: Plaintext

  /// Writes what the other side has written, as much as is here and fits.
  ///
  /// - Returns: Bytes; 0 where there is nothing now.
  /// - Throws: What ended the session, after all that came before it was read. `SSL_read_ex`.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSError) -> Int {
    try check()
    guard isEstablished else { return 0 }
    var total = 0
    while total < buffer.count, !isEnded, let start = buffer.baseAddress {
      var count = 0
      ERR_clear_error()
      let result = SSL_read_ex(ssl, start + total, buffer.count - total, &count)
      guard result == 1 else {
        note(result)
        break
      }
      total += count
    }
    if total == 0 { try check() }
    return total
  }

  /// Encrypts all of `plaintext` into ``pendingOutput``.
  ///
  /// - Throws: What ended the session; `internalFailure` before it is established. `SSL_write_ex`.
  package func write(_ plaintext: UnsafeRawBufferPointer) throws(TLSError) {
    try check()
    guard isEstablished else { throw TLSError(.internalFailure, "Written before the handshake is finished") }
    let records = plaintext.count / Self.recordLength + 1
    transport.output.reserve(plaintext.count + records * Self.recordOverhead)
    var rest = plaintext[...]
    while !rest.isEmpty {
      var count = 0
      ERR_clear_error()
      let result = SSL_write_ex(ssl, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, &count)
      guard result == 1 else {
        note(result)
        throw failure ?? TLSError(.internalFailure, "OpenSSL did not write")
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Tells the other side that nothing follows (`SSL_shutdown`). It may still be read from.
  package func close() {
    guard isEstablished, failure == nil else { return }
    ERR_clear_error()
    _ = SSL_shutdown(ssl)
    ERR_clear_error()
  }

  // MARK: -

  /// Bytes of plaintext in a full record, and the most that one adds to them.
  private static let recordLength = 16 * 1024
  private static let recordOverhead = 32

  private func check() throws(TLSError) { if let failure { throw failure } }

  private func shakeHands() throws(TLSError) {
    try check()
    guard !isEstablished else { return }
    ERR_clear_error()
    let result = SSL_do_handshake(ssl)
    guard result == 1 else {
      note(result)
      if isEnded { failure = TLSError(.notTLS, "Closed during the handshake") }
      return try check()
    }
    do {
      let certificate = try handshake.conclude(ssl)
      peer = try certificate?.deviceID
      peerCertificate = certificate
    } catch {
      _ = SSL_shutdown(ssl)
      ERR_clear_error()
      failure = error
      throw error
    }
    isEstablished = true
  }

  /// Keeps what a call that did not succeed means.
  private func note(_ result: Int32) {
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: break
    case SSL_ERROR_ZERO_RETURN: isEnded = true
    default:
      let error = TLSError.ofSession(application: application, established: isEstablished)
      failure = handshake.objection ?? error
    }
    ERR_clear_error()
  }
}
