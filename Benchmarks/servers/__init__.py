"""Real servers where machines meet, and many clients of them, for Benchmarks/rendezvous."""
