// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension IndexEntries {
  package struct Parameters: Structure {
    package let application: String
    /// Of items: the name of the app's index. Nil for the default one.
    package let index: String?
    @Coded<GivenEntries> package var given: GivenEntries
    /// Identifiers of activities that the entries replace, too.
    package let replaces: [String]?

    package init(application: String, index: String? = nil, entries: [SavedEntry], replaces: [String]? = nil) {
      self.application = application
      self.index = index
      self.given = GivenEntries(entries)
      self.replaces = replaces
    }

    /// Those that can be saved.
    package var entries: [SavedEntry] { given.entries }

    private enum CodingKeys: String, CodingKey {
      case application, index, replaces
      case given = "entries"
    }
  }
}
