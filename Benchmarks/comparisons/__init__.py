"""What `Benchmarks/bench` is made of: a module for each table, and what the tables share."""
