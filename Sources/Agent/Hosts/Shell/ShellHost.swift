// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import Glibc
import VarlinkClient

/// Holds the directory of the user's terminals as an activity. It performs what ``ShellTable`` decides.
///
/// There is one host for all shells of a user. A process of this program needs more than 10 MB, which 30 shells would
/// need 30 times, and only one of them has the focus.
@Loop
package final class ShellHost {
  /// The maximum number of shells. Each needs a descriptor.
  private static let limit = 200
  private static let focus = "focus-"

  /// Describes a directory for `userInfo`, with the variables of the shell that is there.
  package typealias Describe = @Sendable (String, ProcessEnvironment) -> DocumentReference?

  private let folder: ShellFolder
  private let watch: ShellFolderWatch
  private let documents: ShellDocuments
  private var table = ShellTable()
  private var shells: [Int32: ShellProcess] = [:]
  private var timer: EventLoop.Timer?
  private var activity: HeldActivity?
  private let id = ActivityID.random()
  private var place: ShellTable.Place?
  /// Called when there are no more shells.
  private let onIdle: @Loop () -> Void
  private var renewal: ProgramRenewal?

  init(
    _ folder: ShellFolder,
    describe: @escaping Describe,
    onLost: @escaping @Loop () -> Void,
    onIdle: @escaping @Loop () -> Void
  ) throws(SystemError) {
    self.folder = folder
    self.onIdle = onIdle
    documents = ShellDocuments(describe: describe)
    watch = try ShellFolderWatch(folder.path)
    timer = EventLoop.Timer { [weak self] in self?.handle(.wake) }
    activity = HeldActivity(id, holder: self)
    watch.onWritten = { [weak self] in self?.written($0) }
    watch.onLost = onLost
    // Everything is in the folder, except for which shell has the focus, and since when the user has been elsewhere. A
    // file says the former, too. With the latter, the host goes on until the user is back.
    renewal = ProgramRenewal { [weak self] in
      guard let self else { return false }
      return self.activity?.isWanted == true || !self.table.wasDisplaced
    } renew: { [weak self] file in
      guard let self else { return }
      if self.activity?.isWanted == true, let shell = self.table.current { self.folder.make(Self.focus + "\(shell)") }
      file.begin()
    }
  }

  /// Reads everything in the folder, and removes what ended shells have left.
  func readAll() {
    for name in folder.names() { written(name) }
    if shells.isEmpty { onIdle() }
  }

  private func written(_ name: String?) {
    guard let name else { return readAll() }
    if let shell = Int32(name), shell > 0, "\(shell)" == name {
      prompted(shell)
    } else if let process = name.rest(afterBytesOf: Self.focus).flatMap({ Int32($0) }) {
      folder.remove(name)
      guard !TerminalSocket.isShared(around: process) else { return }
      guard let terminal = shells[process]?.terminal ?? ShellProcess(process, onEnd: {})?.terminal, terminal != 0
      else { return }
      handle(.focused(terminal: terminal))
    }
  }

  private func prompted(_ shell: Int32) {
    renewal?.check()
    if shells[shell] == nil {
      guard shells.count < Self.limit, let process = ShellProcess(shell, onEnd: { [weak self] in self?.ended(shell) })
      else { return folder.remove("\(shell)") }
      shells[shell] = process
    }
    guard !TerminalSocket.isShared(around: shell) else { return }
    guard let terminal = shells[shell]?.terminal, let bytes = folder.read(shell, limit: ShellReport.length) else {
      return
    }
    // What cannot be read may be a directory that is excluded.
    guard let report = ShellReport(bytes) else { return handle(.ended(shell)) }
    let idle = shells.mapValues(\.idleTime)
    let others = idle.filter { $0.key != shell }.values.compactMap(\.self).min()
    let event = ShellTable.Event.prompted(
      shell,
      terminal: terminal,
      idle: idle[shell] ?? nil,
      othersIdle: others,
      isBrowserUsed: BrowserFocus.isThere(),
      report
    )
    handle(event)
  }

  private func ended(_ shell: Int32) {
    shells[shell] = nil
    for name in ["\(shell)", "cd-\(shell)"] { folder.remove(name) }
    handle(.ended(shell))
    if shells.isEmpty { onIdle() }
  }

  private func handle(_ event: ShellTable.Event) {
    for effect in table.handle(event, isHeld: activity?.isWanted ?? false, at: Loop.now) { perform(effect) }
  }

  private func perform(_ effect: ShellTable.Effect) {
    switch effect {
    case .describe(let question):
      documents.describe(question) { [weak self] in self?.handle(.described(question, $0)) }
    case .publish(let place):
      self.place = place
      if activity?.isWanted == true { activity?.changed(isUrgent: true) } else { activity?.becomeCurrent() }
    case .withdraw:
      place = nil
      activity?.resign()
    case .wake(let instant): timer?.set(instant)
    }
  }
}

extension ShellHost: ActivityHolder {
  package var isEligible: Bool { place != nil }

  package func published() -> ControlActivity? {
    guard let place,
      let userInfo = DirectoryActivity(
        document: place.document,
        host: LocalUser.host,
        user: LocalUser.name,
        command: place.command
      ).userInfo
    else { return nil }
    var activity = ControlActivity(id: id, activityType: OpenActivityType.directory.rawValue)
    activity.title = Printable.text(DirectoryActivity.title(of: place.directory, home: place.home), limit: 120)
    activity.userInfo = userInfo
    return activity
  }

  package func takeChange() {}

  package func becameCurrent() { renewal?.check() }

  package func save(_ completion: @escaping @Loop (Bool) -> Void) { completion(false) }

  /// Nobody reads what a host would write. The directory is not offered.
  package func wasRefused(_ failure: ControlFailure) {}

  package func wasResigned(_ reason: Reason?) {
    // The next daemon is asked again.
    if reason != .shuttingDown { handle(.displaced) }
  }

  package func wasContinued(on device: String?) {}

  package func streamWasRequested(_ stream: String) {}
}
