// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Foundation
import Testing
import VarlinkClient

@testable import Baton

struct HandoffFailureTests {
  @Test func reasonsHaveTheCodesThatAppsKnow() {
    let codes: [Reason: Int] = [
      .userInfoTooLarge: 4611, .appTimedOut: 4610, .peerTimedOut: 4610, .streamsNotSupported: 4609,
      .peerUnreachable: 4609, .streamInterrupted: 4609, .activityWithdrawn: 4608, .alreadyContinued: 4608,
      .userInfoInvalid: 4608, .titleTooLong: 4608, .persistentIdentifierInvalid: 4608,
    ]
    for (reason, code) in codes { #expect(HandoffFailure(reason).cocoaError.errorCode == code, "\(reason)") }
  }

  @Test(arguments: Reason.allCases) func everyReasonIsAnErrorOfActivities(reason: Reason) {
    let error = HandoffFailure(reason).cocoaError
    #expect(error.isUserActivityError)
    #expect((NSUserActivityErrorMinimum...NSUserActivityErrorMaximum).contains(error.errorCode))
    #expect(error.localizedDescription == reason.explanation)
    #expect((error as NSError).userInfo[UserActivityReasonErrorKey] as? String == reason.rawValue)
    #expect((error as NSError).domain == NSCocoaErrorDomain)
  }

  @Test func aDaemonThatIsNotThereIsAConnectionThatIsNotThere() {
    let error = HandoffFailure(ControlError.notRunning(paths: ["/nowhere"])).cocoaError
    #expect(error.code == .userActivityConnectionUnavailable)
    #expect(error.localizedDescription.contains("/nowhere"))
    #expect((error as NSError).userInfo[UserActivityReasonErrorKey] == nil)
  }

  @Test func whatTheDaemonSaysIsKept() {
    let failure = ControlFailure(.titleTooLong, message: "Too long by 3 bytes.")
    let error = HandoffFailure(ControlError.failed(failure)).cocoaError
    #expect(error.localizedDescription == "Too long by 3 bytes.")
    #expect((error as NSError).userInfo[UserActivityReasonErrorKey] as? String == "titleTooLong")
  }
}
