import Activity
import JSONCoding
import Varlink

/// Lists the folders that this machine shares with others under one name.
package enum ListSharedFolders: Method {
  package static let name = "io.baton.Handoff.ListSharedFolders"
  package typealias Parameters = Nothing

  package struct Reply: Structure {
    /// The folders, sorted by name.
    package let folders: [ControlSharedFolder]

    package init(folders: [ControlSharedFolder]) { self.folders = folders }
  }
}

/// The type `SharedFolder`.
package struct ControlSharedFolder: Structure {
  package let name: String
  package let path: String

  package init(name: String, path: String) {
    self.name = name
    self.path = path
  }
}

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
