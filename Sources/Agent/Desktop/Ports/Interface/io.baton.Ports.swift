// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Scripts/make-interfaces made this from Documentation/reference/io.baton.Ports.varlink. Edit that file.

import Activity
import JSONCoding
import Varlink

/// A port of this machine, and a team whose machines may or may not use it.
package struct ControlTeamPort: Structure {
  package var port: UInt16
  /// The ID of the team
  package var team: String
  /// Absent if batond doesn't answer, or the user has left the team
  package var teamName: String?

  package init(
    port: UInt16,
    team: String,
    teamName: String? = nil
  ) {
    self.port = port
    self.team = team
    self.teamName = teamName
  }
}

/// A machine in a team wants to use a port, and the user hasn't answered yet.
package struct ControlPortQuestion: Structure {
  package var port: UInt16
  package var team: String
  package var teamName: String?
  /// The name of the machine that asked first
  package var device: String

  package init(
    port: UInt16,
    team: String,
    teamName: String? = nil,
    device: String
  ) {
    self.port = port
    self.team = team
    self.teamName = teamName
    self.device = device
  }
}

/// A page that is open on a machine other than the one its server runs on.
package struct ControlForwardedPage: Structure {
  /// Whether the server runs on this machine
  package var origin: Bool
  /// The name of the other machine
  package var device: String
  package var ports: [ForwardedPort]
  /// The number of open connections
  @Coded<Count> package var connections: Int

  package init(
    origin: Bool,
    device: String,
    ports: [ForwardedPort],
    connections: Int
  ) {
    self.origin = origin
    self.device = device
    self.ports = ports
    self.connections = connections
  }
}

package struct ForwardedPort: Structure {
  /// The port where the server listens
  package var port: UInt16
  /// The address on this machine if the server runs on the other one, such as http://laptop.localhost:8000
  package var address: String?

  package init(
    port: UInt16,
    address: String? = nil
  ) {
    self.port = port
    self.address = address
  }
}

/// Returns the ports that other machines may use, those that the user has refused, the questions that the user hasn't
/// answered, and the open pages.
package enum ListPorts: Method {
  package static let name = "io.baton.Ports.List"

  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package var allowed: [ControlTeamPort]
    package var refused: [ControlTeamPort]
    package var questions: [ControlPortQuestion]
    package var pages: [ControlForwardedPage]

    package init(
      allowed: [ControlTeamPort],
      refused: [ControlTeamPort],
      questions: [ControlPortQuestion],
      pages: [ControlForwardedPage]
    ) {
      self.allowed = allowed
      self.refused = refused
      self.questions = questions
      self.pages = pages
    }
  }
}

/// Allows the machines of a team to use a port of this machine, now and in the future, if the server listening there
/// belongs to this user. Without `team`, it is the team of the question about the port, or else the user's only team.
/// If
/// the answer can't be saved, it's as if it hadn't been given.
package enum AllowPort: Method {
  package static let name = "io.baton.Ports.Allow"

  package struct Parameters: Structure {
    package var port: UInt16
    package var team: String?

    package init(
      port: UInt16,
      team: String? = nil
    ) {
      self.port = port
      self.team = team
    }
  }

  package struct Reply: Structure {
    package var team: String

    package init(
      team: String
    ) {
      self.team = team
    }
  }
}

/// Refuses the same, now and in the future, and ends the connections of the team's machines. If the answer can't be
/// saved,
/// it applies until the agent ends.
package enum RefusePort: Method {
  package static let name = "io.baton.Ports.Refuse"

  package struct Parameters: Structure {
    package var port: UInt16
    package var team: String?

    package init(
      port: UInt16,
      team: String? = nil
    ) {
      self.port = port
      self.team = team
    }
  }

  package struct Reply: Structure {
    package var team: String

    package init(
      team: String
    ) {
      self.team = team
    }
  }
}

