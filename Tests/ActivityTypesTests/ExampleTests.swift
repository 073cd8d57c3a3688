// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import Foundation
import JSONCoding
import Testing

/// The examples of Documentation/reference/ActivityTypes, which `Tests/Everyday/test_activity_types.py` checks against
/// schemas.
struct ExampleTests {
  private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Documentation/reference/ActivityTypes/examples")

  private static func examples(_ subdirectory: String = "") throws -> [(name: String, members: [String: JSON])] {
    let directory = directory.appending(path: subdirectory)
    let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    return try files.filter { $0.pathExtension == "json" }.map { file in
      let json = try JSON(parsing: Data(contentsOf: file), depth: 16)
      return (file.lastPathComponent, try #require(json.object))
    }
  }

  /// All values of the key `document`, at any depth.
  private static func documents(in json: JSON?) -> [JSON] {
    switch json {
    case .array(let elements): elements.flatMap { documents(in: $0) }
    case .object(let members): members.flatMap { $0.key == "document" ? [$0.value] : documents(in: $0.value) }
    default: []
    }
  }

  @Test func examplesAreActivitiesWithSoundDocuments() throws {
    let examples = try Self.examples()
    var documents = 0
    for (name, members) in examples {
      #expect(members["activityType"]?.string.flatMap(OpenActivityType.init) != nil, "\(name)")
      let userInfo = members["userInfo"] ?? [:]
      #expect(try UserInfo(json: userInfo).json == userInfo, "\(name)")
      for document in Self.documents(in: userInfo) {
        let reference = try #require(DocumentReference(json: document), "\(name)")
        #expect(reference.json == document, "\(name)")
        documents += 1
      }
    }
    #expect(examples.count >= 16 && documents >= 8)
  }

  @Test func refusedDocumentsAreRefused() throws {
    // What the schemas refuse outside of `document` is for the program that takes the type.
    let faulty: Set = [
      "directory-relative.json", "text-position-commit.json", "text-position-escape.json", "text-position-hash.json",
      "text-position-hook.json", "text-position-plain-url.json", "text-position-size.json",
      "text-position-url-as-repository.json", "text-position-repository-localhost.json",
      "text-position-repository-capitals.json",
    ]
    for (name, members) in try Self.examples("refused") {
      for document in Self.documents(in: members["userInfo"]) {
        #expect((DocumentReference(json: document) == nil) == faulty.contains(name), "\(name)")
      }
    }
  }
}
