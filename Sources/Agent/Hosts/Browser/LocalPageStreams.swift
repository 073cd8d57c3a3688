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
  private let path: String?
  private var calls: [UInt64: ControlCall<ServePage>] = [:]
  private var refused: [UInt64: RefusedStream] = [:]
  private var last: UInt64 = 0
  /// The maximum number of streams that wait until the other machine has read why they are refused.
  private static let refusals = 64

  /// - Parameter path: The path of the control socket. Nil for the user's default daemon.
  init(path: String?) { self.path = path }

  /// - Parameters:
  ///   - stream: The value of the event `streamRequested`.
  ///   - team: Nil if the daemon is too old to say. Then nobody knows who would use the ports, so nobody does.
  func serve(_ stream: String, by device: String, in team: String?, _ page: LocalPageActivity) {
    guard calls.count < LocalPageLimits.pages else { return refuse(stream, .tooMany) }
    guard let team else { return refuse(stream, .refused) }
    last += 1
    let number = last
    let parameters = ServePage.Parameters(stream: stream, device: device, team: team, userInfo: page.userInfo)
    let call = try? ControlCall(ServePage.self, parameters, path: SearchSocket.path) { [weak self] result in
      self?.calls[number] = nil
      if case .failure(let error) = result { self?.refuse(stream, Self.failure(error)) }
    }
    guard let call else { return refuse(stream, .noAgent) }
    calls[number] = call
  }

  private static func failure(_ error: ControlError) -> ForwardingFailure {
    guard case .failed(let failure) = error else { return .noAgent }
    return switch failure.reason {
    case .screenLocked: .away
    case .limitReached: .tooMany
    case .notEligible: .forwarded
    default: .broken
    }
  }

  private func refuse(_ stream: String, _ failure: ForwardingFailure) {
    guard refused.count < Self.refusals else { return }
    last += 1
    let number = last
    refused[number] = try? RefusedStream(stream, failure, path: path) { [weak self] in self?.refused[number] = nil }
  }
}
