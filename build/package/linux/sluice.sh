#!/bin/sh
# Runs Sluice with the Node that came with it; the system's own, if there is one, is not touched.
here="$(dirname -- "$(readlink -f -- "$0")")"
# Idle memory: two pools of memory for all threads, less room for new objects, of which the host makes few, and a thread
# that has nothing to do gives memory back. Pieces of 32 KiB and more go back to the system as soon as they are free:
# what compiling left in the host's pools was 15 MB. The gateway gets the first of these alone.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-32768}"
# No signal opens a debugger in the host, which has the vault open.
exec "$here/runtime/node" --disable-sigusr1 --max-semi-space-size=2 --expose-gc "$here/app/service.js" "$@"
