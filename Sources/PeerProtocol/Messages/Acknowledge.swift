import JSONCoding

/// How far one direction of a stream has come.
package struct Acknowledge: MessageBody {
  package static let type: UInt8 = 16

  package var stream: UInt32
  package var progress: StreamFlow.Progress

  package init(stream: UInt32, progress: StreamFlow.Progress) {
    self.stream = stream
    self.progress = progress
  }

  package init(_ members: inout Members) throws(InvalidParameter) {
    stream = try members.required("stream", \.uint32)
    progress = try StreamFlow.Progress(&members)
  }

  package var members: [String: JSON] { progress.members.merging(["stream": JSON(UInt64(stream))]) { $1 } }
}
