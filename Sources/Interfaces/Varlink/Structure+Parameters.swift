// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension Structure {
  /// Reads the parameters of a call. Unknown ones are refused, so that a caller who misspells a member learns of it.
  ///
  /// - Throws: `InvalidParameter`, which names the member that is unknown, missing or of a wrong type.
  package init(parameters: [String: JSON]) throws(InvalidParameter) {
    try self.init(members: parameters, refusesUnknown: true)
  }

  /// Reads the parameters of a reply. Unknown ones are ignored, because a newer service may add some.
  ///
  /// - Throws: `InvalidParameter`, which names the member that is missing or of a wrong type.
  package init(replyParameters parameters: [String: JSON]) throws(InvalidParameter) {
    try self.init(members: parameters)
  }
}
