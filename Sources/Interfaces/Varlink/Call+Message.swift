// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension Call {
  /// Reads a call from a message without its NUL.
  ///
  /// - Parameter depth: The maximum nesting depth of arrays and objects, including the message itself.
  /// - Throws: `MalformedMessage`; the connection cannot continue.
  package init(message: some Collection<UInt8>, depth: Int) throws(MalformedMessage) {
    var members = try MessageMembers(message, depth: depth)
    guard let method = try members.string("method") else { throw .member("method") }
    let parameters = try members.parameters()
    let modes: [(name: String, mode: Mode)] = [("oneway", .oneway), ("more", .more), ("upgrade", .upgrade)]
    var mode = Mode.single
    for candidate in modes where try members.flag(candidate.name) {
      guard mode == .single else { throw .member(candidate.name) }
      mode = candidate.mode
    }
    try members.finish()
    self.init(method: method, parameters: parameters, mode: mode)
  }
}
