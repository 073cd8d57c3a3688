import Activity
import JSONCoding

/// What a user's agent says about the search index to the agent on the other machine (SearchIndex.md). Daemons pass it on
/// without reading it. Those that do not know the message ignore it.
package struct Index: MessageBody {
  package static var type: UInt8 { 73 }

  /// An object of at most `Limits.indexMessageLength` bytes.
  @Coded<IndexMessage> package var message: JSON

  package init(message: JSON) { self.message = message }
}
