// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The small state (`userInfo`) of a local page (ActivityTypes.md, "Local pages").
package struct LocalPageActivity: Equatable, Sendable {
  /// The page on the machine where it began.
  package let address: LocalPageAddress
  /// The ports that the page needs: first its own, then those from which it has loaded something.
  package let ports: [UInt16]
  /// Where the user is in the page. Typed text is part of it only if there is room.
  package let state: PageState

  /// - Parameter others: Ports of the same machine. Those beyond `LocalPageLimits.ports` are left out.
  package init(_ address: LocalPageAddress, others: [UInt16] = [], state: PageState = PageState()) {
    self.address = address
    var ports = [address.port]
    for port in others + state.ports where port > 0 && !ports.contains(port) && ports.count < LocalPageLimits.ports {
      ports.append(port)
    }
    self.ports = ports
    self.state = PageState(place: state.place, form: state.form)
  }

  /// Nil if it is not such a page, or no port is one.
  package init?(json: JSON?) {
    guard let members = json?.object, let address = members["url"]?.string.flatMap(LocalPageAddress.init),
      let others = Self.ports(members["ports"])
    else { return nil }
    self.init(address, others: others, state: PageState(json: json ?? .null))
  }

  /// Reads a list of ports: numbers from 1 to 65535, at most as many as a page needs.
  static func ports(_ json: JSON?) -> [UInt16]? {
    guard let json, !json.isNull else { return [] }
    guard let all = json.array, all.count <= LocalPageLimits.ports else { return nil }
    let ports = all.compactMap { $0.int64.flatMap { UInt16(exactly: $0) } }.filter { $0 > 0 }
    return ports.count == all.count ? ports : nil
  }

  /// As much as fits into a `userInfo`: without the state if there is no room for it.
  package var userInfo: JSON {
    var members: [String: JSON] = ["url": .string(address.url)]
    let others = ports.dropFirst()
    if !others.isEmpty { members["ports"] = .array(others.map { .integer(Int64($0)) }) }
    let whole = JSON.object(members.merging(state.json.object ?? [:]) { first, _ in first })
    return (try? UserInfo(json: whole)) != nil ? whole : .object(members)
  }
}
