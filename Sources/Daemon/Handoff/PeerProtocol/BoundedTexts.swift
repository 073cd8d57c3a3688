// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// A certificate or key in PEM.
package enum PEM: BoundedText {
  package static let lengths = 1...Limits.certificateLength
}

/// The name of a device, which may be empty.
package enum DeviceName: BoundedText {
  package static let lengths = 0...Limits.deviceNameLength
}

/// At most `Limits.saidAddresses` IP addresses as numbers. Whether each is one is up to those who connect.
package enum AddressList: MemberCoding {
  /// As long as an IPv6 address that ends with an IPv4 address.
  private static let lengths = 1...45

  package static func decode(_ json: JSON?) -> [String]? {
    guard let list = json?.array, list.count <= Limits.saidAddresses else { return nil }
    let addresses = list.compactMap(\.string).filter { lengths.contains($0.utf8.count) }
    return addresses.count == list.count ? addresses : nil
  }

  package static func encode(_ addresses: [String]) -> JSON? { .array(addresses.map(JSON.string)) }
}
