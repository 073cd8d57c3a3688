import JSON

extension Structure {
  /// From the parameters of a call, where unknown ones are refused: a caller that misspells a member is told so.
  ///
  /// - Throws: `InvalidParameter` that names the member that is unknown, missing or of a wrong type.
  package init(parameters: [String: JSON]) throws(InvalidParameter) {
    var members = Members(parameters)
    try self.init(&members)
    if let unknown = members.untaken.first { throw InvalidParameter(unknown) }
  }

  /// From the parameters of a reply, where unknown ones are ignored: a newer service may add some.
  ///
  /// - Throws: `InvalidParameter` that names the member that is missing or of a wrong type.
  package init(replyParameters parameters: [String: JSON]) throws(InvalidParameter) {
    var members = Members(parameters)
    try self.init(&members)
  }
}
