// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Search

/// What other machines say about what they share.
enum SharingMessageFuzzer: Fuzzer {
  private static let entry = """
    {"identifier":"i","title":"t","keywords":["k"],"contentDescription":"About","isEligibleForPublicIndexing":true,
    "expirationDate":1.5,"activity":{"id":"5b1f0c52-8a3e-4b6e-9e0d-000000000001","activityType":"t",
    "webpageURL":"https://example.org/"}}
    """

  private static func string(_ text: String) -> String { String(decoding: JSON.string(text).bytes, as: UTF8.self) }

  static let seeds = [
    #"{"kind":"pull","generation":"g","after":7,"resetLast":9}"#,
    #"{"kind":"changed","generation":"","last":0}"#,
    #"{"kind":"page","generation":"g","after":0,"entries":[],"last":0,"isReset":true,"isComplete":true}"#,
    #"""
    {"kind":"page","generation":"g","after":1,"entries":[
    {"kind":"removed","number":2,"id":1},
    {"kind":"forget","number":3,"id":1,"device":"d","generation":"h","upTo":4},
    {"kind":"put","number":5,"id":2,"application":"a","entry":
    \#(string(entry))}
    ],"last":9,"isReset":false,"isComplete":false}
    """#,
  ].map { Array($0.utf8) }

  static let words = [
    "kind", "pull", "page", "changed", "put", "removed", "forget", "generation", "after", "resetLast", "entries",
    "last", "isReset", "isComplete", "number", "id", "upTo", "device", "application", "entry", "9007199254740993",
  ]

  static let length = 4096

  static func run(_ input: [UInt8]) throws {
    guard let json = try? JSON(parsing: input, depth: Limits.indexMessageDepth),
      let message = SharingMessage(json: json)
    else { return }
    if case .page(let page) = message {
      hold(page.after <= page.through && page.through <= page.last, "The numbers are not in order")
      hold(zip(page.lines, page.lines.dropFirst()).allSatisfy { $0.number < $1.number }, "Lines are not in order")
      for case .put(_, let entry) in page.lines.map(\.change) {
        same(entry.shared, entry, "More is shared than may be")
      }
      // Lines that are not understood are not sent on.
      guard page.through == page.lines.last?.number ?? page.after else { return }
    }
    same(SharingMessage(json: message.json), message, "The message again")
  }
}
