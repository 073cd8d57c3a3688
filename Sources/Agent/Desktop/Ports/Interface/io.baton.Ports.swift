// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Scripts/make-interfaces made this from Documentation/reference/io.baton.Ports.varlink. Edit that file.

import Activity
import JSONCoding
import Varlink

/// A port of this machine that the user's other machines in a team may use.
package struct ControlAllowedPort: Structure {
  package var port: UInt16
  /// The ID of the team
  package var team: String

  package init(
    port: UInt16,
    team: String
  ) {
    self.port = port
    self.team = team
  }
}

/// A machine in a team wants to use a port, and the user hasn't answered yet.
package struct ControlPortQuestion: Structure {
  package var port: UInt16
  package var team: String
  /// The name of the machine that asked first
  package var device: String

  package init(
    port: UInt16,
    team: String,
    device: String
  ) {
    self.port = port
    self.team = team
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

/// Returns the ports that other machines may use, the questions that the user hasn't answered, and the open pages.
package enum ListPorts: Method {
  package static let name = "io.baton.Ports.List"

  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package var allowed: [ControlAllowedPort]
    package var questions: [ControlPortQuestion]
    package var pages: [ControlForwardedPage]

    package init(
      allowed: [ControlAllowedPort],
      questions: [ControlPortQuestion],
      pages: [ControlForwardedPage]
    ) {
      self.allowed = allowed
      self.questions = questions
      self.pages = pages
    }
  }
}

/// Allows the machines of a team to use a port of this machine, now and in the future, if the server listening there
/// belongs to this user. Without `team`, it is the team of the question about the port, or else the user's only team.
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

/// Asks again before other machines may use a port, and ends their connections. Without `team`, it applies to all
/// teams.
/// Answers a question about the port with no.
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
/// the program that offers the page. `stream`, `device` and `team` are those of the event streamRequested.
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

      # A port of this machine that the user's other machines in a team may use.
      type AllowedPort (
        port: int,
        # The ID of the team
        team: string
      )

      # A machine in a team wants to use a port, and the user hasn't answered yet.
      type PortQuestion (
        port: int,
        team: string,
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

      # Returns the ports that other machines may use, the questions that the user hasn't answered, and the open pages.
      method List() -> (allowed: []AllowedPort, questions: []PortQuestion, pages: []ForwardedPage)

      # Allows the machines of a team to use a port of this machine, now and in the future, if the server listening there
      # belongs to this user. Without `team`, it is the team of the question about the port, or else the user's only team.
      method Allow(
        port: int,
        team: ?string
      ) -> (team: string)

      # Asks again before other machines may use a port, and ends their connections. Without `team`, it applies to all teams.
      # Answers a question about the port with no.
      method Forget(
        port: int,
        team: ?string
      ) -> ()

      # Accepts the stream of an `io.baton.local-page` activity, and forwards its connections to the ports of the page. For
      # the program that offers the page. `stream`, `device` and `team` are those of the event streamRequested.
      method Serve(stream: string, device: string, team: string, userInfo: object) -> ()

      # Why a call failed. Reasons.md explains each.
      type Reason (limitReached, notEligible, screenLocked, teamNotFound, teamAmbiguous, streamNotFound)

      error Failed (reason: Reason, message: string)

      """#
  )
}
