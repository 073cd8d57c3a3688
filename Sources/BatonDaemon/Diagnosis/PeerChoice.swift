import Activity
import Continuation

/// Finds the known peers that a text means.
enum PeerChoice {
  /// How many digits of a Device ID are enough.
  private static let leastDigits = 4

  /// The peers with that name; if there are none, those whose Device ID begins with the text.
  static func matching(_ text: String, among peers: [(id: PeerID, name: String)]) -> Set<PeerID> {
    let named = peers.filter { $0.name.lowercased() == text.lowercased() }
    guard named.isEmpty else { return Set(named.map(\.id)) }
    guard text.utf8.count >= leastDigits else { return [] }
    return Set(peers.filter { $0.id.device.text.uppercased().starts(withBytesOf: text.uppercased()) }.map(\.id))
  }
}
