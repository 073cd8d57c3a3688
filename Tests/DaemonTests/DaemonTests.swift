import Testing

/// Daemons in one process, over loopback, with a network in memory between their discoveries.
///
/// Each test is a process of its own: the loop, its clock and the descriptors are a process's. They run one after the
/// other, because each waits for real sockets.
@Suite(.serialized)
struct DaemonTests {}
