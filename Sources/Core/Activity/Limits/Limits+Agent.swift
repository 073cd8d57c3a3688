// SPDX-License-Identifier: Apache-2.0

/// The limits of `baton agent`.
extension Limits {
  // MARK: Apps

  /// The maximum size of one desktop entry file in bytes. Those of office programs, with all their translations, have
  /// 60 kB.
  package static let desktopEntryLength = 128 * 1024
  /// The maximum nesting depth of folders below `applications`.
  package static let applicationFolderDepth = 8
  /// The maximum number of folders that are watched for desktop entries.
  package static let applicationFolders = 256
  /// The maximum size of a domain's association file in bytes: Apple's limit.
  package static let associationLength = 128 * 1024
  /// The maximum number of steps for reading what all of a page's domains say about all apps that claim it, and
  /// comparing that with the page. Large sites take some hundred thousand steps; this limit takes about 100 ms.
  package static let pageSteps = 32_000_000
  /// The time from requesting an association until it has arrived, including everything that this takes.
  package static let associationTime = Duration.seconds(5)
  /// The time from asking systemd for a scope until it exists. After that, the app is started without one.
  package static let scopeTime = Duration.seconds(3)
  /// The time after which an app that was asked over D-Bus counts as started, even without an answer. The bus may have
  /// to start it.
  package static let activationTime = Duration.seconds(5)
  /// The time after which a browser counts as started, even if the program that starts it has not ended.
  package static let browserTime = Duration.seconds(3)

  // MARK: Notifications

  /// The minimum time between two notifications, because people read one after the other.
  package static let notificationInterval = Duration.seconds(1)
  /// How long a notification shows that an activity could not be continued.
  package static let failureNotificationTime = Duration.seconds(20)
  /// The first and the longest pause after a server refused or was not there.
  package static let notificationBackoff = Duration.seconds(2)...Duration.seconds(300)
}
