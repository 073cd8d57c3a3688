/// The limits of `baton agent`.
extension Limits {
  // MARK: Apps

  /// Bytes of one desktop entry file: those of office programs with all their translations have 60 kB.
  package static let desktopEntryLength = 128 * 1024
  /// Desktop entries that are looked at; a desktop with everything has some hundreds.
  package static let desktopEntries = 4096
  /// Bytes of all of them, at which reading ends: those of a desktop with everything have 8 MB.
  package static let desktopEntriesLength = 32 * 1024 * 1024
  /// The same of those that have keys of Baton: they are understood, and the others only read.
  package static let applicationsLength = 4 * 1024 * 1024
  /// Entries that cannot be used and are named in the log.
  package static let desktopEntryComplaints = 32
  /// Names in the folders of desktop entries that are looked at, also of other files.
  package static let applicationNames = 16384
  /// Folders within one another below `applications`.
  package static let applicationFolderDepth = 8
  /// Folders that are watched for desktop entries.
  package static let applicationFolders = 256
  /// First and last pause after the kernel gave no watch for them; they are read again each time.
  package static let folderWatchBackoff = Duration.seconds(1)...Duration.seconds(60)
  /// From a change of a desktop entry until they are read again: packages bring several files.
  package static let applicationsQuietTime = Duration.milliseconds(200)
  /// Domains that one app may claim: as Apple advises.
  package static let domainsPerApplication = 32
  /// Domains whose associations are asked for, of all apps.
  package static let domains = 128
  /// Bytes of a domain's association file: Apple's limit.
  package static let associationLength = 128 * 1024
  /// Domains that are asked about one page: those nearest to its host, which few have more than one of.
  package static let domainsPerPage = 8
  /// Steps of reading and comparing with a page what all its domains say of all apps that claim it: large sites take some
  /// hundred thousand, and as many as this some 100 ms.
  package static let pageSteps = 32_000_000
  /// Domains that are asked at once: as many as do not answer delay the others by no more than `associationTime`.
  package static let associationRequests = 8
  /// The same of one app.
  package static let associationRequestsPerApplication = 2
  /// Addresses of one domain that it is asked at.
  package static let addressesPerDomain = 8
  /// Bytes of the list of a domain's addresses: some 300.
  package static let addressListLength = 64 * 1024
  /// From asking for an association until it is there, with all that it takes.
  package static let associationTime = Duration.seconds(5)
  /// Seconds after which an association is asked for again.
  package static let associationAge = 24 * 60 * 60.0
  /// Seconds for which it counts while its domain does not answer: a laptop is often without a network.
  package static let associationKeepAge = 7 * 24 * 60 * 60.0
  /// Seconds after which a domain that has answered, and has none, is asked again.
  package static let associationRetryAge = 60 * 60.0
  /// First and last pause after a domain that did not answer: a machine has a network a moment after it is opened.
  package static let associationBackoff = Duration.seconds(60)...Duration.seconds(60 * 60)
  /// From asking systemd for a scope until it is there; the app is started without one then.
  package static let scopeTime = Duration.seconds(3)
  /// From asking an app over D-Bus until it counts as started where it has not answered: the bus may have to start it.
  package static let activationTime = Duration.seconds(5)
  /// Apps that a person may have chosen for one type.
  package static let applicationChoices = 64
  /// From starting a browser until it counts as started where the program that does it has not ended.
  package static let browserTime = Duration.seconds(3)
  /// Requests of the daemon that are remembered for `launchTime`, so that none is done twice: more than a person makes.
  package static let knownLaunches = 256
  /// From the agent's start until it counts as started where the daemon does not answer.
  package static let launcherStartTime = Duration.seconds(3)
  /// Pause until the agent asks a daemon again that has refused it.
  package static let launcherRetryTime = Duration.seconds(60)
  /// Bytes of the environment that the service manager gives to apps.
  package static let environmentLength = 256 * 1024

  // MARK: Notifications

  /// From the agent's start until it takes the screen for unlocked where nobody says what it is.
  package static let screenTime = Duration.seconds(2)

  /// Least time between two notifications: people read one after the other.
  package static let notificationInterval = Duration.seconds(1)
  /// Notifications that are shown at once: more hide the desktop.
  package static let notifications = 5
  /// New notifications that one machine may show in a row: somebody goes through some apps there.
  package static let notificationBurst = 8
  /// After those, the time until the machine may disturb people once more; what it offers meanwhile is shown quietly.
  package static let machineNotificationInterval = Duration.seconds(5 * 60)
  /// Quiet notifications, and changes of those that are shown, that one machine may make in a row.
  package static let quietNotificationBurst = 10
  /// After those, the time until the next.
  package static let quietNotificationInterval = Duration.seconds(10)
  /// Bytes of the file that names the muted machines.
  package static let mutedFileLength = 64 * 1024
  /// Bytes of a machine's name there.
  package static let mutedNameLength = 128
  /// Offers whose notifications are thought of, also while they are gone: all that a few peers can offer.
  package static let notificationEntries = 256
  /// From the end of an offer until its notification is withdrawn: a session that breaks is back sooner.
  package static let offerReturnTime = Duration.seconds(3)
  /// How long an offer that was gone for longer must be there before it is shown again.
  package static let offerSteadyTime = Duration.seconds(30)
  /// How long an offer that is gone is remembered: one that a person dismissed is not shown again when its machine is
  /// back.
  package static let notificationMemory = Duration.seconds(10 * 60)
  /// From showing a notification to the server's answer, which takes milliseconds; the next one does not wait longer.
  package static let notificationReplyTime = Duration.seconds(20)
  /// The same until the answer is not awaited at all: what a server that hung shows late is withdrawn.
  package static let lateNotificationReplyTime = Duration.seconds(10 * 60)
  /// How long a notification says that an activity could not be continued.
  package static let failureNotificationTime = Duration.seconds(20)
  /// Bytes of the names of a server's capabilities that are read: those of the specification have 120.
  package static let notificationCapabilitiesLength = 4096
  /// First and last pause after a server that refused, or was not there.
  package static let notificationBackoff = Duration.seconds(2)...Duration.seconds(300)
  /// How long a stopping agent waits until the server has withdrawn what it shows.
  package static let notificationStopTime = Duration.milliseconds(500)
}
