// SPDX-License-Identifier: Apache-2.0

import Baton
import CoreSpotlight
import Foundation
import UniformTypeIdentifiers

/// Carries out the commands, on the main thread.
@MainActor
final class App {
  private let application = UserActivityApplication.shared
  private let delegate = AppDelegate()
  private var activities: [String: NSUserActivity] = [:]
  private var delegates: [String: any NSUserActivityDelegate] = [:]
  private var responders: [String: UserActivityResponder] = [:]
  private var documents: [String: UserActivityDocument] = [:]
  private var heart: Heart?
  private var listener: Listener?
  private var receiver: UserActivityReceiver?

  func perform(_ line: String) {
    do {
      let command = try JSONDecoder().decode(Command.self, from: Data(line.utf8))
      perform(command)
    } catch {
      fatalError("\(line): \(error)")
    }
  }

  private func perform(_ command: Command) {
    let name = command.name ?? ""
    switch command.do {
    case "make": make(name, command)
    case "set": change(name, command)
    case "becomeCurrent": activities[name]?.becomeCurrent()
    case "resign": activities[name]?.resignCurrent()
    case "invalidate": activities[name]?.invalidate()
    case "release": activities[name] = nil
    case "get": Report.write("properties", activities[name].map { properties(of: $0) } ?? ["isGone": true])
    case "receive": receive(command)
    case "onContinue": onContinue(command)
    case "receiverOnContinue": receiverOnContinue(command)
    case "continue": continueOffers(command.titles ?? [])
    case "streams": requestStreams(name, command)
    case "responder": makeResponder(name, command)
    case "dropResponder": responders[name] = nil
    case "firstResponder": responders[name]?.becomeFirstResponder()
    case "document": makeDocument(name, command)
    case "openDocument": openDocument(name, command.path ?? "")
    case "closeDocument": documents.removeValue(forKey: name)?.close()
    case "access": reportAccess(command.path ?? "")
    case "watchHeart": heart = Heart()
    case "latency": Report.write("latency", ["milliseconds": heart?.takeLongestPause()])
    case "deleteSaved": deleteSaved(command.identifiers)
    case "index": SearchableItems.index(command.identifiers ?? [], title: command.text ?? "")
    case "deleteItems": SearchableItems.delete(command.identifiers ?? [])
    case "query": SearchableItems.query(command.text ?? "")
    case "settle": break
    case "leaveMainThread": leaveMainThread()
    case "listen": listener = Listener(Set(command.types ?? []))
    case "stopListening": listener = nil
    case "sockets": reportSockets()
    default: fatalError("There is no command \(command.do)")
    }
    Report.write("did", ["command": command.do, "name": command.name])
  }

  // MARK: Activities

  private func make(_ name: String, _ command: Command) {
    let activity = NSUserActivity(activityType: command.properties?.type ?? "org.example.notes")
    activities[name] = activity
    switch command.delegate {
    case "none": break
    case "subclass": delegates[name] = SubclassedDelegate(name)
    default: delegates[name] = ActivityDelegate(name, command)
    }
    activity.delegate = delegates[name]
    change(name, command)
  }

  private func change(_ name: String, _ command: Command) {
    guard let activity = activities[name], let properties = command.properties else { return }
    // Set the title `count` times, because apps set it as the user types.
    for number in 0..<(command.count ?? 0) { activity.title = "\(number)" }
    if let title = properties.title { activity.title = title }
    if let userInfo = properties.userInfo { activity.userInfo = userInfo }
    if let sample = properties.sample { activity.userInfo = SampleUserInfo.named(sample) }
    if let keys = properties.requiredUserInfoKeys { activity.requiredUserInfoKeys = keys }
    if let url = properties.webpageURL { activity.webpageURL = URL(string: url) }
    if let url = properties.referrerURL { activity.referrerURL = URL(string: url) }
    if let time = properties.expiresIn { activity.expirationDate = Date(timeIntervalSinceNow: time) }
    if let keywords = properties.keywords { activity.keywords = keywords }
    if let supports = properties.supportsContinuationStreams { activity.supportsContinuationStreams = supports }
    if let identifier = properties.targetContentIdentifier { activity.targetContentIdentifier = identifier }
    if let identifier = properties.persistentIdentifier { activity.persistentIdentifier = identifier }
    if let isEligible = properties.isEligibleForHandoff { activity.isEligibleForHandoff = isEligible }
    if let isEligible = properties.isEligibleForSearch { activity.isEligibleForSearch = isEligible }
    if let isEligible = properties.isEligibleForPublicIndexing { activity.isEligibleForPublicIndexing = isEligible }
    if let isEligible = properties.isEligibleForPrediction { activity.isEligibleForPrediction = isEligible }
    if let text = properties.contentDescription {
      let attributes = CSSearchableItemAttributeSet(contentType: .text)
      attributes.contentDescription = text
      activity.contentAttributeSet = attributes
    }
    if let needsSave = properties.needsSave { activity.needsSave = needsSave }
  }

