# SPDX-License-Identifier: Apache-2.0
"""What `Benchmarks/bench` is made of: a module for each table, and what the tables share."""
