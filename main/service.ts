#!/usr/bin/env node
import { COMMANDS } from './cli/commands.ts';
import { runCommandLine } from './cli/main.ts';

// A reader that disconnected (a closed terminal, `| head`) must not end the service.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

process.exitCode = await runCommandLine(process.argv.slice(2), COMMANDS, {
  environment: process.env,
  print: (line) => void process.stdout.write(`${line}\n`),
});
