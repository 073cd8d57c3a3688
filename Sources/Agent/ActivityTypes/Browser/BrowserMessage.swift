// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// What the extension tells the host.
package enum BrowserMessage: Equatable, Sendable {
  /// The first message. `isTaken`: another program's activity, or another machine, took over from the current page
  /// before the connection was lost. `url`: the page that another machine has continued, if it is that.
  case hello(isTaken: Bool, url: String? = nil)
  /// The page of the current tab; nil if none is to be offered. `isChosen`: the person has just turned to it.
  case page(BrowserPage?, isChosen: Bool)
  /// Whether one of the browser's windows has the focus now.
  case focus(isOn: Bool)
  /// Why there is no page to offer. Nil if there is nothing to say.
  case withheld(WithheldPage?)
  /// The answer to a request for the page's state. `url` is the page that it is of.
  case state(request: Int, url: String?, PageState?)
  /// Whether to tell what other machines offer.
  case watch(isOn: Bool)
  /// The person continues an offer, as it was shown.
  case open(request: Int, ActivityID, DeviceID, ShownOffer)
  case send(request: Int, BrowserPage, PageState, DeviceID)
  /// A window of the browser is to come to the front, and open this page of the extension's own.
  case front(url: String)

  /// Nil for messages that are not known or not valid.
  package init?(json: JSON) {
    guard let members = json.object else { return nil }
    let request = members["request"]?.int64.flatMap { Int(exactly: $0) } ?? 0
    let device = members["deviceID"].flatMap { DeviceID(json: $0) }
    switch members["type"]?.string {
    case "hello":
      let url = members["url"]?.string.flatMap(BrowserPage.addressHere)
      self = .hello(isTaken: members["isTaken"]?.bool ?? false, url: url)
    case "page":
      let page = members["page"].flatMap { BrowserPage(json: $0, isHere: true) }
      self = .page(page, isChosen: members["isChosen"]?.bool ?? false)
    case "focus": self = .focus(isOn: members["isOn"]?.bool ?? false)
    case "withheld": self = .withheld(members["why"]?.string.flatMap(WithheldPage.init))
    case "state":
      let state = members["state"].flatMap { $0.isNull ? nil : PageState(json: $0) }
      self = .state(request: request, url: members["url"]?.string.flatMap(BrowserPage.addressHere), state)
    case "watch": self = .watch(isOn: members["isOn"]?.bool ?? false)
    case "open":
      guard let id = members["id"].flatMap({ ActivityID(json: $0) }), let device,
        let shown = members["shown"].flatMap({ ShownOffer(json: $0) })
      else { return nil }
      self = .open(request: request, id, device, shown)
    case "send":
      guard let page = members["page"].flatMap({ BrowserPage(json: $0, isHere: true) }), let device else { return nil }
      self = .send(request: request, page, PageState(json: members["state"] ?? .null), device)
    case "front":
      guard let url = members["url"]?.string else { return nil }
      self = .front(url: url)
    default: return nil
    }
  }
}

/// What the host tells the extension about the page that it reported.
package enum PageStatus: Equatable, Sendable {
  case offered
  /// Nothing is offered.
  case withdrawn
  /// Another program's activity has become current.
  case displaced
  case continued(device: String?)
  /// The daemon does not take the page. The text is for people.
  case refused(String)

  package var json: JSON {
    switch self {
    case .offered: ["type": "status", "status": "offered"]
    case .withdrawn: ["type": "status", "status": "withdrawn"]
    case .displaced: ["type": "status", "status": "displaced"]
    case .continued(let device):
      ["type": "status", "status": "continued", "device": device.map(JSON.string) ?? .null]
    case .refused(let message): ["type": "status", "status": "refused", "message": .string(message)]
    }
  }
}
