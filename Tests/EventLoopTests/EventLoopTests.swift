import Testing

/// Tests of what waits on the loop. Each is its own process, because the loop, its clock and the descriptors belong to
/// a whole process.
@Suite(.serialized)
struct EventLoopTests {}
