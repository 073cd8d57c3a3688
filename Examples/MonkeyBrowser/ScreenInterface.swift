// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation
import Glibc

/// The front end that fills the terminal: the tabs at the top, then the page, and the offers at the bottom.
@MainActor
final class ScreenInterface: FrontEnd {
  private let application: BrowserApplication
  private let terminal: Terminal
  private var decoder = KeyDecoder()
  /// The latest message, which stays until the next key.
  private var message: String?

  init(_ application: BrowserApplication, _ terminal: Terminal) {
    self.application = application
    self.terminal = terminal
  }

  func start() {
    terminal.enter()
    SignalThread.start { number in
      if number == SIGWINCH { self.draw() } else { self.quit(128 + number) }
    }
    StandardInput.read { self.receive($0) }
    draw()
  }

  func tell(_ notice: Notice) {
    message = notice.text ?? message
    draw()
  }

  private func draw() {
    terminal.draw(Screen(application.browser, status: status, size: terminal.size))
  }

  private var status: String {
    let offer = application.offers.first.map { "Continue '\($0.title ?? $0.activityType)' from \($0.device): press c" }
    return [message, offer].compactMap(\.self).joined(separator: " | ")
  }

  private func receive(_ bytes: [UInt8]) {
    // The terminal is gone.
    guard !bytes.isEmpty else { quit(0) }
    for key in decoder.receive(bytes) { press(key) }
    draw()
  }

  private func press(_ key: Key) {
    message = nil
    do throws(Refusal) {
      switch key {
      case .character("q"), .interrupt: quit(0)
      case .character("c"): try application.continueNewestOffer()
      case .tab: try chooseNextLink()
      default: if let command = command(of: key) { try application.perform(command) }
      }
    } catch {
      message = error.message
    }
  }

  private func command(of key: Key) -> Command? {
    let page = max(Screen.pageRows(terminal.size) - 1, 1)
    switch key {
    case .character("j"), .down: return .scrollBy(1)
    case .character("k"), .up: return .scrollBy(-1)
    case .character(" "), .pageDown: return .scrollBy(page)
    case .pageUp: return .scrollBy(-page)
    case .home: return .scrollTo(0)
    case .end: return .scrollTo(application.browser.tab.page.lines.count - page)
    case .enter: return .followLink
    case .character("b"): return .goBack
    case .character(let character): return character.wholeNumberValue.flatMap(TabKind.init(number:)).map { .select($0) }
    case .tab, .interrupt: return nil
    }
  }

  /// Chooses the next link, and scrolls the page if the link would not be visible.
  private func chooseNextLink() throws(Refusal) {
    try application.perform(.chooseNextLink)
    let (tab, rows) = (application.browser.tab, Screen.pageRows(terminal.size))
    if let link = tab.link, link >= tab.scroll + rows { try application.perform(.scrollTo(link - rows / 2)) }
  }

  private func quit(_ status: Int32) -> Never {
    terminal.leave()
    exit(status)
  }
}
