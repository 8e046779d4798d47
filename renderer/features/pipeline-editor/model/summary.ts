import type { Settings } from './draft.ts';

/** A one-line summary of a node, from its settings: a text from them, or a count in the language of the UI. */
export type Summary =
  | { code: 'text'; text: string }
  | { code: 'lines' | 'statements'; count: number }
  | { code: 'seconds' | 'every'; count: number }
  | { code: 'status'; count: number }
  | { code: 'more'; text: string; count: number }
  | { code: 'none' };

const OF_KIND: Record<string, (settings: Settings) => Summary> = {
  'rest-api': (settings) =>
    settings['mode'] === 'egress'
      ? addressOf(settings)
      : text(`${str(settings['method'])} ${str(settings['urlPattern'])}`),
  'http-response': ({ status }) =>
    typeof status === 'number' ? { code: 'status', count: status } : text('payload.status'),
  validate: ({ schema, path }) => text(schemaName(schema) ?? (str(path) || 'payload.body')),
  switch: ({ path }) => text(str(path)),
  transform: ({ code }) => ({ code: 'lines', count: lineCount(str(code)) }),
  script: ({ script }) => text(str(script)),
  set: ({ assign }) => firstOf(assign, (one) => str(field(one, 'path'))),
  delay: ({ seconds }) => (typeof seconds === 'number' ? { code: 'seconds', count: seconds } : text(str(seconds))),
  timer: ({ every, cron }) => (typeof every === 'number' ? { code: 'every', count: every } : text(str(cron))),
  log: ({ message }) => text(str(message)),
  'message-in': ({ channel }) => text(str(channel)),
  'message-out': ({ channel }) => text(str(channel)),
  'tag-read': ({ tags }) => firstOf(tags, str),
  'tag-change': ({ tags }) => firstOf(tags, str),
  'tag-write': ({ writes }) => firstOf(writes, (one) => str(field(one, 'tag'))),
  'history-read': ({ tags }) => firstOf(tags, str),
  'variable-read': ({ name }) => text(str(name)),
  'variable-write': ({ name }) => text(str(name)),
  'file-read': ({ path }) => text(str(path)),
  'file-write': ({ path }) => text(str(path)),
  'named-query': ({ query }) => text(str(query)),
  sql: ({ sql }) => text(str(sql).trim().split('\n')[0] ?? ''),
  transaction: ({ statements }) =>
    Array.isArray(statements) ? { code: 'statements', count: statements.length } : { code: 'none' },
  'stored-procedure': ({ procedure }) => text(str(procedure)),
};

/** The summary of a node's settings; for an unknown kind, its first text. */
export function summaryOf(kind: string, settings: Settings): Summary {
  const known = OF_KIND[kind];
  if (known !== undefined) return known(settings);
  const first = Object.entries(settings).find(([name, value]) => name !== 'mode' && typeof value === 'string');
  return text(str(first?.[1]));
}

function text(value: string): Summary {
  const one = value.trim();
  return one === '' ? { code: 'none' } : { code: 'text', text: one };
}

/** Host and path: the rest is the same for all targets. */
function addressOf({ url }: Settings): Summary {
  return text(str(url).replace(/^https?:\/\//, ''));
}

/** The first entry of a list, and the number of the others. A list may be written as one text. */
function firstOf(list: unknown, name: (one: unknown) => string): Summary {
  if (!Array.isArray(list)) return text(name(list));
  const [first] = list;
  if (list.length < 2) return text(name(first));
  return { code: 'more', text: name(first), count: list.length - 1 };
}

function schemaName(schema: unknown): string | null {
  const named = str(field(schema, 'title')) || str(field(schema, '$id'));
  if (named !== '') return named;
  const required = field(schema, 'required');
  return Array.isArray(required) && required.length > 0 ? required.map(str).join(', ') : null;
}

function lineCount(code: string): number {
  const lines = code.trim();
  return lines === '' ? 0 : lines.split('\n').length;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function str(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
