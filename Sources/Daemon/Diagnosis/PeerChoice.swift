import Activity
import Continuation

/// Which of the known peers a text means.
enum PeerChoice {
  /// Digits of a Device ID that are enough to mean one.
  private static let leastDigits = 4

  /// The peers of that name; otherwise those whose Device ID begins so.
  static func matching(_ text: String, among peers: [(id: PeerID, name: String)]) -> Set<PeerID> {
    let named = peers.filter { $0.name.lowercased() == text.lowercased() }
    guard named.isEmpty else { return Set(named.map(\.id)) }
    guard text.utf8.count >= leastDigits else { return [] }
    return Set(peers.filter { $0.id.device.text.uppercased().hasPrefix(text.uppercased()) }.map(\.id))
  }
}
