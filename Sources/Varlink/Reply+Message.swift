import JSON

extension Reply {
  /// From a message without its NUL.
  ///
  /// - Parameter depth: Arrays and objects that may contain one another, the message itself counted.
  /// - Throws: `MalformedMessage`; the connection cannot go on.
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
