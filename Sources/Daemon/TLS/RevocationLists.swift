// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// The revocation lists of a team that a machine holds: the newest one, and each other one, unless a single list here
/// names everything that it names. There are others if the authority's machine was restored to an earlier state and
/// continued from there. Then two lists can each lack what the other one names.
///
/// A device is removed if any of the lists names it. Which lists are held does not depend on the order in which they
/// arrived.
package struct RevocationLists: Equatable, Sendable {
  /// A list, and the discovery key that belongs to it.
  package struct Held: Equatable, Sendable {
    package let list: RevocationList
    package let discoveryKey: [UInt8]

    package init(_ list: RevocationList, discoveryKey: [UInt8]) {
      self.list = list
      self.discoveryKey = discoveryKey
    }
  }

  /// The newest list is the last one.
  package private(set) var all: [Held] = []
  /// The devices that were removed.
  package private(set) var devices: Set<DeviceID> = []
  private var serials: Set<[UInt8]> = []

  /// Holds no lists.
  package init() {}

  package init(_ list: RevocationList, discoveryKey: [UInt8]) { insert(Held(list, discoveryKey: discoveryKey)) }

  package var newest: Held? { all.last }

  /// The number of the newest list; 0 if there is none.
  package var number: UInt64 { newest?.list.number ?? 0 }

  /// The entries of all lists, each once.
  package var entries: [RevocationList.Entry] {
    struct Name: Hashable {
      let device: DeviceID
      let serial: [UInt8]
    }
    var names: Set<Name> = []
    return all.flatMap(\.list.entries).filter { names.insert(Name(device: $0.device, serial: $0.serial)).inserted }
  }

  /// Shows two machines whether they hold the same lists: the SHA-256 of the lists' SHA-256 in order; nil for none.
  package var digest: [UInt8]? {
    guard !all.isEmpty else { return nil }
    return SHA256.hash(all.map(\.list.hash).sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self))
  }

  /// Whether the device was removed.
  package func names(_ device: DeviceID) -> Bool { devices.contains(device) }

  /// Whether the device of a certificate was removed. If this cannot be determined, it counts as removed.
  ///
  /// - Parameter certificate: `X509`, borrowed.
  func names(certificate: OpaquePointer) -> Bool {
    guard !devices.isEmpty else { return false }
    guard let serial = ASN1.bytes(ofInteger: X509_get0_serialNumber(certificate)),
      let hash = try? PublicKey.hash(ofCertificate: certificate), let device = DeviceID(bytes: hash)
    else { return true }
    return serials.contains(serial) || devices.contains(device)
  }

  /// Adds a list, and drops those whose names are all in another one. Beyond `Limits.otherRevocationLists`, the oldest
  /// is dropped.
  ///
  /// - Returns: Whether anything has changed.
  @discardableResult
  package mutating func insert(_ held: Held) -> Bool {
    guard !all.contains(where: { $0.list.der == held.list.der }) else { return false }
    let before = all
    let sorted = (all + [held]).sorted { $0.list.precedes($1.list) }
    let reduced = sorted.enumerated().filter { index, held in
      index == sorted.count - 1 || !sorted.contains { held.list.isSubsumed(by: $0.list) }
    }
    all = Array(reduced.map(\.element).suffix(1 + Limits.otherRevocationLists))
    guard all != before else { return false }
    devices = Set(all.flatMap(\.list.devices))
    serials = Set(all.flatMap(\.list.serials))
    return true
  }
}

extension RevocationList {
  /// The order of a team's lists: by number; if two have the same number, by their bytes.
  fileprivate func precedes(_ other: RevocationList) -> Bool {
    number == other.number ? der.lexicographicallyPrecedes(other.der) : number < other.number
  }

  /// Whether the other list names everything that this one names, and is the one to keep.
  fileprivate func isSubsumed(by other: RevocationList) -> Bool {
    guard devices.isSubset(of: other.devices), serials.isSubset(of: other.serials) else { return false }
    return devices.count < other.devices.count || serials.count < other.serials.count || precedes(other)
  }
}
