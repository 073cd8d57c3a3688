// SPDX-License-Identifier: Apache-2.0

import Activity

extension ConfigurationReader {
  /// The configuration in effect, as an equivalent configuration file. It shows where each value was set, and defaults
  /// as comments.
  package var text: String {
    let head =
      files.isEmpty ? ["# No files were read."] : ["# In effect, from these files:"] + files.map { "#   \($0)" }
    return (head + ConfigurationKey.sections.flatMap { ["", "[\($0)]"] + lines(of: $0) }).joined(separator: "\n")
  }

  private func lines(of section: String) -> [String] {
    guard section != ConfigurationKey.folderSection else {
      return configuration.sharedFolders.all.flatMap { name, path in
        // White space at the end of a line would not be read.
        let end = path.unicodeScalars.last?.properties.isWhitespace == true ? "/" : ""
        return (place(ofFolder: name).map { ["# \($0)"] } ?? []) + ["\(name)=\(path)\(end)"]
      }
    }
    return ConfigurationKey.allCases.filter { $0.section == section }.flatMap { key in
      let line = "\(key.key)=\(key.text(in: configuration))"
      return place(of: key).map { ["# \($0)", line] } ?? ["#\(line)"]
    }
  }
}
