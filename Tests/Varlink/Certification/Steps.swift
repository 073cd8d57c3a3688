// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Varlink

private let record: JSON = ["bool": false, "int": 2, "float": .double(.pi), "string": "a lot of string"]
private let map: JSON = ["foo": "Foo", "bar": "Bar"]
private let set: JSON = ["one": [:], "two": [:], "three": [:]]
private let replyTexts = (1...10).map { JSON.string("Reply number \($0)") }

private let mytype: JSON = [
  "object": ["method": "org.varlink.certification.Test09", "parameters": ["map": map]],
  "enum": "two",
  "struct": ["first": 1, "second": "2"],
  "array": ["one", "two", "three"],
  "dictionary": map,
  "stringset": set,
  "interface": [
    "foo": [nil, ["foo": "foo", "bar": "bar"], nil, ["one": "foo", "two": "bar"]],
    "anon": ["foo": true, "bar": false],
  ],
]

enum Test01: Step {
  static let wants: [String: JSON] = [:]
  static let gives: [[String: JSON]] = [["bool": true]]
}

enum Test02: Step {
  static let wants: [String: JSON] = ["bool": true]
  static let gives: [[String: JSON]] = [["int": 1]]
}

enum Test03: Step {
  static let wants: [String: JSON] = ["int": 1]
  static let gives: [[String: JSON]] = [["float": 1.0]]
}

enum Test04: Step {
  static let wants: [String: JSON] = ["float": 1.0]
  static let gives: [[String: JSON]] = [["string": "ping"]]
}

enum Test05: Step {
  static let wants: [String: JSON] = ["string": "ping"]
  static let gives = [record.object ?? [:]]
}

enum Test06: Step {
  static let wants = record.object ?? [:]
  static let gives: [[String: JSON]] = [["struct": record]]
}

enum Test07: Step {
  static let wants: [String: JSON] = ["struct": record]
  static let gives: [[String: JSON]] = [["map": map]]
}

enum Test08: Step {
  static let wants: [String: JSON] = ["map": map]
  static let gives: [[String: JSON]] = [["set": set]]
}

enum Test09: Step {
  static let wants: [String: JSON] = ["set": set]
  static let gives: [[String: JSON]] = [["mytype": mytype]]
}

enum Test10: Step {
  static let mode = Call.Mode.more
  static let wants: [String: JSON] = ["mytype": mytype]
  static let gives: [[String: JSON]] = replyTexts.map { ["string": $0] }
}

enum Test11: Step {
  static let mode = Call.Mode.oneway
  static let wants: [String: JSON] = ["last_more_replies": .array(replyTexts)]
  static let gives: [[String: JSON]] = [[:]]
}

enum End: Step {
  static let wants: [String: JSON] = [:]
  static let gives: [[String: JSON]] = [["all_ok": true]]
}
