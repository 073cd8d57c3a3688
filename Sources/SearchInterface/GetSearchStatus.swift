import JSONCoding
import Varlink

/// Returns how much is kept.
package enum GetSearchStatus: Method {
  package static let name = "io.baton.Search.GetStatus"
  package typealias Parameters = Nothing

  package struct Application: Structure {
    package let application: String
    /// The app's name for people, if it is installed.
    package let applicationName: String?
    @Coded<Count> package var entries: Int

    package init(application: String, applicationName: String?, entries: Int) {
      self.application = application
      self.applicationName = applicationName
      self.entries = entries
    }
  }

  package struct Reply: Structure {
    @Coded<Count> package var entries: Int
    /// Of these: what other machines shared.
    @Coded<Count> package var foreign: Int
    /// Of these: what this machine shares.
    @Coded<Count> package var shared: Int
    package let applications: [Application]
    /// The size of the files in bytes.
    @Coded<Count> package var size: Int
    /// The teams with which this machine shares.
    package let teams: [String]
    package let suggests: Bool
    /// The path of a damaged index that was moved aside.
    package let damaged: String?

    package init(
      entries: Int,
      foreign: Int,
      shared: Int,
      applications: [Application],
      size: Int,
      teams: [String],
      suggests: Bool,
      damaged: String?
    ) {
      self.entries = entries
      self.foreign = foreign
      self.shared = shared
      self.applications = applications
      self.size = size
      self.teams = teams
      self.suggests = suggests
      self.damaged = damaged
    }
  }
}
