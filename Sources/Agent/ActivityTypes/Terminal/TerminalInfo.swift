// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The `userInfo` of an `io.baton.terminal` activity: a session of tmux, for people to recognize and for another
/// machine to lay out in the same way.
package struct TerminalInfo: Structure {
  package struct Pane: Structure {
    /// The directory of its program.
    @Coded<UsableDocument> package var document: DocumentReference?
    /// The name of the program, without its arguments.
    package let command: String?
    @Coded<FalseByDefault> package var isActive: Bool

    package init(document: DocumentReference?, command: String?, isActive: Bool) {
      self.document = document
      self.command = command
      self.isActive = isActive
    }
  }

  package struct Window: Structure {
    package let name: String?
    /// The arrangement of the panes, as tmux writes it (`#{window_layout}`).
    package let layout: String?
    @Coded<FalseByDefault> package var isActive: Bool
    @Coded<EmptyByDefault<Pane>> package var panes: [Pane]

    package init(name: String?, layout: String?, isActive: Bool, panes: [Pane]) {
      (self.name, self.layout) = (name, layout)
      self.isActive = isActive
      self.panes = panes
    }
  }

  package let host: String?
  package let user: String?
  /// The name of the session.
  package let session: String?
  @Coded<EmptyByDefault<Window>> package var windows: [Window]
  /// The number of windows that are not in `windows`, because the activity would become too large.
  @Coded<Count?> package var omittedWindows: Int?
  /// For how many seconds after a break the live session can be reached again. Nil if it is not live.
  @Coded<Count?> package var resumeTime: Int?

  package init(host: String?, user: String?, session: String?, windows: [Window], resumeTime: Int?) {
    (self.host, self.user, self.session) = (host, user, session)
    self.windows = windows
    self.resumeTime = resumeTime
  }

  /// The title in lists. tmux calls a session that nobody has named by a number.
  package var title: String? {
    session.map { name in name.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? "tmux \(name)" : name }
  }

  // What a machine lays out at most.
  package static let windowLimit = 32
  package static let paneLimit = 16

  /// Returns the description with as many windows as fit. Before a window is left out, the directories are described by
  /// less.
  ///
  /// - Parameter length: The maximum length of its JSON, in bytes.
  package func fitting(_ length: Int) -> TerminalInfo {
    var info = self
    info.windows = Array(windows.prefix(Self.windowLimit))
    for documentLength in [DocumentReference.pathLength, 300, 150] {
      info.shortenDocuments(to: documentLength)
      info.countOmitted(of: windows.count)
      if info.json.bytes.count <= length { return info }
    }
    while info.json.bytes.count > length, !info.windows.isEmpty {
      info.windows.removeLast()
      info.countOmitted(of: windows.count)
    }
    return info
  }

  private mutating func shortenDocuments(to length: Int) {
    for window in windows.indices {
      for pane in windows[window].panes.indices {
        windows[window].panes[pane].document = windows[window].panes[pane].document?.fitted(in: length)
      }
    }
  }

  private mutating func countOmitted(of total: Int) {
    let omitted = total.subtractingReportingOverflow(windows.count).partialValue
    omittedWindows = omitted > 0 ? omitted : nil
  }
}

/// A document that is left out if it cannot be used, so that the rest of the description can.
package enum UsableDocument: MemberCoding {
  package static func decode(_ json: JSON?) -> DocumentReference?? {
    .some(json.flatMap(DocumentReference.init(json:)))
  }

  package static func encode(_ value: DocumentReference?) -> JSON? { value?.json }
}
