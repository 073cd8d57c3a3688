// SPDX-License-Identifier: Apache-2.0

import Testing

/// Tests that need a real avahi-daemon. They also kill it, so it is one of Tests/Lab/avahi-lab, and they run one after
/// the other.
@Suite(.serialized, .enabled(if: Lab.isThere, "Runs in Tests/Lab/avahi-lab"))
enum AvahiTests {}
