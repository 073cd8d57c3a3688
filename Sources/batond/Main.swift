import Activity
import Daemon
import Discovery
import EventLoop
import Glibc
import Systemd

/// Arguments in, exit status out.
@main
enum Main {
  static func main() {
    let arguments: DaemonArguments
    do throws(UsageError) {
      arguments = try DaemonArguments(Array(CommandLine.arguments.dropFirst()))
    } catch {
      Terminal.fail("batond: \(error.description)\nTry 'batond --help'.", status: .usage)
    }
    switch arguments.action {
    case .help: Terminal.print(DaemonArguments.help)
    case .version: Terminal.print("batond \(Version.current)")
    case .checkConfiguration: Terminal.print("The configuration is good.")
    case .run: run(arguments)
    }
  }

  private static func run(_ arguments: DaemonArguments) {
    Signals.ignoreBrokenPipes()
    // Before there is a socket that tells others we run.
    Signals.hold(stopSignals)
    umask(0o077)
    Task { @Loop in
      let log = Log(level: arguments.configuration.logLevel)
      do throws(DaemonError) {
        let daemon = try make(arguments, log)
        daemon.start()
        running = daemon
      } catch {
        log.error(error.description)
        exit((error.code == .alreadyRunning ? ExitStatus.unavailable : .failure).rawValue)
      }
    }
    // On the loop this comes after the task above.
    Signals.wait(for: stopSignals) { _ in running?.stop { exit(ExitStatus.success.rawValue) } }
  }

  @Loop private static func make(_ arguments: DaemonArguments, _ log: Log) throws(DaemonError) -> Daemon {
    let configuration = arguments.configuration
    let discovery =
      configuration.usesDiscovery ? AvahiDiscovery(interfaces: configuration.interfaces) { log.info($0) } : nil
    let passed = PassedDescriptors.take()
    var keep: (@Loop ([StoredDescriptor]) -> Void)?
    if DescriptorStore.capacity >= KeptStreams.capacity { keep = { DescriptorStore.keep($0) } }
    return try Daemon(
      configuration,
      placement: arguments.placement,
      log: log,
      discovery: discovery,
      login: Logind { log.debug($0) },
      listeners: passed.listeners,
      kept: passed.stored,
      keep: keep
    )
  }

  /// What lives as long as the process.
  @Loop private static var running: Daemon?

  private static let stopSignals = [SIGTERM, SIGINT]
}
