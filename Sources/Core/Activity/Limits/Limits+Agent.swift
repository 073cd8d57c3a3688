/// The limits of `baton agent`.
extension Limits {
  // MARK: Apps

  /// The maximum size of one desktop entry file in bytes. Those of office programs, with all their translations, have
  /// 60 kB.
  package static let desktopEntryLength = 128 * 1024
  /// The maximum number of desktop entries that are read. A desktop with everything installed has some hundreds.
  package static let desktopEntries = 4096
  /// The total size in bytes after which no more desktop entries are read. Those of a desktop with everything installed
  /// have 8 MB.
  package static let desktopEntriesLength = 32 * 1024 * 1024
  /// The maximum total size of the desktop entries that have keys of Baton, in bytes. These are parsed, and the others
  /// only read.
  package static let applicationsLength = 4 * 1024 * 1024
  /// The maximum number of unusable entries that the log names.
  package static let desktopEntryComplaints = 32
  /// The maximum number of names that are checked in the folders of desktop entries, including other files.
  package static let applicationNames = 16384
  /// The maximum nesting depth of folders below `applications`.
  package static let applicationFolderDepth = 8
  /// The maximum number of folders that are watched for desktop entries.
  package static let applicationFolders = 256
  /// The first and the longest pause after the kernel provided no watch for these folders. The entries are read again
  /// each time.
  package static let folderWatchBackoff = Duration.seconds(1)...Duration.seconds(60)
  /// The time from a change of a desktop entry until all entries are read again. A package installs several files.
  package static let applicationsQuietTime = Duration.milliseconds(200)
  /// The maximum number of types of media that count of one app. VLC plays 200.
  package static let applicationMediaTypes = 512
  /// The maximum number of domains that one app may claim, as Apple advises.
  package static let domainsPerApplication = 32
  /// The maximum number of domains whose associations are requested, for all apps together.
  package static let domains = 128
  /// The maximum size of a domain's association file in bytes: Apple's limit.
  package static let associationLength = 128 * 1024
  /// The maximum number of domains that are asked about one page: those nearest to its host. Few pages have more than
  /// one.
  package static let domainsPerPage = 8
  /// The maximum number of steps for reading what all of a page's domains say about all apps that claim it, and
  /// comparing that with the page. Large sites take some hundred thousand steps; this limit takes about 100 ms.
  package static let pageSteps = 32_000_000
  /// The maximum number of domains that are asked at the same time. That many domains without an answer delay the
  /// others by at most `associationTime`.
  package static let associationRequests = 8
  /// The maximum number of one app's domains that are asked at the same time.
  package static let associationRequestsPerApplication = 2
  /// The maximum number of addresses at which one domain is asked.
  package static let addressesPerDomain = 8
  /// The maximum size of the list of a domain's addresses in bytes. It usually has about 300.
  package static let addressListLength = 64 * 1024
  /// The time from requesting an association until it has arrived, including everything that this takes.
  package static let associationTime = Duration.seconds(5)
  /// The age in seconds at which an association is requested again.
  package static let associationAge = 24 * 60 * 60.0
  /// The age in seconds up to which an association is valid while its domain does not answer. A laptop is often without
  /// a network.
  package static let associationKeepAge = 7 * 24 * 60 * 60.0
  /// The time in seconds after which a domain that answered without an association is asked again.
  package static let associationRetryAge = 60 * 60.0
  /// The first and the longest pause after a domain did not answer. A machine gets a network a moment after it is
  /// opened.
  package static let associationBackoff = Duration.seconds(60)...Duration.seconds(60 * 60)
  /// The time from asking systemd for a scope until it exists. After that, the app is started without one.
  package static let scopeTime = Duration.seconds(3)
  /// The time after which an app that was asked over D-Bus counts as started, even without an answer. The bus may have
  /// to start it.
  package static let activationTime = Duration.seconds(5)
  /// The maximum number of apps that a person may have chosen for one type.
  package static let applicationChoices = 64
  /// The time after which a browser counts as started, even if the program that starts it has not ended.
  package static let browserTime = Duration.seconds(3)
  /// The maximum number of the daemon's requests that are remembered, for `launchTime`, so that none is carried out
  /// twice. It is more than a person makes.
  package static let knownLaunches = 256
  /// The time after which the agent counts as started, even if the daemon does not answer.
  package static let launcherStartTime = Duration.seconds(3)
  /// The pause until the agent asks again a daemon that refused it.
  package static let launcherRetryTime = Duration.seconds(60)
  /// The maximum size in bytes of the environment that the service manager gives to apps.
  package static let environmentLength = 256 * 1024

