// SPDX-License-Identifier: Apache-2.0

import Activity

extension TransferTable {
  /// What the other machines offer of the type.
  package struct Offer: Equatable, Sendable {
    package let id: ActivityID
    package let deviceID: DeviceID
    package let device: String
    package let team: String
    package let title: String
    /// Differs each time the offer appears again.
    package let generation: Int

    package init(id: ActivityID, deviceID: DeviceID, device: String, team: String, title: String, generation: Int) {
      (self.id, self.deviceID, self.device) = (id, deviceID, device)
      (self.team, self.title, self.generation) = (team, title, generation)
    }
  }

  /// How an attempt ended.
  package enum Outcome: Equatable, Sendable {
    /// - Parameters:
    ///   - files: Receiving: file URLs of what has arrived.
    ///   - omissions: Some of what did not.
    case done(files: [String], omitted: Int, omissions: [OmittedFile])
    case failed(TransferFailure)
    /// It can go on through another stream.
    case broken
  }

  /// How much it is.
  package struct Measure: Equatable, Sendable {
    /// In bytes.
    package let size: Int
    /// The number of files.
    package let count: Int
    /// The number of bytes that have arrived.
    package let received: Int

    package init(size: Int, count: Int, received: Int) {
      (self.size, self.count, self.received) = (size, count, received)
    }
  }

  package enum Event: Equatable, Sendable {
    /// The agent has started, and has read these.
    case restored([Transfer])
    /// A person sends something.
    case sent(Transfer)
    /// What is offered now.
    case offersChanged([Offer])
    /// A person wants it. It may be offered no longer.
    /// - Parameter title: What the person was shown. If the other machine has changed it, nothing is accepted.
    case accepted(ActivityID, title: String)
    /// A person does not want it, or does not want it to go on.
    case canceled(ActivityID)
    /// It failed, and a person wants it to be tried again.
    case retried(ActivityID)
    /// It is over, and nobody needs to know about it any longer.
    case forgotten(ActivityID)
    /// Sending: the daemon does not send the activity.
    case notSent(ActivityID, TransferFailure)
    /// A stream is there.
    case began(ActivityID)
    case measured(ActivityID, Measure)
    /// Receiving: the path of the folder for its files.
    case placed(ActivityID, folder: String)
    /// Sending: what is sent now, for another attempt.
    case described(ActivityID, FilesInfo, title: String)
    case ended(ActivityID, Outcome)
    /// Receiving: it had arrived before the agent was started. An attempt that waits for its folder does not begin.
    case found(ActivityID, Outcome)
    case wake
  }

  package enum Effect: Equatable, Sendable {
    /// Sending: send its activity (again).
    case offer(ActivityID)
    /// Sending: its activity is not needed any longer.
    case withdraw(ActivityID)
    /// Receiving: continue the activity, and receive the files.
    case receive(ActivityID)
    /// Receiving: tell the origin that it is over.
    case answer(ActivityID)
    /// End the attempt, and tell the other side why.
    case stop(ActivityID, TransferFailure)
    /// Receiving: delete what has arrived of it in this folder.
    case discard(ActivityID, folder: String)
    case save(ActivityID)
    case erase(ActivityID)
    /// People see it otherwise, and the disk keeps nothing of that.
    case tell(ActivityID)
  }

  /// What happens to what a machine offers.
  package enum Rule: Equatable, Sendable {
    case ask
    case accept
    case refuse
  }
}

extension Transfer {
  /// When it expires or, if it is over, is forgotten, unless an attempt runs. Nil if never.
  var end: Double? {
    if state.isOver { return (ended ?? 0) + Limits.finishedTransferTime }
    return state == .waiting ? expires : nil
  }

  /// It waits for the other machine, but not forever.
  mutating func wait(from date: Double) {
    (state, reason, ended) = (.waiting, nil, nil)
    expires = max(expires ?? 0, date + Limits.outboxTime)
  }

  /// Whether an attempt can end like this although the transfer is over: whoever stopped it may have been too late.
  func canStillBe(_ outcome: TransferTable.Outcome) -> Bool {
    guard case .done = outcome else { return false }
    return reason == .canceled || reason == .withdrawn
  }
}
