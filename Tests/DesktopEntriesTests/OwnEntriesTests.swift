// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Desktop

/// The entries that Baton installs.
@Suite struct OwnEntriesTests {
  private func entry(_ id: String) throws -> DesktopEntry {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Config")
    var builder = CatalogBuilder()
    builder.add(id: id, path: "/\(id).desktop", Array(try Data(contentsOf: folder.appending(path: "\(id).desktop"))))
    #expect(builder.complaints == [])
    return try #require(builder.catalog.applications.first)
  }

  @Test(
    arguments: [
      ("io.baton.Terminal", ["io.baton.directory", "io.baton.terminal"]),
      ("io.baton.TextEditor", ["io.baton.text-position"]),
    ]
  )
  func openTypesAreTakenInATerminal(id: String, types: [String]) throws {
    let entry = try entry(id)
    #expect(entry.activityTypes.sorted() == types)
    #expect(entry.needsTerminal && entry.tryExec == "baton")
    #expect(entry.commandLine(targets: []) == ["sh", "-c", #"exec baton continue --shell "$BATON_OFFER""#])
  }
}
