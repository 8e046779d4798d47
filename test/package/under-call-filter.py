"""Runs a program under the system calls that a systemd unit allows, without systemd:

    python3 under-call-filter.py UNIT PROGRAM [ARGUMENT ...]

Reads the unit's SystemCallFilter lines and asks systemd-analyze what is in their groups; libseccomp makes the filter of
it, which every process and thread that the program starts inherits. Refused calls fail with EPERM, as in the unit. The
unit's other restrictions (address families, namespaces, what of the disk is seen) are not set.
"""

import ctypes
import errno
import os
import re
import subprocess
import sys

ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | errno.EPERM
UNKNOWN_CALL = -1


def calls_in(name):
    if not name.startswith("@"):
        return {name}
    told = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True)
    lines = [line.strip() for line in told.stdout.splitlines()[1:]]
    return set().union(*(calls_in(line) for line in lines if line and not line.startswith("#")))


def allowed_by(unit):
    allowed = calls_in("@default")
    for value in re.findall(r"^SystemCallFilter=(.*)$", unit, re.MULTILINE):
        calls = set().union(*(calls_in(name) for name in value.removeprefix("~").split()))
        allowed = allowed - calls if value.startswith("~") else allowed | calls
    return allowed


def load(allowed):
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    filter_ = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(REFUSE)))
    for name in sorted(allowed):
        call = seccomp.seccomp_syscall_resolve_name(name.encode())
        if call > UNKNOWN_CALL:
            seccomp.seccomp_rule_add_array(filter_, ctypes.c_uint32(ALLOW), call, 0, None)
    if seccomp.seccomp_load(filter_) != 0:
        sys.exit("the filter cannot be loaded")


with open(sys.argv[1], encoding="utf-8") as file:
    calls = allowed_by(file.read())
if len(calls) < 100:
    sys.exit("the unit allows too few calls: its filter was not understood")
load(calls)
os.execvp(sys.argv[2], sys.argv[2:])
