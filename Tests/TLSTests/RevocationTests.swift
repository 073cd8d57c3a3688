// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL
import Testing

@testable import TLS

/// Lists of removed devices, and handshakes with such devices.
@Suite struct RevocationTests {
  private let team: TestTeam
  private let device: Credentials
  private let lost: Credentials
  private let key = SystemRandom.bytes(32)

  init() throws {
    team = try TestTeam()
    device = try team.device()
    lost = try team.device()
  }

  private func entry(_ credentials: Credentials) throws -> RevocationList.Entry {
    .init(device: credentials.device, serial: try credentials.certificate.serial, date: now)
  }

  private func sign(
    _ entries: [RevocationList.Entry],
    number: UInt64,
    at time: Int64 = now
  ) throws -> RevocationList {
    try team.authority.sign(entries, number: number, discoveryKey: key, now: time)
  }

  private func list(_ removed: Credentials..., number: UInt64 = 1, at time: Int64 = now) throws -> RevocationList {
    try sign(removed.map { try entry($0) }, number: number, at: time)
  }

  private func lists(_ list: RevocationList) -> RevocationLists { RevocationLists(list, discoveryKey: key) }

  /// Returns the device's credentials after it has received the list.
  private func holding(_ list: RevocationList, _ device: Credentials) throws -> Credentials {
    try Credentials(
      key: device.key,
      certificate: device.certificate,
      authority: device.authority,
      discoveryKey: device.discoveryKey,
      revocations: lists(list)
    )
  }

  // MARK: Handshakes

  @Test(arguments: [false, true])
  func removedDevicesAreRefused(asServers: Bool) throws {
    let holder = try holding(list(lost), device)
    let peer = try ForeignPeer(ForeignPeer.Behaviour().showing(lost), isServer: asServers)
    let session = try TLSEngine(asServers ? .client(credentials: holder) : .server(credentials: [holder]))
    let error = peer.converse(with: session)
    #expect(error?.reason == .certificateRevoked, "\(String(describing: error))")
    #expect(!session.isEstablished && session.peer == nil)
    #expect(throws: TLSError.self) { try session.readAll() }
    #expect(peer.read().isEmpty && peer.error?.contains("certificate revoked") == true, "\(peer.error ?? "-")")
  }

  /// A member that learns of the list tells its user the reason.
  @Test func removedDevicesLearnWhy() throws {
    let holder = try holding(list(lost), device)
    var pair = try SessionPair(client: lost, servers: [holder])
    #expect(pair.serverError?.reason == .certificateRevoked && pair.serverError?.isOnlySaid == false)
    pair.exchange()
    let told = #expect(throws: TLSError.self) { try pair.client.readAll() }
    #expect(told?.reason == .certificateRevoked && told?.isOnlySaid == false)
    let reversed = try SessionPair(client: holder, servers: [lost])
    #expect(reversed.clientError?.reason == .certificateRevoked && !reversed.server.isEstablished)
    // Whoever knows a name of the server can say that, before it shows a certificate.
    #expect(reversed.serverError?.reason == .certificateRevoked && reversed.serverError?.isOnlySaid == true)
  }

  @Test func theOthersAreTaken() throws {
    let list = try list(lost)
    let other = try team.device()
    for (client, server) in [(device, other), (other, device)] {
      let pair = try SessionPair(client: holding(list, client), servers: [holding(list, server)])
      #expect(pair.client.isEstablished && pair.server.peer == client.device)
    }
  }

