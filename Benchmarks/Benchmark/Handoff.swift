// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import VarlinkClient

/// An activity that moves from one daemon to another, with both apps in this process.
enum Handoff {
  static let activityType = "org.example.benchmark"

  /// Makes an activity current at the origin.
  ///
  /// - Returns: The connection that holds the activity with its replies, and the activity's ID.
  static func publish(
    _ origin: String,
    streams: Bool = false
  ) throws -> (held: ControlReplies<BecomeCurrent>, id: ActivityID) {
    var activity = ControlActivity(activityType: activityType)
    activity.supportsContinuationStreams = streams
    var held = try ControlConnection(path: origin).replies(of: BecomeCurrent.self, .init(activity: activity))
    guard let reply = try held.next() else { throw SystemError("becomeCurrent", ECONNRESET) }
    return (held, reply.id)
  }

  /// Waits until the receiver lists the activity.
  static func awaitOffer(_ id: ActivityID, _ offers: inout ControlReplies<ListOffers>) throws {
    while let reply = try offers.next() {
      if reply.offers.contains(where: { $0.id == id }) { return }
    }
    throw SystemError("listOffers", ECONNRESET)
  }

  static func offers(_ receiver: String) throws -> ControlReplies<ListOffers> {
    try ControlConnection(path: receiver).replies(of: ListOffers.self, .init(activityType: activityType))
  }

  /// Hands an activity off and opens so many streams.
  static func streams(_ count: Int, origin: String, receiver: String) throws -> [Route.Stream] {
    var (held, id) = try publish(origin, streams: true)
    var offers = try offers(receiver)
    try awaitOffer(id, &offers)
    _ = try ControlConnection(path: receiver).call(Continue.self, .init(id: id))
    guard try held.next()?.event == .continued else { throw SystemError("continued", EPROTO) }
    return try (0..<count).map { _ in
      // Opening waits until the origin's app accepts. A refusal comes without a request.
      let opening = Work {
        try ControlConnection(path: receiver).upgrade(OpenStream.self, .init(activity: id)).descriptor
      }
      guard let token = try nextRequest(&held, opening) else {
        _ = try opening.result()
        throw SystemError("streamRequested", EPROTO)
      }
      let near = try ControlConnection(path: origin).upgrade(AcceptStream.self, .init(stream: token)).descriptor
      return Route.Stream(near: Route.blocking(near), far: Route.blocking(try opening.result()))
    }
  }

  /// Waits until the origin is asked for a stream. Returns nil if opening has failed.
  private static func nextRequest(_ held: inout ControlReplies<BecomeCurrent>, _ opening: Work<Int32>) throws -> String?
  {
    while true {
      do {
        return try held.next(until: .now + .milliseconds(100))?.stream
      } catch {
        guard case .timedOut = error else { throw error }
        if opening.isDone { return nil }
      }
    }
  }
}
