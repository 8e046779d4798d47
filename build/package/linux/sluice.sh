#!/bin/sh
# Runs Sluice with the Node that came with it; the system's own, if there is one, is not touched.
here="$(dirname -- "$(readlink -f -- "$0")")"
# Idle memory: two pools of memory for all threads, and less room for new objects, of which the host makes few.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
exec "$here/runtime/node" --max-semi-space-size=2 "$here/app/service.js" "$@"
