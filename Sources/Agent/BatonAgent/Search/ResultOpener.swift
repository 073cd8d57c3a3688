// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import JSONCoding
import Search
import Varlink
import VarlinkClient

/// Opens what a search found: in the app that made it, through the daemon.
@Loop
final class ResultOpener {
  /// The type of the activity that stands for an item, and the key of the item's identifier in its `userInfo`. They are
  /// Core Spotlight's.
  private static let itemType = "com.apple.corespotlightitem"
  private static let itemKey = "kCSSearchableItemActivityIdentifier"

  typealias Completion = @Loop (ControlFailure?) -> Void

  private let socket: String?
  private var calls: [Int: AnyObject] = [:]
  private var lastCall = 0

  /// - Parameter socket: The daemon's socket; nil for the default one.
  init(socket: String?) { self.socket = socket }

  /// Lets the app continue the activity, or an activity that stands for its item. What another machine has shared is as
  /// an offer of that one.
  func open(
    _ entry: SavedEntry,
    of application: String,
    from origin: Origin,
    activationToken: String?,
    completion: @escaping Completion
  ) {
    guard let record = entry.activity ?? (origin == .local ? Self.record(ofItem: entry) : nil) else {
      return completion(ControlFailure(.entryNotFound))
    }
    begin(
      OpenActivity.self,
      OpenActivity.Parameters(
        activity: ControlActivity(record),
        application: origin == .local ? application : nil,
        origin: origin,
        activationToken: activationToken
      ),
      completion
    )
  }

  func open(_ offer: ControlOffer, activationToken: String?, completion: @escaping Completion) {
    begin(
      OpenOffer.self,
      OpenOffer.Parameters(
        id: offer.id,
        deviceID: offer.deviceID,
        activationToken: activationToken,
        shown: offer.shown
      ),
      completion
    )
  }

  private static func record(ofItem item: SavedEntry) -> ActivityRecord? {
    guard var record = try? ActivityRecord(id: .random(), activityType: itemType),
      let userInfo = try? UserInfo(json: .object([itemKey: .string(item.identifier)]))
    else { return nil }
    record.userInfo = userInfo
    var titled = record
    titled.title = item.title
    // The title of an activity is on one line.
    return (try? titled.validated()) ?? record
  }

  private func begin<M: Method>(_ method: M.Type, _ parameters: M.Parameters, _ completion: @escaping Completion) {
    lastCall += 1
    let number = lastCall
    do throws(ControlError) {
      // An app may take long to start.
      calls[number] = try ControlCall(method, parameters, path: socket, isPatient: true) { [weak self] result in
        self?.calls[number] = nil
        switch result {
        case .success: completion(nil)
        case .failure(let error): completion(Self.failure(error))
        }
      }
    } catch {
      completion(Self.failure(error))
    }
  }

  private static func failure(_ error: ControlError) -> ControlFailure {
    if case .failed(let failure) = error { return failure }
    return ControlFailure(.daemonUnreachable, message: "\(error)")
  }

  func stop() { calls = [:] }
}
