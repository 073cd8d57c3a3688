import Testing

/// The agent's parts with real processes, files and connections; they share the loop's clock and the environment, so one
/// after the other.
@Suite(.serialized) struct AgentTests {}
