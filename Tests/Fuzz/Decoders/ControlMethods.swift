// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import Varlink

/// All methods of batond.
enum ControlMethods {
  nonisolated(unsafe) static let all = HandoffInterface.methods

  static let names = all.map { $0.name }

  /// The names of members, and other words of the interface.
  static let words: [String] = {
    let text = InterfaceDescription.handoff.text.unicodeScalars
    let words = Set(text.split { !$0.properties.isAlphabetic }.map(String.init)).filter { $0.utf8.count > 1 }.sorted()
    return names + words + [
      "oneway", "more", "upgrade", "error", "continues", "parameters", "io.baton.Handoff.Failed",
      "org.varlink.service.GetInfo", "org.varlink.service.GetInterfaceDescription",
      "org.varlink.service.InvalidParameter",
      "\0", "{\"method\":\"", "{\"parameters\":{", "00112233-4455-6677-8899-aabbccddeeff",
    ]
  }()
}
