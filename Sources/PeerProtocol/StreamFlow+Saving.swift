import JSONCoding

/// A stream's state as one daemon of a machine passes it to the next.
extension StreamFlow: Structure {
  /// - Throws: `InvalidParameter`, also if the numbers are inconsistent.
  package init(_ members: inout Members) throws(InvalidParameter) {
    self.init()
    sending.count = try members.required("sent", \.uint64)
    sending.acknowledged = try members.required("acknowledged", \.uint64)
    sending.limit = try members.required("sendLimit", \.uint64)
    sending.isFinished = try members.required("hasFinishedSending", \.bool)
    sending.isFinishAcknowledged = try members.required("isFinishAcknowledged", \.bool)
    sending.transmitted = sending.count
    receiving.count = try members.required("received", \.uint64)
    receiving.taken = try members.required("taken", \.uint64)
    receiving.limit = try members.required("receiveLimit", \.uint64)
    receiving.isFinished = try members.required("hasFinishedReceiving", \.bool)
    receiving.acknowledged = receiving.taken
    guard sending.acknowledged <= sending.count, sending.count <= sending.limit else { throw InvalidParameter("sent") }
    guard receiving.taken <= receiving.count, receiving.count <= receiving.limit else {
      throw InvalidParameter("received")
    }
  }

  package var members: [String: JSON] {
    [
      "sent": JSON(sending.count), "acknowledged": JSON(sending.acknowledged), "sendLimit": JSON(sending.limit),
      "hasFinishedSending": .bool(sending.isFinished), "isFinishAcknowledged": .bool(sending.isFinishAcknowledged),
      "received": JSON(receiving.count), "taken": JSON(receiving.taken), "receiveLimit": JSON(receiving.limit),
      "hasFinishedReceiving": .bool(receiving.isFinished),
    ]
  }
}
