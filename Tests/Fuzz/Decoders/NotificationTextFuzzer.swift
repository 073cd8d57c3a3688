// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop

/// What users read about an offer. Titles and names come from other machines.
enum NotificationTextFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [7] + Array("Notes\0laptop\0Reader\0org.example.Reader".utf8),
    [3] + Array("<b>a</b>&\u{202E}\u{AD}\n\0de\u{1B}[31mvice\0\0/usr/share/icons/a b.png".utf8),
  ]

  static let length = 1024

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    let flags = choices.byte()
    let texts = choices.remaining().split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    func text(_ index: Int) -> String? { texts.count > index && !texts[index].isEmpty ? texts[index] : nil }
    let notice = OfferNotice(
      id: OfferNotice.ID(activity: Names.activity(1), deviceID: Names.device(1)),
      activityType: "org.example.notes",
      title: text(0),
      application: text(2),
      what: text(3) == nil ? nil : "Web page",
      showsPage: flags & 16 != 0,
      pageHost: flags & 32 == 0 ? nil : text(2).flatMap { WebPage.isHostName($0) ? $0 : nil },
      device: text(1) ?? ""
    )
    let all = ["body", "body-markup", "actions"]
    let capabilities = Set(all.enumerated().filter { flags & (1 << $0.offset) != 0 }.map(\.element))
    let content = NotificationContent(notice, failure: flags & 8 == 0 ? nil : "It is gone")
    let shown = NotificationText(content, capabilities: capabilities)
    hold(!shown.summary.isEmpty, "An empty summary")
    for line in [shown.summary, shown.body] + shown.actions.map(\.label) {
      hold(!line.unicodeScalars.contains(where: isHarmful), "\(line.debugDescription) is shown")
    }
    if capabilities.isSuperset(of: ["body", "body-markup"]) {
      hold(!shown.body.unicodeScalars.contains { $0 == "<" || $0 == ">" }, "Markup in \(shown.body)")
    }
    if !capabilities.contains("body") { same(shown.body, "") }
    same(NotificationText(content, capabilities: capabilities), shown)
  }

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isBidiControl
    }
  }
}