/// Asks again before other machines may use a port, and ends their connections. Without `team`, it applies to all
/// teams.
/// If that can't be saved, it applies until the agent ends.
package enum ForgetPort: Method {
  package static let name = "io.baton.Ports.Forget"

  package struct Parameters: Structure {
    package var port: UInt16
    package var team: String?

    package init(
      port: UInt16,
      team: String? = nil
    ) {
      self.port = port
      self.team = team
    }
  }

  package typealias Reply = Nothing
}

/// Accepts the stream of an `io.baton.local-page` activity, and forwards its connections to the ports of the page. For
/// the program that offers the page. `stream`, `device` and `team` are those of the event streamRequested. If this
/// fails,
/// the program ends the stream itself.
package enum ServePage: Method {
  package static let name = "io.baton.Ports.Serve"

  package struct Parameters: Structure {
    package var stream: String
    package var device: String
    package var team: String
    @Coded<JSONObject> package var userInfo: JSON

    package init(
      stream: String,
      device: String,
      team: String,
      userInfo: JSON
    ) {
      self.stream = stream
      self.device = device
      self.team = team
      self.userInfo = userInfo
    }
  }

  package typealias Reply = Nothing
}

extension InterfaceDescription {
  /// `io.baton.Ports`, as it is published.
  package static let ports = InterfaceDescription(
    name: "io.baton.Ports",
    text: #"""
      # Pages of this machine's localhost that the user's other machines continue, and those of other machines that are open
      # here. `baton agent` serves it for its own user. Browser.md explains it.
      interface io.baton.Ports

      # A port of this machine, and a team whose machines may or may not use it.
      type TeamPort (
        port: int,
        # The ID of the team
        team: string,
        # Absent if batond doesn't answer, or the user has left the team
        teamName: ?string
      )

      # A machine in a team wants to use a port, and the user hasn't answered yet.
      type PortQuestion (
        port: int,
        team: string,
        teamName: ?string,
        # The name of the machine that asked first
        device: string
      )

      # A page that is open on a machine other than the one its server runs on.
      type ForwardedPage (
        # Whether the server runs on this machine
        origin: bool,
        # The name of the other machine
        device: string,
        ports: []ForwardedPort,
        # The number of open connections
        connections: int
      )

      type ForwardedPort (
        # The port where the server listens
        port: int,
        # The address on this machine if the server runs on the other one, such as http://laptop.localhost:8000
        address: ?string
      )

      # Returns the ports that other machines may use, those that the user has refused, the questions that the user hasn't
      # answered, and the open pages.
      method List() -> (allowed: []TeamPort, refused: []TeamPort, questions: []PortQuestion, pages: []ForwardedPage)

      # Allows the machines of a team to use a port of this machine, now and in the future, if the server listening there
      # belongs to this user. Without `team`, it is the team of the question about the port, or else the user's only team. If
      # the answer can't be saved, it's as if it hadn't been given.
      method Allow(
        port: int,
        team: ?string
      ) -> (team: string)

      # Refuses the same, now and in the future, and ends the connections of the team's machines. If the answer can't be saved,
      # it applies until the agent ends.
      method Refuse(
        port: int,
        team: ?string
      ) -> (team: string)

      # Asks again before other machines may use a port, and ends their connections. Without `team`, it applies to all teams.
      # If that can't be saved, it applies until the agent ends.
      method Forget(
        port: int,
        team: ?string
      ) -> ()

      # Accepts the stream of an `io.baton.local-page` activity, and forwards its connections to the ports of the page. For
      # the program that offers the page. `stream`, `device` and `team` are those of the event streamRequested. If this fails,
      # the program ends the stream itself.
      method Serve(stream: string, device: string, team: string, userInfo: object) -> ()

      # Why a call failed. Reasons.md explains each.
      type Reason (
        limitReached, notEligible, screenLocked, teamNotFound, teamAmbiguous, streamNotFound, storageFailed, daemonUnreachable
      )

      error Failed (reason: Reason, message: string)

      """#
  )
}
