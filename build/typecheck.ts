import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** `npm run typecheck`: compiles each part of the project with the libraries of its runtime. */
const PROJECTS = ['common', 'gateway', 'main', 'renderer', 'test'];
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COMPILER = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

function isClean(project: string): boolean {
  return spawnSync(process.execPath, [COMPILER, '-p', project], { cwd: ROOT, stdio: 'inherit' }).status === 0;
}

process.exitCode = PROJECTS.filter((project) => !isClean(project)).length === 0 ? 0 : 1;
