// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// One TLS 1.3 connection without its socket: ciphertext in and out, plaintext in and out. Use it on one thread or
/// queue. OpenSSL makes the handshake; after that, ``RecordLayer`` makes and reads the records.
///
/// Pass what arrives from the network to ``receive(_:)``. Then call ``read(into:)`` until it returns 0, and send the
/// pending output. Do this even if one of them throws, because the output includes the alert for the other side. Once a
/// method has thrown, all methods throw the same error.
package final class TLSEngine {
  /// `SSL`, owned. Nil after the handshake.
  private var ssl: OpaquePointer?
  private var records: RecordLayer?
  /// What a record contained beyond what its reader had room for.
  private var rest: ArraySlice<UInt8> = []
  private let transport = Transport()
  private let handshake: Handshake
  private var failure: TLSError?

  /// Whether both sides have proved to this side who they are, so that it may write. A server may still refuse a client
  /// that considers itself established (Protocol.md section 3).
  package private(set) var isEstablished = false
  /// The device of the other side; nil before ``isEstablished`` and in a session for joining.
  package private(set) var peer: DeviceID?
  /// The peer's certificate; nil when ``peer`` is nil.
  package private(set) var peerCertificate: Certificate?
  /// Whether the other side has sent all it wanted to (`close_notify`). If the connection ends without this, it was
  /// truncated.
  package private(set) var isEnded = false

  /// Whether the session has failed for a reason that the other side gives, and has not proved to this side who it is.
  package var isOnlySaid: Bool { failure?.isOnlySaid == true }

  /// Begins the handshake. A client's first message is in ``pendingOutput`` immediately.
  ///
  /// - Parameters:
  ///   - expecting: For a client, the one device of the team to talk to (`peerNotFound` if it is another); nil for any.
  ///   - isReturning: For a client, whether to ask for the team with a name made with `K_return`, because the other
  ///     side has another discovery key.
  ///   - clockOffset: For a client, how far the other side's clock is ahead of this machine's, in seconds.
  ///   - toleratesClocks: For a server, whether to accept a client whose clock is wrong, because a device of a team was
  ///     met at its address.
  ///   - isOwn: For a server, whether to accept names that this machine sent as a client, because the client is this
  ///     machine.
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
    let ssl = try context.makeSSL()
    self.ssl = ssl
    // From here on, `deinit` frees the SSL, and with it the BIO.
    let bio = try transport.makeBIO()
    SSL_set_bio(ssl, bio, bio)
    SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(handshake).toOpaque())
    try handshake.start(ssl)
    try shakeHands()
  }

  deinit { SSL_free(ssl) }

  /// What the session is for. A server knows it when the session is established.
  package var application: ApplicationProtocol { handshake.application }

  /// The team of both sides. For a server's session for joining, it is the team of the invitation. It is nil for the
  /// joining side, and for a server before the session is established.
  package var team: TeamID? { isEstablished || !handshake.isServer ? handshake.team : nil }

  /// The identity of the invitation with which the other side proved that it may join; nil except for such a server.
  package var invitation: [UInt8]? { isEstablished ? handshake.invitation : nil }

  // MARK: Ciphertext

  /// Takes what has arrived from the other side, and continues the handshake until it is finished.
  ///
  /// - Throws: The reason for which either side ended the handshake.
  package func receive(_ ciphertext: UnsafeRawBufferPointer) throws(TLSError) {
    transport.input.append(ciphertext)
    try shakeHands()
  }

  /// Does the same without a copy. `body` writes into a space of `length` bytes, and returns how many it wrote. It must
  /// not use the session.
  ///
  /// - Returns: What `body` returned, if that was possible.
  @discardableResult
  package func receive(
    upTo length: Int,
    from body: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(TLSError) -> Int {
    let count = transport.input.append(upTo: length, from: body)
    try shakeHands()
    return count
  }

  /// The number of ciphertext bytes that wait to be sent.
  package var pendingOutput: Int { transport.output.count }

  /// Gives `body` the ciphertext that waits to be sent. `body` returns how many bytes of it were sent, and must not use
  /// the session.
  ///
  /// - Returns: What `body` returned, if that was possible.
  @discardableResult
  package func withOutput(_ body: (UnsafeRawBufferPointer) -> Int) -> Int { transport.output.take(body) }

  /// Frees memory that is needed only while much is sent or arrives.
  package func trim() {
    transport.input.trim()
    transport.output.trim()
  }

  // MARK: Plaintext

  /// Writes what the other side has sent into `buffer`, as much as is available and fits. A buffer should have room for
  /// a record, 16 KiB: otherwise, its content is copied.
  ///
  /// - Returns: The number of bytes; 0 if there are none now.
  /// - Throws: What ended the session, after everything before that was read.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSError) -> Int {
    try check()
    var total = takeRest(into: buffer)
    while total < buffer.count, !isEnded, failure == nil, let records {
      let space = UnsafeMutableRawBufferPointer(rebasing: buffer[total...])
      switch records.read(from: &transport.input, into: space, &transport.output) {
      case .data(let count): total += count
      case .full where total == 0:
        readRecord(records)
        total = takeRest(into: buffer)
      case .incomplete, .full: return total
      case .ended: isEnded = true
      case .failed(let error): failure = error
      }
    }
    if total == 0 { try check() }
    return total
  }

  private func takeRest(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard !rest.isEmpty else { return 0 }
    let count = min(rest.count, buffer.count)
    rest.prefix(count).withUnsafeBytes { buffer.copyMemory(from: $0) }
    // An empty slice would keep the memory of a record.
    rest = count < rest.count ? rest.dropFirst(count) : []
    return count
  }

  /// Reads a record for which its reader has no room.
  private func readRecord(_ records: RecordLayer) {
    var memory = [UInt8](repeating: 0, count: RecordLayer.bodyLength)
    let reading = memory.withUnsafeMutableBytes { records.read(from: &transport.input, into: $0, &transport.output) }
    switch reading {
    case .data(let count): rest = memory.prefix(count)
    case .incomplete, .full: break
    case .ended: isEnded = true
    case .failed(let error): failure = error
    }
  }

  /// Encrypts all of `plaintext` into ``pendingOutput``.
  ///
  /// - Throws: What ended the session; `internalFailure` before the session is established, and after ``close()``.
  package func write(_ plaintext: UnsafeRawBufferPointer) throws(TLSError) {
    try check()
    guard let records else { throw TLSError(.internalFailure, "Data was written before the handshake finished") }
    guard !records.isFinished else { throw TLSError(.internalFailure, "Data was written after the end") }
    do throws(TLSError) { try records.write(plaintext, to: &transport.output) } catch {
      failure = error
      throw error
    }
  }

  /// Tells the other side that nothing follows. You can still read from the session.
  package func close() {
    guard let records, failure == nil else { return }
    do throws(TLSError) { try records.finish(&transport.output) } catch { failure = error }
  }

  // MARK: -

  private func check() throws(TLSError) { if let failure { throw failure } }

  private func shakeHands() throws(TLSError) {
    try check()
    guard let ssl else { return }
    guard note(OpenSSL.call(ssl, SSL_do_handshake)) else {
      if isEnded { failure = TLSError(.notTLS, "The connection was closed during the handshake") }
      return try check()
    }
    do {
      let certificate = try handshake.conclude(ssl)
      peer = try certificate?.deviceID
      peerCertificate = certificate
      records = try handshake.makeRecords(ssl)
    } catch {
      OpenSSL.shutDown(ssl)
      failure = error
      throw error
    }
    isEstablished = true
    SSL_free(ssl)
    self.ssl = nil
  }

  /// Records what the end of a call means.
  ///
  /// - Returns: Whether it is done.
  private func note(_ outcome: SSLOutcome) -> Bool {
    switch outcome {
    case .done, .waits: break
    case .ended: isEnded = true
    case .failed:
      let error = TLSError.ofSession(application: application, established: isEstablished, isServer: handshake.isServer)
      failure = handshake.objection ?? error
      ERR_clear_error()
    }
    return outcome == .done
  }
}
