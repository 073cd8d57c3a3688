import Activity
import JSON
import TLS

/// The files of one team.
struct TeamDirectory {
  let path: String
  let secrets: SecretFiles

  var authorityKey: String { "\(path)/ca.key" }
  var invitations: String { "\(path)/invitations" }
  private var authority: String { "\(path)/ca.pem" }
  private var key: String { "\(path)/device.key" }
  private var certificate: String { "\(path)/device.pem" }
  private var discoveryKey: String { "\(path)/discovery.key" }
  private var description: String { "\(path)/team.json" }
  private var revocations: String { "\(path)/revocations.json" }
  private var devices: String { "\(path)/devices.json" }
  /// Bytes of `devices.json`: four times what `Limits.admittedDevices` take with names that need no escapes.
  private static let devicesLength = 256 * 1024

  /// Puts all files of a team into this directory, which is not there yet.
  ///
  /// - Parameter authorityKey: On the administrator's machine.
  func create(
    _ credentials: Credentials,
    description: TeamDescription,
    authorityKey: PrivateKey? = nil
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
    if let authorityKey { try secrets.create(self.authorityKey, holding: authorityKey.pem().utf8) }
    try Files.synchronize(path)
  }

  func replace(_ description: TeamDescription) throws(StorageError) {
    try Files.write(description.json.bytes, to: self.description, in: path)
  }

  /// - Throws: What is wrong with the files.
  func load() throws -> Team {
    let authority = try Certificate(pem: text(self.authority))
    let revocations = try loadRevocations(authority)
    let credentials = try Credentials(
      key: PrivateKey(pem: secret(key)),
      certificate: Certificate(pem: text(certificate)),
      authority: authority,
      discoveryKey: revocations?.newest.discoveryKey ?? secrets.read(discoveryKey, limit: Limits.enrolmentFileLength),
      previousKeys: revocations?.previousKeys ?? [],
      revocations: revocations?.lists ?? RevocationLists()
    )
    guard path.hasSuffix("/\(Hexadecimal.encode(credentials.team.bytes))") else {
      throw StorageError("read", self.authority, code: 0)
    }
    guard let json = try? JSON(parsing: Files.read(description, limit: Limits.enrolmentFileLength), depth: 4),
      let description = TeamDescription(json: json)
    else { throw StorageError("read", description, code: 0) }
    return Team(
      name: description.name,
      owners: description.owners,
      created: description.created,
      credentials: credentials,
      isAdministrator: Files.exists(authorityKey),
      expires: try credentials.certificate.expires
    )
  }

  /// Writes the secrets anew that are not sealed as they would be now.
  ///
  /// - Returns: What kept one from it; it keeps no other.
  func renewSecrets() -> [StorageError] {
    let keys = [key, authorityKey, discoveryKey]
    return secrets.renew(keys, limit: Limits.enrolmentFileLength, in: path)
      + secrets.renew([revocations], limit: RevocationFile.length, in: path)
      + secrets.renewAll(in: invitations, limit: Limits.enrolmentFileLength)
  }

  // MARK: Devices

  /// - Throws: `StorageError` where the file is there and is not what it should be: without it, removed devices would be
  ///   let in.
  func loadRevocations(_ authority: Certificate) throws(StorageError) -> RevocationFile? {
    guard Files.exists(revocations) else { return nil }
    let bytes = try secrets.read(revocations, limit: RevocationFile.length)
    guard let file = RevocationFile(bytes: bytes, authority: authority) else {
      throw StorageError("read", revocations, code: 0)
    }
    return file
  }

  func replace(_ file: RevocationFile) throws(StorageError) {
    try secrets.write(file.bytes, to: revocations, in: path)
  }

  /// The devices that this machine has admitted, the oldest first.
  func loadDevices() throws(StorageError) -> [AdmittedDevice] {
    guard Files.exists(devices) else { return [] }
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

  /// The key that admits others, which is not kept in memory.
  func loadAuthority(_ certificate: Certificate) throws -> Authority {
    try Authority(key: PrivateKey(pem: secret(authorityKey)), certificate: certificate)
  }

  private func secret(_ path: String) throws(StorageError) -> String {
    String(decoding: try secrets.read(path, limit: Limits.enrolmentFileLength), as: UTF8.self)
  }

  private func text(_ path: String) throws(StorageError) -> String {
    String(decoding: try Files.read(path, limit: Limits.enrolmentFileLength), as: UTF8.self)
  }
}

/// What is known of a team besides its keys: `team.json`.
struct TeamDescription {
  var name: String
  var owners: [UInt32]
  let created: Int64

  init(name: String, owners: [UInt32], created: Int64) {
    self.name = name
    self.owners = owners
    self.created = created
  }

  init?(json: JSON) {
    guard let object = json.object, let name = object["name"]?.string, let created = object["created"]?.int64,
      let list = object["owners"]?.array
    else { return nil }
    owners = list.compactMap { $0.uint64.flatMap { UInt32(exactly: $0) } }
    guard owners.count == list.count else { return nil }
    self.name = name
    self.created = created
  }

  var json: JSON {
    [
      "name": .string(name), "owners": .array(owners.map { .integer(Int64($0)) }), "created": .integer(created),
    ]
  }
}
