// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Tests of the agent's parts with real processes, files and connections. They run one after the other, because they
/// share the loop's clock and the environment.
@Suite(.serialized, .isolated) struct AgentTests {}
