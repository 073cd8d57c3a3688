import Testing

/// Daemons in one process, connected over loopback, whose discoveries share a network in memory.
///
/// Each test is its own process, because the loop, its clock and the descriptors belong to a whole process. The tests
/// run one after the other, because each waits for real sockets.
@Suite(.serialized)
struct DaemonTests {}