  /// Deletes these, or all, and reports when that is done.
  private func deleteSaved(_ identifiers: [String]?) {
    let done: @Sendable () -> Void = { Report.write("deletedSaved") }
    if let identifiers {
      NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: identifiers, completionHandler: done)
    } else {
      NSUserActivity.deleteAllSavedUserActivities(completionHandler: done)
    }
  }

  // MARK: Activities of other machines

  private func receive(_ command: Command) {
    if let types = command.types { application.activityTypes = Set(types) }
    application.delegate = delegate
    application.onOffersChange = { [application] in
      Report.write("offers", ["titles": application.offers.map { $0.title ?? "" }])
    }
  }

  /// As `receive`, without a delegate.
  private func onContinue(_ command: Command) {
    for type in command.types ?? [] {
      application.onContinue(type) { Report.write("continue", properties(of: $0)) }
    }
    application.onOffersChange = { [application] in
      Report.write("offers", ["titles": application.offers.map { $0.title ?? "" }])
    }
  }

  private func receiverOnContinue(_ command: Command) {
    let receiver = UserActivityReceiver(queue: DispatchQueue(label: "receiver"))
    self.receiver = receiver
    for type in command.types ?? [] {
      receiver.onContinue(type) { Report.write("continue", properties(of: $0)) }
    }
  }

  /// As under the main loop of GTK or Qt, nothing of the main queue runs from now on.
  private func leaveMainThread() {
    Report.write("did", ["command": "leaveMainThread"])
    while true { poll(nil, 0, -1) }
  }

  /// Continues all of them at the same time.
  private func continueOffers(_ titles: [String]) {
    delegate.restoring = responders.keys.sorted().compactMap { responders[$0] }
    for title in titles {
      if let offer = application.offers.first(where: { $0.title == title }) {
        application.continueActivity(offer)
      } else {
        Report.write("noOffer", ["title": title])
      }
    }
  }

  /// Requests the streams of the named activity, or of the one that was continued.
  private func requestStreams(_ name: String, _ command: Command) {
    let activity = activities[name] ?? delegate.continued
    let text = command.text ?? ""
    activity?.getContinuationStreams { input, output, error in
      var members = error.map(Report.members(of:)) ?? [:]
      members["name"] = name
      members["areThere"] = input != nil && output != nil
      Report.write("streams", members)
      if let input, let output { Conversation(input, output).ask(text, name) }
    }
  }

  // MARK: Responders and documents

  private func makeResponder(_ name: String, _ command: Command) {
    let responder = responders[name] ?? Responder(name, title: command.text)
    responders[name] = responder
    responder.userActivity = command.activity.flatMap { activities[$0] }
  }

  private func makeDocument(_ name: String, _ command: Command) {
    let document = documents[name] ?? UserActivityDocument()
    documents[name] = document
    document.userActivity = command.activity.flatMap { activities[$0] }
    document.fileURL = command.path.map(URL.init(fileURLWithPath:))
  }

  /// Opens a document whose activity the library makes, as the Info.plist next to the app says.
  private func openDocument(_ name: String, _ path: String) {
    let document = UserActivityDocument(fileURL: URL(fileURLWithPath: path))
    documents[name] = document
    activities[name] = document.userActivity
    document.userActivity?.becomeCurrent()
  }

  private func reportSockets() {
    let directory = "/proc/self/fd/"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let count = names.count { name in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: directory + name))?.hasPrefix("socket:") == true
    }
    Report.write("sockets", ["count": count])
  }

  private func reportAccess(_ path: String) {
    let url = URL(fileURLWithPath: path)
    Report.write("access", ["isAllowed": url.startAccessingSecurityScopedResource()])
    url.stopAccessingSecurityScopedResource()
  }
}
