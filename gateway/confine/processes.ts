import childProcess from 'node:child_process';
import module, { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import v8 from 'node:v8';
import { denied } from './denied.ts';

const STARTS = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const;

/** Windows keeps them: folders get their access lists from a program (common/node/private-files.ts). */
export function closeProcesses(): void {
  if (process.platform === 'win32') return;
  const { prototype } = childProcess.ChildProcess;
  const ChildProcess = denied('ChildProcess');
  Reflect.defineProperty(prototype, 'constructor', { value: ChildProcess });
  Object.assign(childProcess, { ChildProcess });
  for (const name of STARTS) Object.assign(childProcess, { [name]: denied(`child_process.${name}`) });
  if (process.execve !== undefined) process.execve = denied('process.execve');
  syncBuiltinESMExports();
}

/** Ways to the host, to other programs of its user, and around the checks of the permission model. */
export function closeWaysAround(): void {
  Object.assign(v8, { setFlagsFromString: denied('v8.setFlagsFromString') });
  // Code that is registered runs in a thread that Node starts by itself, without this file.
  Object.assign(module, { register: denied('module.register') });
  // SIGUSR1 opens the debugger of a Node process.
  Object.assign(process, { kill: denied('process.kill'), _kill: denied('process.kill') });
  Object.assign(process, { _debugProcess: denied('process._debugProcess') });
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function connectByAddress(this: Socket, ...words: unknown[]) {
    if (isPath(words[0])) denied('local sockets')();
    return Reflect.apply(connect, this, words) as Socket;
  };
  syncBuiltinESMExports();
}

/** As Node reads it: a text that is no number, or options with a path; in a list when it comes from Node itself. */
function isPath(first: unknown): boolean {
  const target: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof target === 'string') return !(Number(target) >= 0);
  return typeof target === 'object' && target !== null && 'path' in target && Boolean(target.path);
}
