// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension Reply {
  /// Reads a reply from a message without its NUL.
  ///
  /// - Parameter depth: The maximum nesting depth of arrays and objects, including the message itself.
  /// - Throws: `MalformedMessage`; the connection cannot continue.
  package init(message: some Collection<UInt8>, depth: Int) throws(MalformedMessage) {
    var members = try MessageMembers(message, depth: depth)
    let parameters = try members.parameters()
    let error = try members.string("error")
    let continues = try members.flag("continues")
    try members.finish()
    if let error {
      guard !continues else { throw .member("continues") }
      self.init(error: error, parameters)
    } else {
      self.init(parameters, continues: continues)
    }
  }
}