  // MARK: Notifications

  /// The time after the agent's start at which it assumes that the screen is unlocked, if nothing has reported the
  /// screen's state.
  package static let screenTime = Duration.seconds(2)

  /// The minimum time between two notifications, because people read one after the other.
  package static let notificationInterval = Duration.seconds(1)
  /// The maximum number of notifications that are shown at the same time. More would hide the desktop.
  package static let notifications = 5
  /// The maximum number of new notifications that one machine may show in a row, for example while somebody goes
  /// through some apps there.
  package static let notificationBurst = 8
  /// The time after those until the machine may disturb people once more. What it offers in the meantime is shown
  /// quietly.
  package static let machineNotificationInterval = Duration.seconds(5 * 60)
  /// The maximum number of questions that one machine may ask in a row: as many as it can ask about files.
  package static let questionBurst = 12
  /// The time after those until the next one. A person who sends more at the same time sends them together.
  package static let questionInterval = Duration.seconds(60)
  /// The first and the longest pause until a question that a server has dropped is shown again. The first time, that
  /// is immediately.
  package static let droppedQuestionPause = Duration.seconds(60)...Duration.seconds(16 * 60)
  /// The maximum number of bytes that are read of a server's name or version.
  package static let notificationServerLength = 256
  /// The maximum number of quiet notifications, and of changes to those that are shown, that one machine may make in a
  /// row.
  package static let quietNotificationBurst = 10
  /// The time after those until the next one.
  package static let quietNotificationInterval = Duration.seconds(10)
  /// The maximum size of the file that names the muted machines, in bytes.
  package static let mutedFileLength = 64 * 1024
  /// The maximum length of a machine's name in that file, in bytes.
  package static let mutedNameLength = 128
  /// The maximum number of offers whose notifications are remembered, including offers that are gone. It covers all
  /// that a few peers can offer.
  package static let notificationEntries = 256
  /// The time from the end of an offer until its notification is withdrawn. A session that breaks is back sooner.
  package static let offerReturnTime = Duration.seconds(3)
  /// How long an offer that was gone for longer than that must be there before it is shown again.
  package static let offerSteadyTime = Duration.seconds(30)
  /// How long an offer that is gone is remembered. So an offer that a person dismissed is not shown again when its
  /// machine comes back.
  package static let notificationMemory = Duration.seconds(10 * 60)
  /// The time from showing a notification until the server answers, which takes milliseconds. The next notification
  /// waits no longer than this.
  package static let notificationReplyTime = Duration.seconds(20)
  /// The time until the answer is no longer awaited at all. Until then, a notification that a hanging server shows late
  /// is withdrawn.
  package static let lateNotificationReplyTime = Duration.seconds(10 * 60)
  /// How long something new must be shown in the place of something else before a click is for it. People do not read
  /// and click faster.
  package static let notificationReadingTime = Duration.milliseconds(700)
  /// How long a notification says that an activity could not be continued.
  package static let failureNotificationTime = Duration.seconds(20)
  /// The maximum number of bytes that are read of the names of a server's capabilities. Those of the specification have
  /// 120.
  package static let notificationCapabilitiesLength = 4096
  /// The first and the longest pause after a server refused or was not there.
  package static let notificationBackoff = Duration.seconds(2)...Duration.seconds(300)
  /// How long the other machine's user is asked until that is shown. A machine that accepts by a rule is quicker.
  package static let askedTransferTime = Duration.milliseconds(500)
  /// How long a transfer takes until its progress is shown.
  package static let shownTransferTime = Duration.seconds(2)
  /// The maximum number of transfers that run or whose end is shown.
  package static let transferNotificationEntries = 64
  /// How long a stopping agent waits until the server has withdrawn what it shows.
  package static let notificationStopTime = Duration.milliseconds(500)
}
