// SPDX-License-Identifier: Apache-2.0

import Activity

/// The limits of what a browser hands over, each with its unit and its reason.
package enum BrowserLimits {
  /// The maximum length of a message from the browser, in bytes. It has room for a page's state, and text can be twice
  /// as long in JSON.
  package static let incomingLength = 4 * 1024 * 1024
  /// The maximum length of a message to the browser, in bytes: what browsers accept.
  package static let outgoingLength = 1024 * 1024
  /// The maximum nesting depth of arrays and objects in a message, and in the state of a page.
  package static let depth = 12
  /// The maximum number of bytes that may wait until the browser reads them. One that does not read is broken.
  package static let queueLength = 8 * outgoingLength
  /// The maximum length of the state of a page as JSON, in bytes. It fits in one message beside the URL and the title.
  package static let stateLength = outgoingLength - 64 * 1024
  /// The maximum length of the icon's URL in bytes. An icon is decoration, and must leave room for the state.
  package static let iconLength = 512
  /// The maximum number of tabs that one activity opens.
  package static let tabs = 50
  /// The maximum number of fields in a form.
  package static let fields = 200
  /// The maximum length of a field's name, an ID, a tag, and of the beginning of a paragraph that is searched for, in
  /// bytes. The extension has the same limit (`LIMITS.name` in fields.js), so only other programs' texts exceed it.
  package static let nameLength = 256
  /// The maximum number of steps in an anchor's path, and the maximum number of an element among its siblings.
  package static let pathLength = 64
  package static let siblings = 100_000
  /// The minimum time between two changes of what is offered. A person who leafs through tabs passes most of them.
  package static let changeTime = Duration.milliseconds(250)
  /// The time after a person has turned to a page in which news of another program's activity must be older than that.
  package static let choiceTime = Duration.milliseconds(250)
  /// The time from asking the page for its state until it is published without. The daemon waits for `saveTime`. What
  /// comes later is in the stream.
  package static let stateTime = Limits.saveTime - .milliseconds(700)
  /// The time from continuing a page until it is opened without its state.
  package static let streamTime = Duration.seconds(10)
  /// The maximum number of pages that are continued at the same time.
  package static let continuations = 8
  /// The maximum length of the address of a page of the extension, in bytes.
  package static let ownPageLength = 256
  /// The number of pages that were handed over and whose state can still be fetched.
  package static let handedOver = 4
  /// The maximum number of pages that were sent to single machines. The oldest that has arrived gives way to another
  /// one.
  package static let sent = 8
  /// The maximum number of streams that send the state of pages at the same time.
  package static let streams = 8
  /// The maximum number of offers and of devices that the browser is told about. People read no longer lists.
  package static let listed = 100
}
