# SPDX-License-Identifier: Apache-2.0
"""Real servers where machines meet, and many clients of them, for Benchmarks/rendezvous."""
