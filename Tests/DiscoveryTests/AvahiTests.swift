import Testing

/// What needs a real avahi-daemon, which these tests also kill: so it is one of Tests/Lab/avahi-lab, and they run one
/// after the other.
@Suite(.serialized, .enabled(if: Lab.isThere, "Runs in Tests/Lab/avahi-lab"))
enum AvahiTests {}
