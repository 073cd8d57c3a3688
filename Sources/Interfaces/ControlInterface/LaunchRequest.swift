// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// An offer for which the launcher must start an app.
package struct LaunchRequest: Structure {
  /// The name of the request, for `ReportLaunch`.
  package let launch: String
  /// The activity that is offered.
  package let id: ActivityID
  /// The device that offers it. Nil for an activity of this machine.
  package let deviceID: DeviceID?
  package let activityType: String
  /// The only app that may be started. Nil for any that takes the type.
  package let application: String?
  /// The Team ID as people see it. Nil for an activity of this machine.
  package let team: String?
  /// Whether the activity has a page, which can be shown if no app takes the type.
  @Coded<FalseByDefault> package var hasWebPage: Bool
  /// The host of the page that was offered. A page of another host must not be shown.
  package let webpageHost: String?
  /// The token that lets the app take the focus; see `OpenOffer`.
  package let activationToken: String?

  package init(
    launch: String,
    id: ActivityID,
    deviceID: DeviceID? = nil,
    activityType: String,
    application: String? = nil,
    team: String?,
    hasWebPage: Bool = false,
    webpageHost: String? = nil,
    activationToken: String? = nil
  ) {
    self.launch = launch
    self.id = id
    self.deviceID = deviceID
    self.activityType = activityType
    self.application = application
    self.team = team
    self.hasWebPage = hasWebPage
    self.webpageHost = webpageHost
    self.activationToken = activationToken
  }
}
