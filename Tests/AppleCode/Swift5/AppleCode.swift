// SPDX-License-Identifier: Apache-2.0

import Baton

// Handoff code as in Apple's documents and in apps, in the Swift 5 language mode. The test is that it compiles.
// AppleCodeTests calls some of it; `public` and `open` are there for that, and nothing else was added.

// MARK: A UIKit app

public class AppDelegate: UIResponder, UIApplicationDelegate {
  public var window: AnyObject?
  public var calls: [String] = []
  let rootViewController = ProductViewController()

  public func application(
    _ application: UIApplication,
    willContinueUserActivityWithType userActivityType: String
  ) -> Bool {
    calls.append("willContinue")
    return true
  }

  public func application(
    _ application: UIApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    calls.append("continue")
    guard
      userActivity.activityType == NSUserActivityTypeBrowsingWeb || userActivity.activityType == "com.example.product"
    else { return false }
    if let identifier = userActivity.userInfo?["identifier"] as? Int {
      rootViewController.identifier = identifier
      restorationHandler([rootViewController])
      return true
    }
    guard let url = userActivity.webpageURL,
      let components = URLComponents(url: url, resolvingAgainstBaseURL: true), components.path != ""
    else { return false }
    restorationHandler(nil)
    return true
  }

  public func application(
    _ application: UIApplication,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: Error
  ) {
    calls.append("didFail")
    if (error as NSError).code != NSUserCancelledError { print(error.localizedDescription) }
    switch error {
    case CocoaError.userActivityHandoffFailed, CocoaError.userActivityConnectionUnavailable: break
    default: break
    }
  }

  public func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) {
    calls.append("didUpdate")
    userActivity.addUserInfoEntries(from: ["version": 2])
  }
}

// MARK: A view controller

class ProductViewController: UIResponder, NSUserActivityDelegate {
  var identifier = 0
  var canEdit: Bool = false

  func viewDidLoad() {
    let activity = NSUserActivity(activityType: "com.example.product")
    activity.title = "Viewing a product"
    activity.userInfo = ["identifier": identifier, "when": Date(), "url": URL(string: "https://example.com") as Any]
    activity.requiredUserInfoKeys = ["identifier"]
    activity.keywords = Set(["product", "example"])
    activity.isEligibleForSearch = true
    activity.isEligibleForHandoff = true
    activity.isEligibleForPublicIndexing = true
    activity.persistentIdentifier = NSUserActivityPersistentIdentifier("product-\(identifier)")
    activity.expirationDate = Date(timeIntervalSinceNow: 60 * 60)
    activity.webpageURL = URL(string: "https://example.com/product/\(identifier)")
    activity.supportsContinuationStreams = true
    activity.delegate = self
    userActivity = activity
    userActivity?.becomeCurrent()
  }

  func viewWillDisappear() {
    userActivity?.resignCurrent()
    userActivity?.invalidate()
    userActivity = nil
  }

  func textDidChange() { userActivity?.needsSave = true }

  override func updateUserActivityState(_ activity: NSUserActivity) {
    activity.addUserInfoEntries(from: ["identifier": identifier])
    super.updateUserActivityState(activity)
  }

  override func restoreUserActivityState(_ activity: NSUserActivity) {
    if activity.activityType == "com.example.product" {
      identifier = activity.userInfo?["identifier"] as? Int ?? 0
    }
    super.restoreUserActivityState(activity)
  }

  func userActivityWillSave(_ userActivity: NSUserActivity) {
    userActivity.userInfo = ["identifier": 1]
  }

  func userActivityWasContinued(_ userActivity: NSUserActivity) {
    DispatchQueue.main.async {
      self.canEdit = false
    }
  }

  func userActivity(_ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream) {
    let exchange = StreamExchange(input: inputStream, output: outputStream)
    exchange.start()
  }
}

// MARK: Streams with events

class StreamExchange: NSObject, StreamDelegate {
  let input: InputStream
  let output: OutputStream
  var received = Data()

  init(input: InputStream, output: OutputStream) {
    self.input = input
    self.output = output
    super.init()
  }

  func start() {
    input.delegate = self
    output.delegate = self
    input.schedule(in: .main, forMode: .default)
    output.schedule(in: .current, forMode: RunLoop.Mode.common)
    input.open()
    output.open()
  }

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    switch eventCode {
    case .hasBytesAvailable:
      var buffer = [UInt8](repeating: 0, count: 1024)
      while input.hasBytesAvailable {
        let count = input.read(&buffer, maxLength: buffer.count)
        if count > 0 { received.append(buffer, count: count) } else { break }
      }
    case .hasSpaceAvailable:
      let data = Array("hello".utf8)
      _ = output.write(data, maxLength: data.count)
    case .errorOccurred: print(aStream.streamError?.localizedDescription ?? "unknown")
    case .endEncountered:
      aStream.close()
      aStream.remove(from: .main, forMode: .default)
    default: break
    }
  }
}

func requestStreams(_ userActivity: NSUserActivity) {
  guard userActivity.supportsContinuationStreams else { return }
  userActivity.getContinuationStreams { inputStream, outputStream, error in
    guard let inputStream = inputStream, let outputStream = outputStream, error == nil else { return }
    inputStream.open()
    outputStream.open()
  }
  userActivity.getContinuationStreams(completionHandler: { (input, output, error) in
    if let error = error as NSError?, error.code == NSUserActivityRemoteApplicationTimedOutError { return }
  })
}

// MARK: An AppKit app

public class MacAppDelegate: NSObject, NSApplicationDelegate {
  public var calls: [String] = []

  public func application(
    _ application: NSApplication,
    willContinueUserActivityWithType userActivityType: String
  ) -> Bool {
    return false
  }

  public func application(
    _ application: NSApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([NSUserActivityRestoring]) -> Void
  ) -> Bool {
    calls.append("continue")
    restorationHandler([])
    return true
  }
}

// MARK: A document and a class that only sends

class TextDocument: UIDocument {
  override func updateUserActivityState(_ userActivity: NSUserActivity) {
    super.updateUserActivityState(userActivity)
    userActivity.addUserInfoEntries(from: ["selection": 5])
  }
}

class Sender: NSObject {
  var activity: NSUserActivity?

  func send(_ note: (id: UUID, title: String?)) {
    activity = NSUserActivity(activityType: "com.example.note")
    activity?.title = note.title
    activity?.userInfo = [
      "id": note.id.uuidString as NSString, "title": note.title as Any, NSString(string: "count"): NSNumber(value: 5),
    ]
    activity?.becomeCurrent()
  }
}

extension Sender: NSUserActivityDelegate {
  func userActivityWillSave(_ userActivity: NSUserActivity) {
    userActivity.addUserInfoEntries(from: ["saved": true])
  }
}

class Subclass: NSUserActivity {
  override var title: String? {
    get { super.title ?? "Untitled" }
    set { super.title = newValue }
  }

  override func becomeCurrent() {
    super.becomeCurrent()
  }
}
