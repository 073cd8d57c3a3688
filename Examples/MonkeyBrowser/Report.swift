// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A line that the line interface writes: an answer to a command, or an event. It is JSON without the absent members.
struct Report: Encodable, Equatable {
  struct Offer: Encodable, Equatable {
    var title: String?
    var device: String
    var type: String
  }

  /// Absent in answers.
  var event: String?
  /// Absent in events. False if the command could not be carried out; `message` says why.
  var done: Bool?
  var tab: TabKind?
  var title: String?
  var url: String?
  var scroll: Int?
  /// How many pages the history has, or how many have arrived.
  var visits: Int?
  /// How many pages will arrive.
  var total: Int?
  /// A digest that is the same for equal histories; see `Digest`.
  var digest: String?
  var offers: [Offer]?
  var message: String?

  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Reports the state of the visible tab.
  init(_ tab: Tab) {
    done = true
    self.tab = tab.kind
    title = tab.title
    url = tab.url.absoluteString
    scroll = tab.scroll
    visits = tab.history.count
    let text = tab.history.map { "\($0.time) \($0.url.absoluteString) \($0.title)\n" }.joined()
    digest = String(Digest.of(text.utf8), radix: 16)
  }

  init(offers: [Offer]) {
    done = true
    self.offers = offers
  }

  init(_ result: Result<Void, Refusal>) {
    switch result {
    case .success: done = true
    case .failure(let refusal): (done, message) = (false, refusal.message)
    }
  }

  init(_ notice: Notice, offers: [Offer]) {
    message = notice.text
    switch notice {
    case .offersChanged: (event, self.offers) = ("offers", offers)
    case .continuing(let kind): (event, tab) = ("continuing", kind)
    case .opened(let kind): (event, tab) = ("opened", kind)
    case .failed: event = "failed"
    case .receiving(let kind, let count, let total):
      (event, tab, visits, self.total) = ("receiving", kind, count, total)
    case .received(let kind, let count): (event, tab, visits) = ("received", kind, count)
    case .interrupted(let kind, _): (event, tab) = ("interrupted", kind)
    case .notOffered(let kind, _): (event, tab) = ("notOffered", kind)
    case .continuedElsewhere(let kind): (event, tab) = ("continuedElsewhere", kind)
    }
  }
}
