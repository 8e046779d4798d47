/** A trusted plugin that tries what code in the gateway must not do. Its one kind answers what each try came to. */
import {
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import v8 from 'node:v8';
import { Worker } from 'node:worker_threads';
import childProcess, { spawnSync } from 'node:child_process';
import * as module from 'node:module';
import { Session } from 'node:inspector';

const FOLDER_FLAGS = 0o200000;

/** Ways to the host's files, by name; each throws unless it got through. */
function ways({ data, host, cwd }) {
  const vault = join(data, 'vault.db');
  const projects = join(data, 'projects.sqlite');
  return {
    'reads the vault': () => readFileSync(vault),
    'reads the vault around a corner': () => readFileSync(join(data, 'projects') + '/../vault.db'),
    'reads the vault beside a folder that it holds': () =>
      readFileSync(`/proc/self/fd/${openSync(join(data, 'projects'), FOLDER_FLAGS)}/../vault.db`),
    'reads the secret of the vault': () => readFileSync(join(data, 'vault.secret')),
    'lists the data folder': () => readdirSync(data),
    "reads the host's journal": () => readdirSync(join(data, 'journal/host')),
    'reads the anchors': () => readFileSync(join(data, 'anchors')),
    'reads the memory map of the host': () => readFileSync(`/proc/${host}/maps`),
    'reads its own environment from /proc': () => readFileSync('/proc/self/environ'),
    "reads the user's files": () => readFileSync('/etc/passwd'),
    'reads where the host was started': () => readFileSync(join(cwd, 'README.md')),
    'replaces the project store': () => writeFileSync(projects, ''),
    'moves the vault': () => renameSync(vault, join(data, 'projects/vault.db')),
    'makes a link to the vault': () => symlinkSync(vault, join(data, 'projects/link')),
    'writes its own code': () => openSync(process.argv[1], 'a'),
    'opens the project store as a database': () =>
      new DatabaseSync(projects).prepare('SELECT 1 FROM sqlite_schema').all(),
    'opens the project store by the class of a database': () => {
      const { constructor: Found } = new DatabaseSync(':memory:');
      new Found(projects).prepare('SELECT 1 FROM sqlite_schema').all();
    },
    'opens the project store by its address': () => new DatabaseSync(`file:${projects}?mode=ro`),
    'attaches the project store': () => new DatabaseSync(':memory:').exec(`ATTACH '${projects}' AS other`),
    'runs a program': () => spawnSync('/bin/true'),
    'runs a program by the default export': () => childProcess.execFileSync('/bin/true'),
    'becomes another program': () => {
      // Refused for its arguments, or before it looks at them.
      try {
        process.execve(1);
      } catch (error) {
        if (error.code === 'ERR_ACCESS_DENIED') throw error;
      }
    },
    'runs a text as a function': () => Reflect.construct(Function, ['return 1'])(),
    'runs a text by the constructor of a function': () => (() => 1).constructor('return 1')(),
    'evaluates a text': () => Reflect.get(globalThis, 'eval')('1'),
    'loads native code': () => process.dlopen({ exports: {} }, '/nowhere.node'),
    'asks for a binding of Node': () => process.binding('spawn_sync'),
    'opens the debugger': () => new Session().connect(),
    'opens the debugger of the host': () => process.kill(host, 'SIGUSR1'),
    'signals the host': () => process._kill(host, 0),
    'changes the flags of V8': () => v8.setFlagsFromString('--allow-natives-syntax'),
    'registers module hooks': () => module.register('node:os'),
    'connects to the control socket': () => connect(join(data, 'control.sock')).destroy(),
    'connects by a path that appears later': () => connectLater(join(data, 'control.sock')),
    'connects by a list that is options': () =>
      new Socket().connect(Object.assign([{}], { path: join(data, 'control.sock') })).destroy(),
    'listens on a path': () => createServer().listen(join(data, 'projects/own.sock')).close(),
  };
}

/** Node reads the path of its options more than once. Throws unless the socket gets to be one with a path. */
function connectLater(path) {
  for (let reads = 0; reads < 4; reads++) {
    let count = 0;
    const socket = new Socket().on('error', () => {});
    const options = {
      port: 1,
      host: '127.0.0.1',
      get path() {
        return count++ < reads ? undefined : path;
      },
    };
    try {
      socket.connect(options);
      if (socket._handle?.constructor.name === 'Pipe') return;
    } catch {
      // Refused.
    } finally {
      socket.destroy();
    }
  }
  throw new Error('no socket has a path');
}

/** What is tried in a thread, with every kind of flags that a thread may be given. */
const THREADS = {
  plain: {},
  'without flags': { execArgv: [] },
  'with flags': { execArgv: ['--permission', '--allow-fs-read=*'] },
  'with NODE_OPTIONS': { env: { NODE_OPTIONS: '--allow-fs-read=*' } },
};
const IN_THREAD = ({ data, cwd }) => `
const fs = require('node:fs'), { parentPort, Worker } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite'), { spawnSync } = require('node:child_process');
const open = [];
const ways = {
  vault: () => fs.readFileSync(${JSON.stringify(join(data, 'vault.db'))}),
  cwd: () => fs.readFileSync(${JSON.stringify(join(cwd, 'README.md'))}),
  root: () => fs.readdirSync('/'),
  database: () => new DatabaseSync(${JSON.stringify(join(data, 'projects.sqlite'))}),
  program: () => { const { error } = spawnSync('/bin/true'); if (error) throw error; },
  thread: () => new Worker('', { eval: true }),
  text: () => Reflect.construct(Function, ['return 1'])(),
};
for (const [name, way] of Object.entries(ways)) try { way(); open.push(name); } catch {}
parentPort.postMessage(open);
`;

async function inThreads(places) {
  const found = await Promise.all(
    Object.entries(THREADS).map(
      ([kind, options]) =>
        new Promise((resolve, reject) => {
          const thread = new Worker(IN_THREAD(places), { eval: true, ...options });
          thread.once('message', (open) => resolve(open.map((name) => `thread ${kind}: ${name}`)));
          thread.once('error', reject);
        }),
    ),
  );
  return found.flat();
}

export default {
  walls: async ({ payload }) => {
    const { places } = payload.body;
    const open = [];
    for (const [name, way] of Object.entries(ways(places)))
      try {
        way();
        open.push(name);
      } catch {
        // Refused.
      }
    const body = {
      open: [...open, ...(await inThreads(places))],
      there: existsSync(join(places.data, 'projects')) && lstatSync(join(places.data, 'projects')).isDirectory(),
    };
    return { payload: { ...payload, body } };
  },
};
