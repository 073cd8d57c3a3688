// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension ActivityID: JSONConvertible {
  package init?(json: JSON) {
    guard let id = json.string.flatMap(ActivityID.init(text:)) else { return nil }
    self = id
  }

  package var json: JSON { .string(description) }
}

extension DeviceID: JSONConvertible {
  package init?(json: JSON) {
    guard let id = json.string.flatMap(DeviceID.init(text:)) else { return nil }
    self = id
  }

  package var json: JSON { .string(text) }
}
