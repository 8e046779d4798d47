/**
 * Runs a program of this project on the Node that `npm ci` installed, whatever Node runs npm:
 *
 *   node build/node.cjs [--ui] FILE [arguments]    a source file, such as main/start.ts
 *   node build/node.cjs [--ui] TOOL [arguments]    a development tool, such as vitest
 *
 * `--ui` first builds the admin UI and its documentation pages when their sources are newer.
 *
 * Only npm 11.6.2 and newer link the program as `node_modules/.bin/node`, so it is looked up by platform here. Every Node
 * that npm runs on must be able to read this file: CommonJS, and no syntax or module newer than Node 8.
 * Exits with the exit code of the program, or with the signal that ended it. Signals that reach only this process are
 * passed on. In an npm script it ends with npm's shell.
 */
'use strict';

const childProcess = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const runtimePackages = require('./runtime-packages.json');

const NODE_MAJOR_MIN = 24;
const ROOT = path.join(__dirname, '..');
const MODULES = path.join(ROOT, 'node_modules');
/** Tools whose npm package has another name. */
const TOOL_PACKAGES = { tsc: 'typescript' };
const UI_BUILDS = ['build/ui.ts', 'build/docs-site.ts'];
const FORWARDED_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];
/** Read at the start: later it may be the process that adopted this one. */
const PARENT = process.ppid;
const PARENT_LOOK_MS = 500;

/** npm writes this file last. A failed npm can exit with 0 before that ("Exit handler never called!"). */
const INSTALLED = path.join(MODULES, '.package-lock.json');

/** A sentence for the user, without a stack trace. */
function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** The path of a Node that can run the sources. */
function findNode() {
  if (fs.existsSync(MODULES) && !fs.existsSync(INSTALLED))
    return fail('npm did not finish installing Sluice: run "npm ci" again.');
  const platform = process.platform + '-' + process.arch;
  const name = runtimePackages[platform];
  if (name !== undefined) {
    const program = path.join(MODULES, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    if (fs.existsSync(program) && runs(program)) return program;
  }
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) return process.execPath;
  return fail(missingNode(platform, name));
}

/** False if the C library differs, as on Alpine Linux: the program exists but cannot be loaded. */
function runs(program) {
  return process.platform !== 'linux' || childProcess.spawnSync(program, ['--version']).status === 0;
}

function missingNode(platform, name) {
  const found = 'this is Node ' + process.versions.node + '.';
  if (!fs.existsSync(MODULES))
    return 'Sluice is not installed yet: run "npm ci" first. It installs Node ' + NODE_MAJOR_MIN + '.';
  if (name === undefined)
    return (
      'Sluice needs Node ' + NODE_MAJOR_MIN + ' or newer, and npm has none for ' + platform + ': install it; ' + found
    );
  if (!fs.existsSync(path.join(MODULES, name)))
    return (
      'npm left out the package ' +
      name +
      ', which is Node ' +
      NODE_MAJOR_MIN +
      ': run "npm ci --include=optional"; ' +
      found
    );
  return (
    'The Node of the package ' +
    name +
    ' does not run on this system: install Node ' +
    NODE_MAJOR_MIN +
    ' or newer; ' +
    found
  );
}

/** The file to run: a source file as it is, a tool by the `bin` entry of its package. */
function fileOf(program) {
  if (/\.[cm]?[jt]s$/.test(program)) return path.join(ROOT, program);
  const folder = path.join(MODULES, TOOL_PACKAGES[program] || program);
  const manifest = path.join(folder, 'package.json');
  if (!fs.existsSync(manifest)) return fail('There is no tool ' + program + ': run "npm ci" first.');
  const bin = JSON.parse(fs.readFileSync(manifest, 'utf8')).bin;
  return path.join(folder, typeof bin === 'string' ? bin : bin[program]);
}

function buildUi(node) {
  UI_BUILDS.forEach(function (file) {
    const built = childProcess.spawnSync(node, [path.join(ROOT, file), '--if-stale'], { stdio: 'inherit' });
    if (built.status !== 0) process.exit(built.status || 1);
  });
}

function run(node, args) {
  const child = childProcess.spawn(node, args, { stdio: 'inherit' });
  FORWARDED_SIGNALS.forEach(function (signal) {
    process.on(signal, function () {
      // A console's Ctrl-C reaches every process on Windows, and `kill` ends a process there without asking it.
      if (process.platform !== 'win32') child.kill(signal);
    });
  });
  endWithNpm(child);
  child.on('error', function (error) {
    fail('Node could not be started from ' + node + ': ' + error.message);
  });
  child.on('exit', function (code, signal) {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // The signal has no effect here, as on Windows.
    process.exitCode = 128 + (os.constants.signals[signal] || 0);
  });
}

/**
 * npm passes SIGTERM only to its shell, which ends without passing it on. Outside of npm, a program may outlive the shell
 * that started it, as with `nohup` or `&`.
 */
function endWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const timer = setInterval(function () {
    if (process.ppid === PARENT) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, PARENT_LOOK_MS);
}

function main(args) {
  const withUi = args[0] === '--ui';
  const rest = withUi ? args.slice(1) : args;
  if (rest.length === 0) fail('build/node.cjs expects a source file or a tool to run.');
  const node = findNode();
  const file = fileOf(rest[0]);
  if (withUi) buildUi(node);
  // No signal opens a debugger in a host. `node --inspect FILE` still does.
  run(node, ['--disable-sigusr1', file].concat(rest.slice(1)));
}

main(process.argv.slice(2));
