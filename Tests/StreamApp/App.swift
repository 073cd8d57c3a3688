// SPDX-License-Identifier: Apache-2.0

import Baton

/// Exchanges bytes with the app that continues its activity, or whose activity it continues. Exits as soon as it has
/// everything, with 0 if every byte was right.
@MainActor
final class App: UIResponder, UIApplicationDelegate {
  private let style: Style
  private let length: Int
  private let origin: Origin

  init(_ style: Style, length: Int) {
    self.style = style
    self.length = length
    origin = Origin(style, length: length)
    super.init()
  }

  func offer(_ type: String) { origin.offer(type) }

  func await(_ type: String) {
    UIApplication.shared.activityTypes = [type]
    UIApplication.shared.onOffersChange = {
      if let offer = UIApplication.shared.offers.first { UIApplication.shared.continueActivity(offer) }
    }
    UIApplication.shared.delegate = self
  }

  func application(
    _ application: UIApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    let (style, length) = (style, length)
    userActivity.getContinuationStreams { input, output, error in
      guard let input, let output else { return App.end("No streams: \(error?.localizedDescription ?? "")", 1) }
      style.run(Exchange(input, output, length, closes: style != .release)) { App.end($0) }
    }
    return true
  }

  func application(
    _ application: UIApplication,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  ) { App.end("Not continued: \(error.localizedDescription)", 1) }

  nonisolated static func end(_ exchange: Exchange) {
    end(exchange.isWhole ? "Whole" : "Not whole", exchange.isWhole ? 0 : 1)
  }

  nonisolated static func end(_ text: String, _ status: Int32) {
    Report.write(text)
    exit(status)
  }
}

/// A delegate without streams.
final class Deaf: NSObject, NSUserActivityDelegate {}

/// The side that offers the activity.
final class Origin: NSObject, NSUserActivityDelegate {
  private let deaf = Deaf()
  private let style: Style
  private let length: Int
  private var activity: NSUserActivity?

  init(_ style: Style, length: Int) {
    self.style = style
    self.length = length
  }

  func offer(_ type: String) {
    let activity = NSUserActivity(activityType: type)
    activity.title = style.rawValue
    activity.supportsContinuationStreams = true
    activity.delegate = style == .ignore ? deaf : self
    activity.becomeCurrent()
    self.activity = activity
  }

  func userActivity(
    _ userActivity: NSUserActivity,
    didReceive inputStream: InputStream,
    outputStream: OutputStream
  ) {
    style.run(Exchange(inputStream, outputStream, length, closes: style != .release)) { App.end($0) }
  }
}
