import type { RunRecord } from '#common/model/records.ts';
import { isValues } from './values.ts';

/** The parts of a message other than its payload (`ScriptMessage` in docs/reference/script-types.d.ts). */
const OF_MESSAGE = [
  'request.id',
  'request.method',
  'request.path',
  'request.route',
  'request.ip',
  'request.receivedAt',
  'caller.keyId',
  'caller.name',
  'caller.scopes',
  'error.node',
  'error.code',
  'error.message',
];
const OF_PAYLOAD = ['payload', 'payload.body', 'payload.params', 'payload.query', 'payload.headers', 'payload.status'];
const DEPTH_MAX = 5;
const PATHS_MAX = 200;

/** Paths into the message that a node got in its last run, and those that every message has. */
export function messagePaths(runs: readonly RunRecord[], node: string): string[] {
  const step = runs.flatMap(({ steps }) => steps).find((one) => one.node === node);
  const seen = step === undefined ? [] : pathsOf(payloadOf(step.input), 'payload', 0);
  return [...new Set([...seen, ...OF_PAYLOAD, ...OF_MESSAGE])].slice(0, PATHS_MAX);
}

/** A step stores the whole message or only its payload. */
function payloadOf(input: unknown): unknown {
  return isValues(input) && 'payload' in input ? input['payload'] : input;
}

const NAME = /^[A-Za-z_$][\w$]*$/;

function pathsOf(value: unknown, path: string, depth: number): string[] {
  if (!isValues(value) || depth >= DEPTH_MAX) return [path];
  const names = Object.keys(value).filter((name) => NAME.test(name));
  return [path, ...names.flatMap((name) => pathsOf(value[name], `${path}.${name}`, depth + 1))];
}

/** The message's name in a module: the first parameter of its default export. */
const PARAMETER = /export\s+default\s+(?:async\s+)?(?:function\s*\w*\s*)?\(?\s*([A-Za-z_$][\w$]*)/;

/** `msg.payload.body` and so on, by the name that the script gives its message. */
export function codeWords(code: string, paths: readonly string[]): string[] {
  const [, name = 'msg'] = PARAMETER.exec(code) ?? [];
  return [name, ...paths.map((path) => `${name}.${path}`)];
}
