// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff

/// An advert after it has been opened.
enum AdvertFuzzer: Fuzzer {
  static var samples: [Advert] {
    get throws {
      var record = try Names.record(3)
      record.supportsContinuationStreams = true
      record.webpageURL = "https://example.org/"
      record.title = String(repeating: "é", count: Limits.titleLength / 2)
      return [record, nil].map {
        Advert(
          device: Names.device(1),
          deviceName: "Küche",
          epoch: 1_700_000_000_000,
          counter: 3,
          current: $0.map { Advert.Current($0, since: 7) },
          time: 1_800_000_000
        )
      }
    }
  }

  static var seeds: [[UInt8]] { get throws { try samples.map(\.plaintext) } }

  static let length = 400

  static func run(_ input: [UInt8]) throws {
    // Shorter inputs are padded, as a daemon does it.
    let missing = Advert.plaintextLength - input.count
    let plaintext = input.prefix(Advert.plaintextLength) + Array(repeating: 0, count: max(0, missing))
    if missing != 0 { hold(Advert(plaintext: input) == nil, "An advert of \(input.count) bytes") }
    guard let advert = Advert(plaintext: Array(plaintext)) else { return }
    hold(advert.deviceName.utf8.count <= Limits.deviceNameLength, "A name of \(advert.deviceName.utf8.count) bytes")
    if let current = advert.current {
      hold(ActivityRecord.isType(current.activityType), "The type \(current.activityType)")
      hold(current.title.utf8.count <= Advert.advertTitleLength, "A title of \(current.title.utf8.count) bytes")
    }
    same(advert.plaintext.count, Advert.plaintextLength)
    same(Advert(plaintext: advert.plaintext), advert)
  }
}
