// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import JSONCoding
import TLS

/// The files of one team.
struct TeamDirectory {
  let path: String
  let secrets: SecretFiles

  var authorityKey: String { "\(path)/ca.key" }
  var invitations: String { "\(path)/invitations" }
  private var authority: String { "\(path)/ca.pem" }
  private var key: String { Self.key(in: path) }
  private var certificate: String { "\(path)/device.pem" }
  private var discoveryKey: String { "\(path)/discovery.key" }
  private var description: String { "\(path)/team.json" }
  private var revocations: String { "\(path)/revocations.json" }
  private var rendezvous: String { "\(path)/rendezvous.json" }
  private var devices: String { "\(path)/devices.json" }
  /// The most bytes of `devices.json`: four times what `Limits.admittedDevices` take with names that need no escapes.
  private static let devicesLength = 256 * 1024

  /// Returns the path of a file that every team's directory has.
  static func key(in path: String) -> String { "\(path)/device.key" }

  /// Creates this directory, with all files of a team.
  ///
  /// - Parameter authorityKey: The team's key, on an administrator's machine.
  func create(
    _ credentials: Credentials,
    description: TeamDescription,
    authorityKey: AuthorityKey? = nil
  ) throws {
    try Files.makeDirectory(path)
    try Files.makeDirectory(invitations)
    try Files.create(authority, holding: credentials.authority.pem().utf8)
    try Files.create(certificate, holding: credentials.certificate.pem().utf8)
    try secrets.create(key, holding: credentials.key.pem().utf8)
    try secrets.create(discoveryKey, holding: credentials.discoveryKey)
    try Files.create(self.description, holding: description.json.bytes)
    if let file = RevocationFile(lists: credentials.revocations, previousKeys: []) {
      try secrets.create(revocations, holding: file.bytes)
    }
    if let authorityKey { try secrets.create(self.authorityKey, holding: authorityKey.text.utf8) }
    try Files.synchronize(path)
  }

  func replace(_ description: TeamDescription) throws(StorageError) {
    try Files.write(description.json.bytes, to: self.description, in: path)
  }

  /// Replaces this machine's certificate.
  func replace(_ certificate: Certificate) throws {
    try Files.write(certificate.pem().utf8, to: self.certificate, in: path)
  }

  /// - Throws: `StorageError`, which names the faulty file.
  func load() throws(StorageError) -> Team {
    let authority = try judging(self.authority) { try Certificate(pem: text(self.authority)) }
    guard authority.isSigned(by: authority) else {
      throw StorageError("read", self.authority, because: "its signature doesn't match its content")
    }
    let revocations = try loadRevocations(authority)
    let key = try judging(self.key) { try PrivateKey(pem: secret(self.key)) }
    let certificate = try judging(self.certificate) { try Certificate(pem: text(self.certificate)) }
    guard certificate.isSigned(by: authority) else {
      throw StorageError("read", self.certificate, because: "it isn't signed with the key of \(self.authority)")
    }
    guard certificate.isFor(key) else {
      throw StorageError("read", self.certificate, because: "it isn't for the key in \(self.key)")
    }
    let discoveryKey =
      if let revocations {
        revocations.newest.discoveryKey
      } else {
        try secrets.read(self.discoveryKey, limit: Limits.enrolmentFileLength)
      }
    guard discoveryKey.count == Sealer.keyLength else {
      throw StorageError("read", self.discoveryKey, because: "it's \(discoveryKey.count) bytes long")
    }
    let credentials = try judging(self.certificate) {
      try Credentials(
        key: key,
        certificate: certificate,
        authority: authority,
        discoveryKey: discoveryKey,
        previousKeys: revocations?.previousKeys ?? [],
        revocations: revocations?.lists ?? RevocationLists()
      )
    }
    guard path.ends(withBytesOf: "/\(Hexadecimal.encode(credentials.team.bytes))") else {
      throw StorageError("read", self.authority, because: "it belongs to a different team than its directory")
    }
    let description = try loadDescription()
    return Team(
      name: description.name,
      owners: description.owners,
      created: description.created,
      credentials: credentials,
      administration: loadAdministration(authority),
      expires: try judging(self.certificate) { try certificate.expires },
      replaces: description.replaces,
      // An administrator's machine makes it again.
      rendezvous: (try? loadRendezvous()) ?? nil
    )
  }

  func loadDescription() throws(StorageError) -> TeamDescription {
    let bytes = try Files.read(description, limit: Limits.enrolmentFileLength)
    guard let json = try? JSON(parsing: bytes, depth: 4), let description = TeamDescription(json: json) else {
      throw StorageError("read", description, code: 0)
    }
    return description
  }

  private func loadAdministration(_ authority: Certificate) -> Team.Administration {
    do {
      guard try Files.isThere(authorityKey) else { return .elsewhere }
      switch try loadAuthorityKey() {
      case .sealed: return .sealed
      case .plain(let key):
        _ = try judging(authorityKey) { try Authority(key: key, certificate: authority) }
        return .here
      }
    } catch {
      return .unusable("\(error)")
    }
  }

