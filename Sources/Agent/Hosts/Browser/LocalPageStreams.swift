// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import JSONCoding
import VarlinkClient

/// Leaves the streams of a local page to the agent, which asks the user and knows the ports. They go on when the
/// browser has ended.
@Loop
final class LocalPageStreams {
  private var calls: [UInt64: ControlCall<ServePage>] = [:]
  private var last: UInt64 = 0

  /// - Parameters:
  ///   - stream: The value of the event `streamRequested`.
  ///   - team: Nil if the daemon is too old to say. Then nobody knows who would use the ports, so nobody does.
  func serve(_ stream: String, by device: String, in team: String?, _ page: LocalPageActivity) {
    guard let team, calls.count < LocalPageLimits.pages else { return }
    last += 1
    let number = last
    let parameters = ServePage.Parameters(stream: stream, device: device, team: team, userInfo: page.userInfo)
    calls[number] = try? ControlCall(ServePage.self, parameters, path: SearchSocket.path) { [weak self] _ in
      self?.calls[number] = nil
    }
  }
}
