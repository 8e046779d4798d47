import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_ENTRY } from '#test/paths.ts';

/**
 * The service as it is (`node debugged-service.ts serve …`), but for one thing: each gateway that it starts tells on
 * standard error where a debugger can reach it. What a fault breaks inside of a process can be broken so from outside.
 * The host hands nothing on that would say so to Node; it starts the program that it was itself started with.
 */
const DEBUGGED_NODE = join(process.env['SLUICE_TEST_FOLDER'] ?? tmpdir(), 'node');

const PROGRAM = `#!/bin/sh
case "$*" in *--permission*) set -- --allow-inspector "$@" ;; esac
exec '${process.execPath}' --inspect=127.0.0.1:0 "$@"
`;

writeFileSync(DEBUGGED_NODE, PROGRAM, { mode: 0o755 });
process.execPath = DEBUGGED_NODE;
await import(SERVICE_ENTRY);
