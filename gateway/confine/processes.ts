import childProcess from 'node:child_process';
import module, { syncBuiltinESMExports } from 'node:module';
import { Server, Socket } from 'node:net';
import v8 from 'node:v8';
import { denied } from './denied.ts';

const STARTS = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const;

/** Windows keeps them: a program sets the access lists of folders (common/node/private-files.ts). */
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

/** Access to the host, to other programs of its user, and around the checks of the permission model. */
export function closeWaysAround(): void {
  Object.assign(v8, { setFlagsFromString: denied('v8.setFlagsFromString') });
  // Registered code runs in a thread that Node starts without this file.
  Object.assign(module, { register: denied('module.register') });
  // SIGUSR1 opens the debugger of a Node process.
  Object.assign(process, { kill: denied('process.kill'), _kill: denied('process.kill') });
  Object.assign(process, { _debugProcess: denied('process._debugProcess') });
  closeLocalSockets();
  syncBuiltinESMExports();
}

/** Functions that accept a path instead of a port: for connecting and for listening. */
function closeLocalSockets(): void {
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function connectByAddress(this: Socket, first: unknown, ...more: unknown[]) {
    return Reflect.apply(connect, this, [byAddress(first), ...more]) as Socket;
  };
  const { listen } = Server.prototype;
  Server.prototype.listen = function listenByAddress(this: Server, ...words: unknown[]) {
    const [first, ...more] = words;
    return Reflect.apply(listen, this, words.length === 0 ? [] : [byAddress(first), ...more]) as Server;
  };
}

/**
 * The arguments that Node reads as a port or as options, copied so that a path cannot be inserted later; a list if Node
 * itself calls.
 */
function byAddress(first: unknown): unknown {
  if (!Array.isArray(first)) return withoutPath(first);
  const list = Object.assign([], first) as unknown[] & { path?: unknown };
  if (list.path !== undefined) denied('local sockets')();
  list[0] = withoutPath(list[0]);
  return list;
}

/** A string that is not a number is a path. */
function withoutPath(target: unknown): unknown {
  if (typeof target === 'string' && !(Number(target) >= 0)) denied('local sockets')();
  if (typeof target !== 'object' || target === null) return target;
  if ('path' in target && Boolean(target.path)) denied('local sockets')();
  return Object.create(target, { path: { value: undefined } }) as unknown;
}
