# SPDX-License-Identifier: MIT
import dataclasses
VERBS=""
@dataclasses.dataclass
class Options:
    @classmethod
    def from_arguments(cls, a): return cls()
def add_arguments(p):
    p.add_argument("--accelerometer", action="store_true")
    p.add_argument("--proxy", action="store_true")
