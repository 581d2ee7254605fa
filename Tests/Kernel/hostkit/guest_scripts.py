# SPDX-License-Identifier: MIT
"""The scripts of the guest on which a saved state depends: those that are loaded when it is saved."""

import ast
import os
import runpy


def loaded_for(guest, desktop):
    """Paths of the scripts that set up this desktop, in order. Imports within a function are loaded when it is called, which
    is later."""
    modules = runpy.run_path(os.path.join(guest, "desktops.py"))["PLACES"]
    found, waiting = set(), ["play", f"{modules[desktop][0]}.py"]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _imports(guest, name)
    return [os.path.join(guest, name) for name in sorted(found)]


def _imports(guest, name):
    with open(os.path.join(guest, name), encoding="utf-8") as file:
        statements = ast.parse(file.read()).body
    names = [each.module for each in statements if isinstance(each, ast.ImportFrom)]
    names += [alias.name for each in statements if isinstance(each, ast.Import) for alias in each.names]
    return [f"{each}.py" for each in names if os.path.exists(os.path.join(guest, f"{each}.py"))]
