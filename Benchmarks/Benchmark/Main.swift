import ControlClient
import Glibc

/// Measures what a user of `batond` gets. One process plays both apps, and `Benchmarks/run` starts what is measured.
@main
enum Main {
  private static let usage = """
    Usage: benchmark throughput --baton ORIGIN RECEIVER BYTES    through a continuation stream of two daemons
           benchmark throughput --sockets SINK SOURCE BYTES      through whatever joins two Unix sockets
           benchmark latency ORIGIN RECEIVER ROUNDS              publish to listed, and continue, with a warm session
    ORIGIN and RECEIVER are control sockets. The figures are printed as JSON.
    """

  static func main() {
    signal(SIGPIPE, SIG_IGN)
    let arguments = CommandLine.arguments.dropFirst().map { $0 }
    do {
      switch arguments.first {
      case "throughput" where arguments.count == 5 && arguments[1] == "--baton":
        let (source, sink) = try Handoff.stream(origin: arguments[2], receiver: arguments[3])
        print(try Throughput.measure(from: source, to: sink, bytes: Int(arguments[4]) ?? 0))
      case "throughput" where arguments.count == 5 && arguments[1] == "--sockets":
        // A relay may listen on its far side only once its near side is connected.
        let source = try Throughput.connect(arguments[3])
        let sink = try Throughput.connect(arguments[2], until: .now + .seconds(5))
        print(try Throughput.measure(from: source, to: sink, bytes: Int(arguments[4]) ?? 0))
      case "latency" where arguments.count == 4:
        for line in try Latency.measure(origin: arguments[1], receiver: arguments[2], rounds: Int(arguments[3]) ?? 0) {
          print(line)
        }
      default:
        print(usage)
        exit(2)
      }
    } catch {
      print("benchmark: \(error)")
      exit(1)
    }
  }
}
