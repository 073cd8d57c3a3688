import JSONCoding

extension StreamFlow.Progress {
  init(_ members: inout Members) throws(InvalidParameter) {
    self.init(
      received: try members.required("received", \.uint64),
      limit: try members.required("limit", \.uint64),
      isFinished: try members.optional("finished", \.bool) ?? false
    )
  }

  /// Leaves out `finished` if it is false.
  var members: [String: JSON] {
    var members = ["received": JSON(received), "limit": JSON(limit)]
    if isFinished { members["finished"] = .bool(true) }
    return members
  }
}
