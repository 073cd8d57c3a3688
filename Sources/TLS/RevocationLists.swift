import Activity
import COpenSSL

/// What a machine holds of the revocations of a team: the newest list, and every other that names what no single list
/// here names. There are others where the authority's machine was put back to an earlier state and went on from there:
/// then each of two lists lacks what the other names.
///
/// A device that any of them names is removed. What is held does not depend on the order in which the lists came.
package struct RevocationLists: Equatable, Sendable {
  /// A list and the discovery key that goes with it.
  package struct Held: Equatable, Sendable {
    package let list: RevocationList
    package let discoveryKey: [UInt8]

    package init(_ list: RevocationList, discoveryKey: [UInt8]) {
      self.list = list
      self.discoveryKey = discoveryKey
    }
  }

  /// The newest is the last.
  package private(set) var all: [Held] = []
  private var devices: Set<DeviceID> = []
  private var serials: Set<[UInt8]> = []

  /// None.
  package init() {}

  package init(_ list: RevocationList, discoveryKey: [UInt8]) { insert(Held(list, discoveryKey: discoveryKey)) }

  package var newest: Held? { all.last }

  /// Of the newest list; 0 where there is none.
  package var number: UInt64 { newest?.list.number ?? 0 }

  /// Those of all lists, each once.
  package var entries: [RevocationList.Entry] {
    struct Name: Hashable {
      let device: DeviceID
      let serial: [UInt8]
    }
    var names: Set<Name> = []
    return all.flatMap(\.list.entries).filter { names.insert(Name(device: $0.device, serial: $0.serial)).inserted }
  }

  /// By which two machines find out whether they hold the same: SHA-256 of the lists' SHA-256, in order. Nil for none.
  package var digest: [UInt8]? {
    guard !all.isEmpty else { return nil }
    return SHA256.hash(all.map(\.list.hash).sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self))
  }

  /// Whether the device was removed.
  package func names(_ device: DeviceID) -> Bool { devices.contains(device) }

  /// Whether the device of a certificate was removed; so it counts where that cannot be told.
  ///
  /// - Parameter certificate: `X509`, borrowed.
  func names(certificate: OpaquePointer) -> Bool {
    guard !devices.isEmpty else { return false }
    guard let serial = ASN1.bytes(ofInteger: X509_get0_serialNumber(certificate)),
      let hash = try? PublicKey.hash(ofCertificate: certificate), let device = DeviceID(bytes: hash)
    else { return true }
    return serials.contains(serial) || devices.contains(device)
  }

  /// Takes a list in, and lets go of what is in others then. Beyond `Limits.otherRevocationLists` the oldest goes.
  ///
  /// - Returns: Whether anything is other than before.
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
  /// The order of the lists of a team: by number, and where two have one number, by their bytes.
  fileprivate func precedes(_ other: RevocationList) -> Bool {
    number == other.number ? der.lexicographicallyPrecedes(other.der) : number < other.number
  }

  /// Whether the other names all that this one names, and is the one to keep.
  fileprivate func isSubsumed(by other: RevocationList) -> Bool {
    guard devices.isSubset(of: other.devices), serials.isSubset(of: other.serials) else { return false }
    return devices.count < other.devices.count || serials.count < other.serials.count || precedes(other)
  }
}
