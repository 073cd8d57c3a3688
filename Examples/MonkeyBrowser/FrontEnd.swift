// SPDX-License-Identifier: Apache-2.0

/// How a person sees and uses the browser. There are two front ends: a screen, and lines.
@MainActor
protocol FrontEnd: AnyObject {
  /// Starts to listen for input.
  func start()

  /// Called when something has happened. The browser's state may have changed.
  func tell(_ notice: Notice)
}
