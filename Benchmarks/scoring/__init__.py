# SPDX-License-Identifier: MIT
"""The parts of Benchmarks/classifier."""
