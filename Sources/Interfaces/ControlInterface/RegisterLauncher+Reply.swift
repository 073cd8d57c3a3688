// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension RegisterLauncher {
  package struct Reply: Structure {
    package let event: Event
    /// With `launchRequested`: the request.
    package let request: LaunchRequest?

    package init(event: Event, request: LaunchRequest? = nil) {
      self.event = event
      self.request = request
    }

    private enum CodingKeys: CodingKey { case event }

    /// The members of the request are next to `event`.
    package init(from decoder: any Decoder) throws {
      event = try decoder.container(keyedBy: CodingKeys.self).decode(Event.self, forKey: .event)
      request = event == .launchRequested ? try LaunchRequest(from: decoder) : nil
    }

    package func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encode(event, forKey: .event)
      try request?.encode(to: encoder)
    }
  }
}
