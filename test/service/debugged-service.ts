import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_ENTRY } from '#test/paths.ts';

/**
 * The service unchanged (`node debugged-service.ts serve …`), except that each gateway prints the address for a
 * debugger on standard error, so that internal errors can be caused from outside. The host passes no such option to
 * Node; it starts the same program with which it was started.
 */
const DEBUGGED_NODE = join(process.env['SLUICE_TEST_FOLDER'] ?? tmpdir(), 'node');

const PROGRAM = `#!/bin/sh
case "$*" in *--permission*) set -- --allow-inspector "$@" ;; esac
exec '${process.execPath}' --inspect=127.0.0.1:0 "$@"
`;

writeFileSync(DEBUGGED_NODE, PROGRAM, { mode: 0o755 });
process.execPath = DEBUGGED_NODE;
await import(SERVICE_ENTRY);
