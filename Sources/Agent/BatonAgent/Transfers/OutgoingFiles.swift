// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import JSONCoding
import VarlinkClient

/// A transfer to another machine: offers its activity to that machine, and serves the stream that it opens.
@Loop
final class OutgoingFiles: ActivityHolder {
  enum Event {
    case began
    case ended(TransferTable.Outcome, TransferControl.Progress?)
    case notSent(TransferFailure)
    /// The daemon does not know the machine. Offer the files when it does.
    case unknown
  }

  private let transfer: Transfer
  private let info: FilesInfo
  private let paths: [[UInt8]]
  private let socket: String?
  private let handler: @Loop (Event) -> Void
  private var activity: HeldActivity?
  private var timer: Timer?
  /// Why it is being stopped. Nil if it is not.
  private var failure: TransferFailure?
  /// Ends the wait for an attempt that was stopped.
  private var stopTimer: Timer?
  private(set) var attempt: TransferAttempt?
  private var pace = ServingPace()
  /// The stream that the receiver wants, until its turn comes.
  private var waiting: String?
  private var paceTimer: Timer?

  /// - Parameter paths: Of what is sent.
  init(
    _ transfer: Transfer,
    _ info: FilesInfo,
    paths: [[UInt8]],
    socket: String?,
    handler: @escaping @Loop (Event) -> Void
  ) {
    (self.transfer, self.info, self.paths) = (transfer, info, paths)
    (self.socket, self.handler) = (socket, handler)
    activity = HeldActivity(transfer.id, path: socket, holder: self)
    timer = Timer { [weak self] in self?.offer() }
    stopTimer = Timer { [weak self] in self?.giveUp() }
    paceTimer = Timer { [weak self] in self?.serveWaiting() }
  }

  /// Whether the daemon does not know the machine at the moment.
  private(set) var isUnknown = false

  /// Offers the files, or offers them again.
  func offer() {
    isUnknown = false
    activity?.becomeCurrent()
  }

  func close() {
    attempt?.abandon()
    attempt = nil
    activity = nil
    waiting = nil
    for timer in [timer, stopTimer, paceTimer] { timer?.set(nil) }
  }

  /// Ends the attempt, and tells the receiver why. If that opens another stream, it is told the same.
  func stop(_ failure: TransferFailure) {
    self.failure = failure
    timer?.set(nil)
    attempt?.control.stop(failure)
    stopTimer?.set(Loop.now + Self.stopTime)
  }

  /// How long an attempt may take to stop. A disk can hang.
  private static let stopTime = Duration.seconds(40)

  private func giveUp() {
    attempt?.abandon()
    attempt = nil
    handler(.ended(.broken, nil))
  }

  var team: String? { transfer.team }
  var recipient: DeviceID? { transfer.deviceID }

  func published() -> ControlActivity? {
    var activity = ControlActivity(id: transfer.id, activityType: OpenActivityType.files.rawValue)
    activity.title = transfer.title
    activity.userInfo = info.json
    activity.supportsContinuationStreams = true
    return activity
  }

  func takeChange() {}

  func save(_ completion: @escaping @Loop (Bool) -> Void) { completion(false) }

  func wasRefused(_ failure: ControlFailure) {
    switch failure.reason {
    case .certificateRevoked, .teamNotFound: handler(.notSent(.machineRemoved))
    // The daemon was restarted while the machine was away.
    case .peerNotFound:
      isUnknown = true
      handler(.unknown)
    // Other programs of the user have the room at the moment.
    default: timer?.set(Loop.now + Self.refusalTime)
    }
  }

  /// The pause after the daemon refused the activity.
  private static let refusalTime = Duration.seconds(30)

  func wasResigned(_ reason: Reason?) {
    if reason == .certificateRevoked || reason == .teamNotFound { handler(.notSent(.machineRemoved)) }
  }

  func wasContinued(on device: String?) { if failure == nil { timer?.set(Loop.now + Self.streamTime) } }

  /// How long the receiver may take to open a stream after it has continued the activity. If it was restarted in
  /// between, it needs another offer. It opens the stream immediately, and another offer does no harm.
  private static let streamTime = Duration.seconds(5)

  func streamWasRequested(_ stream: String) {
    timer?.set(nil)
    // The receiver gave the earlier stream up, whatever this side knows about it.
    attempt?.abandon()
    attempt = nil
    waiting = stream
    if let next = pace.next, next > Loop.now { paceTimer?.set(next) } else { serveWaiting() }
  }

  private func serveWaiting() {
    guard let stream = waiting else { return }
    waiting = nil
    let (paths, links) = (paths, transfer.links)
    attempt = try? TransferAttempt(.accepting(stream), path: socket) { descriptor, control in
      do throws(TransferStop) {
        let result = try FileSender.send(paths, links: links, over: descriptor, control)
        return .done(files: [], omitted: result.omitted, omissions: result.omissions.map(OmittedFile.init))
      } catch {
        return TransferTable.Outcome(error)
      }
    } onBegin: { [weak self] in
      self?.pace.begin(at: Loop.now)
      self?.handler(.began)
    } onEnd: { [weak self] outcome in
      let progress = self?.attempt?.control.progress
      self?.attempt = nil
      self?.handler(.ended(outcome, progress))
    }
    if let failure { attempt?.control.stop(failure) }
  }
}

extension TransferTable.Outcome {
  init(_ stop: TransferStop) {
    switch stop {
    case .failed(let failure): self = .failed(failure)
    case .broken: self = .broken
    }
  }
}
