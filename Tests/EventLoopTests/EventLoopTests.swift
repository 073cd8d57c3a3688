import Testing

/// What waits on the loop. Each test is a process of its own: the loop, its clock and the descriptors are a process's.
@Suite(.serialized)
struct EventLoopTests {}
