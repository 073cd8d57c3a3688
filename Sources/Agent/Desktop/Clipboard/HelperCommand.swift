// SPDX-License-Identifier: Apache-2.0

import Activity

/// What the clipboard's helper is told.
package enum HelperCommand: Equatable, Sendable {
  /// - Parameter selection: The newest number of which the agent knows. A program that has taken the selection since
  ///   then keeps it.
  case offer(selection: Int, [String])
  case drop
  case get(request: Int, selection: Int, name: String)
  case give(request: Int, [UInt8])
  case refuse(request: Int)

  package var bytes: [UInt8] {
    switch self {
    case .offer(let selection, let names): Self.line(["offer", "\(selection)"] + names.map(Self.encode))
    case .drop: Self.line(["drop"])
    case .get(let request, let selection, let name):
      Self.line(["get", "\(request)", "\(selection)", Self.encode(name)])
    case .give(let request, let content): Self.line(["give", "\(request)", "\(content.count)"]) + content
    case .refuse(let request): Self.line(["refuse", "\(request)"])
    }
  }

  private static func encode(_ name: String) -> String { PercentEncoding.encode(Array(name.utf8)) }

  private static func line(_ words: [String]) -> [UInt8] { Array(words.joined(separator: " ").utf8) + [0x0A] }
}
