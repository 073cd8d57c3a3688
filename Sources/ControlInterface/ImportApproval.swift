import JSONCoding
import Varlink

/// Imports the approval of a request of this machine, and so joins the team.
package enum ImportApproval: Method {
  package static let name = "io.baton.Handoff.ImportApproval"

  package struct Parameters: Structure {
    /// The approval that `ApproveRequest` returned.
    package let approval: String

    package init(approval: String) { self.approval = approval }
  }

  package typealias Reply = TeamReply
}
