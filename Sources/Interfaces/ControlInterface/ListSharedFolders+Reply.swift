// SPDX-License-Identifier: Apache-2.0

import Activity

extension ListSharedFolders.Reply {
  package init(_ folders: SharedFolders) {
    self.init(folders: folders.all.map { ControlSharedFolder(name: $0.name, path: $0.path) })
  }

  /// The folders. One that breaks the rules is left out.
  package var sharedFolders: SharedFolders {
    var result = SharedFolders()
    for folder in folders { try? result.add(folder.name, at: folder.path) }
    return result
  }
}