  /// Runs `body`, which reads a file's content, and names the file in its errors.
  private func judging<T>(_ path: String, _ body: () throws -> T) throws(StorageError) -> T {
    do {
      return try body()
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError("read", path, because: "\(error)")
    }
  }

  /// Rewrites the secrets that are not sealed as they would be now.
  ///
  /// - Returns: The errors. A secret that cannot be rewritten does not affect the others.
  func renewSecrets() -> [StorageError] {
    let keys = [key, authorityKey, discoveryKey]
    return secrets.renew(keys, limit: Limits.enrolmentFileLength, in: path)
      + secrets.renew([revocations], limit: RevocationFile.length, in: path)
      + secrets.renew([rendezvous], limit: Limits.rendezvousFileLength, in: path)
      + SecretFiles.forEach(in: invitations) { path throws(StorageError) in try renewInvitation(path) }
  }

  private func renewInvitation(_ path: String) throws(StorageError) {
    try secrets.renew(path, limit: Limits.enrolmentFileLength, in: invitations) {
      old,
      descriptor throws(StorageError) in
      // If the old file was the original, the new one is the original from now on.
      guard let invitation = Invitation(bytes: old), invitation.origin == (try FileOrigin.text(ofFileAt: path)) else {
        return old
      }
      return invitation.moved(to: try FileOrigin.text(ofFile: descriptor, path)).bytes
    }
  }

  private func loadRendezvous() throws(StorageError) -> RendezvousAccess? {
    guard try Files.isThere(rendezvous) else { return nil }
    let bytes = try secrets.read(rendezvous, limit: Limits.rendezvousFileLength)
    guard let json = try? JSON(parsing: bytes, depth: 4), let access = RendezvousAccess(json: json) else {
      throw StorageError("read", rendezvous, code: 0)
    }
    // Earlier versions kept the key of a DNS zone there.
    if json.object?["zone"] != nil { try? replace(access) }
    return access
  }

  func replace(_ access: RendezvousAccess) throws(StorageError) {
    try secrets.write(access.json.bytes, to: rendezvous, in: path)
  }

  // MARK: Devices

  /// - Throws: `StorageError` if the file exists and is not valid. Without it, removed devices would be let in.
  func loadRevocations(_ authority: Certificate) throws(StorageError) -> RevocationFile? {
    guard try Files.isThere(revocations) else { return nil }
    let bytes = try secrets.read(revocations, limit: RevocationFile.length)
    guard let file = RevocationFile(bytes: bytes, authority: authority) else {
      throw StorageError("read", revocations, code: 0)
    }
    return file
  }

  func replace(_ file: RevocationFile) throws(StorageError) {
    try secrets.write(file.bytes, to: revocations, in: path)
  }

  /// What the list of devices is like now; nil if there is none.
  var devicesStamp: FileStamp? { FileStamp(of: devices) }

  /// Returns the devices that this machine has admitted, the oldest first.
  func loadDevices() throws(StorageError) -> [AdmittedDevice] {
    guard try Files.isThere(devices) else {
      // The team's whole directory may be gone, which does not mean that there are no devices.
      guard try Files.isThere(path) else { throw StorageError("open", path, because: "it no longer exists") }
      return []
    }
    let bytes = try Files.read(devices, limit: Self.devicesLength)
    guard let list = (try? JSON(parsing: bytes, depth: 4))?.object?["devices"]?.array else {
      throw StorageError("read", devices, code: 0)
    }
    let devices = list.compactMap(AdmittedDevice.init(json:))
    guard devices.count == list.count else { throw StorageError("read", self.devices, code: 0) }
    return devices
  }

  func replace(_ list: [AdmittedDevice]) throws(StorageError) {
    try Files.write(JSON.object(["devices": .array(list.map(\.json))]).bytes, to: devices, in: path)
  }

  /// Returns the key that admits others, if it is not sealed.
  func loadAuthority(_ certificate: Certificate) throws(StorageError) -> Authority {
    try judging(authorityKey) {
      try Authority(key: PrivateKey(pem: secret(authorityKey)), certificate: certificate)
    }
  }

  func loadAuthorityKey() throws(StorageError) -> AuthorityKey {
    guard let key = AuthorityKey(text: try secret(authorityKey)) else {
      throw StorageError("read", authorityKey, because: "it's neither a plain nor a sealed key")
    }
    return key
  }

  func replace(_ key: AuthorityKey) throws {
    try secrets.write(key.text.utf8, to: authorityKey, in: path)
  }

  private func secret(_ path: String) throws(StorageError) -> String {
    String(decoding: try secrets.read(path, limit: Limits.enrolmentFileLength), as: UTF8.self)
  }

  private func text(_ path: String) throws(StorageError) -> String {
    String(decoding: try Files.read(path, limit: Limits.enrolmentFileLength), as: UTF8.self)
  }
}
