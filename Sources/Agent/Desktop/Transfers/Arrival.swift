// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// What is noted of a transfer that has arrived while its files get their names, so that it is known after the agent
/// was killed.
package struct Arrival: Structure {
  /// How many files did not arrive, and some of them.
  @Coded<Count> package var omitted = 0
  @Coded<EmptyByDefault<OmittedFile>> package var omissions: [OmittedFile] = []
  /// The names that somebody was asked about, so they are kept whatever they are.
  @Coded<Names> package var asked: Set<[UInt8]> = []

  package init(omitted: Int, omissions: [OmittedFile], asked: Set<[UInt8]> = []) {
    self.omitted = omitted
    self.omissions = omissions
    self.asked = asked
  }

  /// Names of files. Absent if there are none.
  package enum Names: MemberCoding {
    package static func decode(_ json: JSON?) -> Set<[UInt8]>? {
      guard let json else { return [] }
      return json.array.map { Set($0.compactMap(\.string).map { Array($0.utf8) }) }
    }

    package static func encode(_ names: Set<[UInt8]>) -> JSON? {
      let texts = names.map { String(decoding: $0, as: UTF8.self) }.sorted()
      return names.isEmpty ? .none : .some(.array(texts.map(JSON.string)))
    }
  }
}
