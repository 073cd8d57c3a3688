// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import VarlinkClient

/// The values that the daemon knows, for completion.
enum LiveValues {
  /// - Returns: Nothing if the daemon does not say.
  static func of(_ kind: ValueDeclaration.Kind) -> [String] {
    guard let connection = try? ControlConnection() else { return [] }
    var seen: Set<String> = []
    return ((try? values(kind, connection)) ?? []).filter { isHarmless($0) && seen.insert($0).inserted }
  }

  private static func values(_ kind: ValueDeclaration.Kind, _ connection: ControlConnection) throws -> [String] {
    switch kind {
    case .text, .file, .host, .url, .choice: []
    case .offer: try offers(connection).map(\.id.description)
    case .activityType: try offers(connection).map(\.activityType)
    case .team: try connection.call(ListTeams.self, Nothing()).teams.map(\.id.description)
    case .peerAddress: try connection.call(ListStaticPeers.self, Nothing()).peers.map(\.address)
    case .machine: try connection.call(ListPeers.self, Nothing()).peers.map(\.device)
    case .device:
      try connection.call(ListDevices.self, ListDevices.Parameters(team: nil)).devices.flatMap {
        [$0.name, $0.deviceID.description]
      }
    }
  }

  private static func offers(_ connection: ControlConnection) throws -> [ControlOffer] {
    try connection.call(ListOffers.self, ListOffers.Parameters(activityType: nil, team: nil)).offers
  }

  /// Whether no character of the text has a special meaning to a shell. The owners of other machines choose their
  /// names.
  static func isHarmless(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789._:-".unicodeScalars.contains($0))
      }
  }
}
