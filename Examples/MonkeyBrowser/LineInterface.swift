// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation
import Glibc

/// The front end without a terminal. Each line of standard input is a command. Each answer, and each event, is a line
/// of JSON on standard output.
@MainActor
final class LineInterface: FrontEnd {
  private let application: BrowserApplication
  private var rest: [UInt8] = []
  /// In bytes.
  private static let longestLine = 8192

  init(_ application: BrowserApplication) { self.application = application }

  func start() { StandardInput.read { self.receive($0) } }

  func tell(_ notice: Notice) { write(Report(notice, offers: offers)) }

  private func receive(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { exit(0) }
    rest += bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      answer(String(decoding: rest[..<end], as: UTF8.self))
      rest.removeFirst(end + 1)
    }
    if rest.count > Self.longestLine { exit(1) }
  }

  private func answer(_ line: String) {
    do throws(Refusal) {
      switch try LineCommand(line) {
      case .browse(let command): try application.perform(command)
      case .continueOffer: try application.continueNewestOffer()
      case .offers: return write(Report(offers: offers))
      case .state: return write(Report(application.browser.tab))
      case .quit:
        write(Report(.success(())))
        exit(0)
      }
      write(Report(.success(())))
    } catch {
      write(Report(.failure(error)))
    }
  }

  private var offers: [Report.Offer] {
    application.offers.map { Report.Offer(title: $0.title, device: $0.device, type: $0.activityType) }
  }

  private func write(_ report: Report) { StandardOutput.write(report.line + "\n") }
}
