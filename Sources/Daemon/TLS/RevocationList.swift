// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// The devices that were removed from a team, signed by its authority: an X.509 revocation list (RFC 5280 section 5).
/// An entry names a device by its certificate's serial number and, in our own extension, by its Device ID.
///
/// The time when the next list is due is ignored, so that a team whose administrator is away can continue with its
/// list.
package struct RevocationList: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package let device: DeviceID
    /// The serial number of its certificate: big-endian, without leading zeros.
    package let serial: [UInt8]
    /// When it was removed, in seconds since 1970.
    package let date: Int64

    package init(device: DeviceID, serial: [UInt8], date: Int64) {
      self.device = device
      self.serial = serial
      self.date = date
    }
  }

  /// At least 1. A later list has a greater number.
  package let number: UInt64
  package let entries: [Entry]
  /// The SHA-256 of the discovery key that the team has had since this list.
  private let discoveryKeyHash: [UInt8]
  package let der: [UInt8]
  /// The SHA-256 of ``der``.
  let hash: [UInt8]
  let devices: Set<DeviceID>
  let serials: Set<[UInt8]>

  /// - Parameters:
  ///   - der: At most `Limits.revocationListLength` bytes.
  ///   - authority: The team's authority, which must have signed the list.
  /// - Throws: `certificateInvalid` if it is not such a list.
  package init(der: [UInt8], authority: Certificate) throws(TLSError) {
    OpenSSL.start()
    ERR_clear_error()
    guard der.count <= Limits.revocationListLength else { throw TLSError(.certificateInvalid, "The list is too long") }
    let (parsed, isWhole) = der.withUnsafeBufferPointer { bytes in
      var position = bytes.baseAddress
      let list = d2i_X509_CRL(nil, &position, bytes.count)
      return (list, position == bytes.baseAddress.map { $0 + bytes.count })  // Checked: the end of the same bytes.
    }
    guard let list = parsed else { throw .fromOpenSSL(.certificateInvalid, doing: "Reading a revocation list") }
    defer { X509_CRL_free(list) }
    guard isWhole, let key = X509_get0_pubkey(authority.pointer),
      X509_NAME_cmp(X509_CRL_get_issuer(list), X509_get_subject_name(authority.pointer)) == 0,
      X509_CRL_verify(list, key) == 1
    else { throw .fromOpenSSL(.certificateInvalid, doing: "Checking a revocation list") }
    try self.init(der: der, verified: list)
  }

  /// - Parameter list: The `X509_CRL` in `der`, borrowed.
  private init(der: [UInt8], verified list: OpaquePointer) throws(TLSError) {
    guard let number = Self.number(of: list), number > 0 else {
      throw TLSError(.certificateInvalid, "The list has no number")
    }
    guard let discoveryKeyHash = PrivateExtension.discoveryKey.bytes(ofList: list) else {
      throw TLSError(.certificateInvalid, "The list contains no discovery key")
    }
    let count = baton_X509_CRL_revoked_count(list)
    let entries = (0..<count).compactMap { baton_X509_CRL_revoked_at(list, $0).flatMap(Self.entry) }
    guard entries.count == Int(count) else { throw TLSError(.certificateInvalid, "An entry contains no device") }
    self.number = number
    self.entries = entries
    self.discoveryKeyHash = discoveryKeyHash
    self.der = der
    hash = SHA256.hash(der)
    devices = Set(entries.map(\.device))
    serials = Set(entries.map(\.serial))
  }

  /// Whether the device was removed.
  package func names(_ device: DeviceID) -> Bool { devices.contains(device) }

  /// Whether the authority made this discovery key with this list.
  package func isWith(discoveryKey: [UInt8]) -> Bool {
    equalInConstantTime(SHA256.hash(discoveryKey), discoveryKeyHash)
  }

  private static func number(of list: OpaquePointer) -> UInt64? {
    guard let data = X509_CRL_get_ext_d2i(list, NID_crl_number, nil, nil) else { return nil }
    let integer = data.assumingMemoryBound(to: ASN1_INTEGER.self)
    defer { ASN1_STRING_free(integer) }
    var number: UInt64 = 0
    return ASN1_INTEGER_get_uint64(&number, integer) == 1 ? number : nil
  }

  private static func entry(_ revoked: OpaquePointer) -> Entry? {
    guard let device = PrivateExtension.device.bytes(ofEntry: revoked).flatMap(DeviceID.init(bytes:)),
      let serial = ASN1.bytes(ofInteger: X509_REVOKED_get0_serialNumber(revoked)),
      let date = ASN1.seconds(X509_REVOKED_get0_revocationDate(revoked))
    else { return nil }
    return Entry(device: device, serial: serial, date: date)
  }
}
