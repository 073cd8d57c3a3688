// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Testing
import VarlinkClient

@testable import BatonCommand

@Suite struct ExitStatusTests {
  @Test(
    arguments: [
      (.nothingOffered, 4), (.activityNotFound, 4), (.activityWithdrawn, 4), (.alreadyContinued, 5),
      (.userInfoTooLarge, 5), (.notPermitted, 5), (.certificateRevoked, 5), (.peerUnreachable, 6), (.peerTimedOut, 6),
      (.appTimedOut, 6), (.streamReset, 7), (.streamInterrupted, 7), (.teamAmbiguous, 8), (.invitationExpired, 8),
      (.approvalInvalid, 8), (.daemonUnreachable, 3), (.portClosed, 6), (.multicastBlocked, 6), (.clockSkewed, 5),
      (.busUnavailable, 1), (.discoveryUnavailable, 1), (.interfaceExcluded, 1), (.storageFailed, 1),
      (.internalFailure, 1), (.shuttingDown, 3),
    ] as [(Reason, Int32)]
  )
  func reasonsHaveTheirStatus(reason: Reason, status: Int32) {
    #expect(ExitStatus(reason).rawValue == status)
    #expect(ExitStatus(ControlError.failed(ControlFailure(reason))).rawValue == status)
  }

  /// `baton edit-position -` shows errors so.
  @Test func anErrorIsItsMessage() {
    #expect("\(CommandError(.failure, "There is no file x."))" == "There is no file x.")
  }

  @Test func noReasonIsSuccessOrABadCommandLine() {
    for reason in Reason.allCases {
      #expect(ExitStatus(reason) != .success && ExitStatus(reason) != .usage, "\(reason)")
    }
  }

  @Test func aDaemonThatCannotBeReachedIsOne() {
    for error in [
      ControlError.notRunning(paths: []), .notPermitted(path: ""), .foreignServer(path: "", user: 1), .timedOut,
      .disconnected,
    ] {
      #expect(ExitStatus(error) == .daemonUnreachable)
    }
  }
}