  /// The list names the device by its key, so certificates from before or after the removal do not help it.
  @Test func noOtherCertificateOfTheDeviceIsTaken() throws {
    let again = try team.authority.sign(CertificateRequest.make(for: lost.key), now: now)
    #expect(try again.serial != lost.certificate.serial)
    #expect(throws: TLSError(.certificateRevoked, "The device was removed from the team")) {
      try again.verify(under: team.authority.certificate, revocations: lists(list(lost)), now: now)
    }
    try again.verify(under: team.authority.certificate, revocations: lists(list(device)), now: now)
  }

  /// The authority is away for longer than its lists were meant to last. Nobody is locked out, and removed devices stay
  /// out.
  @Test func aListThatIsLongOverdueIsGood() throws {
    let old = try list(lost, at: now - 30 * 365 * 86400)
    let holder = try holding(old, device)
    let pair = try SessionPair(client: team.device(), servers: [holder])
    #expect(pair.server.isEstablished)
    #expect(try SessionPair(client: lost, servers: [holder]).serverError?.reason == .certificateRevoked)
  }

  // MARK: Discovery keys

  @Test func aListNamesTheKeyThatGoesWithIt() throws {
    let list = try list(lost)
    #expect(list.isWith(discoveryKey: key))
    #expect(!list.isWith(discoveryKey: team.discoveryKey) && !list.isWith(discoveryKey: []))
  }

  /// A device that was away knows an old key. The others use that key to reach it, and to answer it.
  @Test func keysOfBeforeOpenADoorToThoseWhoWereAway() throws {
    let away = try team.device()
    let renewed = try Credentials(
      key: device.key,
      certificate: device.certificate,
      authority: device.authority,
      discoveryKey: key,
      previousKeys: [SystemRandom.bytes(32), team.discoveryKey],
      revocations: lists(list(lost))
    )
    #expect(try SessionPair(client: away, servers: [renewed]).server.peer == away.device)
    #expect(try SessionPair(client: renewed, servers: [away]).clientError?.reason == .otherTeam)
    let reaching = try renewed.using(discoveryKey: team.discoveryKey)
    #expect(try SessionPair(client: reaching, servers: [away]).server.peer == device.device)
    // A device that knows the key but is on the list only gets the reason.
    #expect(try SessionPair(client: lost, servers: [renewed]).serverError?.reason == .certificateRevoked)
    #expect(try SessionPair(client: reaching, servers: [lost]).clientError?.reason == .certificateRevoked)
  }

  /// Each has keys that the other does not know, but both know which team they are in.
  @Test func aNameThatNeverChangesOpensADoorToo() throws {
    let away = try team.device()
    let renewed = try Credentials(
      key: device.key,
      certificate: device.certificate,
      authority: device.authority,
      discoveryKey: key,
      revocations: lists(list(lost))
    )
    for (client, server) in [(away, renewed), (renewed, away)] {
      #expect(try SessionPair(client: client, servers: [server]).clientError?.reason == .otherTeam)
      let pair = try SessionPair(client: client, servers: [server], isReturning: true)
      #expect(pair.client.peer == server.device && pair.server.peer == client.device)
      #expect(try pair.server.peerCertificate?.serial == client.certificate.serial)
    }
    // That name alone admits nobody.
    #expect(
      try SessionPair(client: lost, servers: [renewed], isReturning: true).serverError?.reason == .certificateRevoked
    )
    let stranger = try TestTeam().device()
    #expect(try SessionPair(client: stranger, servers: [renewed], isReturning: true).clientError?.reason == .otherTeam)
  }

  // MARK: Lists

  @Test func aListSaysWhatWasSigned() throws {
    let list = try list(lost, device, number: .max)
    #expect(try list.number == .max && list.entries == [entry(lost), entry(device)])
    #expect(try RevocationList(der: list.der, authority: team.authority.certificate) == list)
    #expect(try list.names(lost.device) && !list.names(team.device().device))
    let empty = try sign([], number: 1)
    #expect(empty.entries.isEmpty && !empty.names(lost.device))
  }

  /// OpenSSL, which knows nothing of our code, refuses the same certificates.
  @Test func otherProgramsReadTheList() throws {
    let list = try list(lost)
    for (credentials, error) in [(lost, X509_V_ERR_CERT_REVOKED), (device, X509_V_OK)] {
      let (store, context) = (X509_STORE_new(), X509_STORE_CTX_new())
      defer {
        X509_STORE_CTX_free(context)
        X509_STORE_free(store)
      }
      let crl = list.der.withUnsafeBufferPointer { bytes in
        var position = bytes.baseAddress
        return d2i_X509_CRL(nil, &position, bytes.count)
      }
      defer { X509_CRL_free(crl) }
      X509_STORE_add_cert(store, team.authority.certificate.pointer)
      #expect(X509_STORE_add_crl(store, crl) == 1)
      X509_STORE_set_flags(store, UInt(X509_V_FLAG_CRL_CHECK | X509_V_FLAG_X509_STRICT))
      X509_STORE_CTX_init(context, store, credentials.certificate.pointer, nil)
      _ = X509_verify_cert(context)
      #expect(X509_STORE_CTX_get_error(context) == error)
    }
  }

  @Test func whatTheAuthorityHasNotSignedIsNoList() throws {
    let authority = team.authority.certificate
    let der = try list(lost).der
    var forged = [
      [], [0x30], Array(der.dropLast()), der + [0], try device.certificate.der(),
      // The names are the same, but the key is another.
      try TestTeam().authority.sign([entry(lost)], number: 2, discoveryKey: key, now: now).der,
    ]
    for index in stride(from: 0, to: der.count, by: 7) {
      var changed = der
      changed[index] ^= 1
      forged.append(changed)
    }
    for der in forged {
      let error = #expect(throws: TLSError.self) { try RevocationList(der: der, authority: authority) }
      #expect(error?.reason == .certificateInvalid)
    }
    #expect(throws: TLSError.self) { try sign([], number: 0) }
  }

  @Test func theLongestListFits() throws {
    func entries(_ count: Int) -> [RevocationList.Entry] {
      (0..<count).compactMap { _ in
        DeviceID(bytes: SystemRandom.bytes(32)).map {
          .init(device: $0, serial: [0xFF] + SystemRandom.bytes(15), date: now)
        }
      }
    }
    let longest = try sign(entries(Limits.revokedDevices), number: .max)
    #expect(longest.entries.count == Limits.revokedDevices)
    #expect(throws: TLSError(.certificateInvalid, "The list is too long")) {
      try sign(entries(Limits.revokedDevices + 10), number: .max)
    }
  }
}
