"""Dependency injection of the services into handlers."""

from typing import TypeAlias

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from intaglio.kernel import Kernel

Services: TypeAlias = NamedDependency[SkipValidation[Kernel]]
"""The type of a handler's parameter ``services``: the kernel; `Kernel.get` finds a service."""
