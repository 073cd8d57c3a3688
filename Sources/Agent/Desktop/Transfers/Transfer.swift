// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// Files that one machine sends to another one, as people see it and as it is kept on the disk.
package struct Transfer: Structure {
  package enum Direction: String, Codable, Sendable {
    case sending
    case receiving
  }

  package enum State: String, CaseIterable, Codable, Sendable {
    /// Sending: the other machine is away, or its user has not accepted yet. Receiving: it was accepted, and goes on
    /// when the other machine is there.
    case waiting
    /// Receiving: the user has not accepted it.
    case asking
    case running
    case done
    case failed

    /// Whether nothing more will happen by itself.
    package var isOver: Bool { self == .done || self == .failed }
  }

  /// The ID of its activity, which stays the same for all attempts.
  package let id: ActivityID
  package let direction: Direction
  package let deviceID: DeviceID
  /// The name of the other machine.
  package var device: String
  /// The team that both machines are in, as people see its ID.
  package let team: String?
  /// What it is, for people: names, and the size.
  package var title: String
  /// Receiving: which question this is, from 2, if the other machine has changed what it offers since the first one.
  @Coded<Count?> package var revision: Int?
  /// Receiving: the title with which a person accepted it. Nil if a rule did.
  package var acceptedTitle: String?
  /// Receiving: the path of the folder in which it arrives.
  package var folder: String?
  /// File URLs. Sending: of what is sent. Receiving: of what has arrived.
  package var files: [String] = []
  /// Sending: the numbers of those that led through symbolic links when somebody sent them.
  @Coded<Numbers> package var links: Set<Int> = []
  package var state: State
  /// Why it failed.
  package var reason: TransferFailure?
  /// Sending: what the receiver is told before it accepts.
  @Coded<FilesInfoCoding?> package var info: FilesInfo?
  /// The size of all files in bytes, and their number. Nil until they were looked at.
  @Coded<Count?> package var size: Int?
  @Coded<Count?> package var count: Int?
  /// Receiving: how many bytes of a transfer that failed had arrived.
  @Coded<Count?> package var received: Int?
  /// How many did not arrive although it is done, and some of them.
  @Coded<Count?> package var omitted: Int?
  @Coded<EmptyByDefault<OmittedFile>> package var omissions: [OmittedFile] = []
  /// When somebody sent it, or it was first offered, in seconds since 1970-01-01 00:00:00 UTC.
  package let begun: Double
  /// When it was over.
  package var ended: Double?
  /// When it fails unless it goes on before.
  package var expires: Double?

  package init(
    id: ActivityID,
    _ direction: Direction,
    deviceID: DeviceID,
    device: String,
    team: String?,
    title: String,
    state: State,
    begun: Double
  ) {
    (self.id, self.direction, self.deviceID) = (id, direction, deviceID)
    (self.device, self.team, self.title) = (device, team, title)
    (self.state, self.begun) = (state, begun)
  }
}

/// A file that did not arrive.
package struct OmittedFile: Structure {
  /// The maximum length of the path of an omitted file in bytes. A longer one is cut.
  private static let shownPathLength = 1024

  /// For people.
  package let path: String
  /// The name of an ``OmittedReason``.
  package let reason: String

  package init(_ omission: Omission) {
    path = Printable.text(omission.path.text, limit: Self.shownPathLength)
    reason = omission.reason.name
  }
}

extension TransferFailure: Codable {}

/// Numbers from 0, each once. Absent if there are none.
package enum Numbers: MemberCoding {
  package static func decode(_ json: JSON?) -> Set<Int>? {
    guard let json else { return [] }
    guard let elements = json.array else { return nil }
    let numbers = elements.compactMap { Count.decode($0) }
    return numbers.count == elements.count ? Set(numbers) : nil
  }

  package static func encode(_ numbers: Set<Int>) -> JSON? {
    numbers.isEmpty ? nil : .array(numbers.sorted().map(\.json))
  }
}

package enum FilesInfoCoding: MemberCoding {
  package static func decode(_ json: JSON?) -> FilesInfo? { json.flatMap(FilesInfo.init(json:)) }
  package static func encode(_ info: FilesInfo) -> JSON? { info.json }
}
