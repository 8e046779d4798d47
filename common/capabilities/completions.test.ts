import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { type CallDeclaration, CALLS } from './calls.ts';
import { scriptTypes } from './completions.ts';

const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const MESSAGE_MODEL = fileURLToPath(new URL('../model/message.ts', import.meta.url));

/** The compiler's messages about a script with the declarations; '' if there are no messages. */
async function compile(script: string, types: string): Promise<string> {
  await using folder = await tempDir();
  await writeFile(join(folder.path, 'sluice.d.ts'), types);
  await writeFile(join(folder.path, 'script.ts'), script);
  const flags = [
    '--noEmit',
    '--strict',
    '--target',
    'es2023',
    '--lib',
    'es2023',
    '--types',
    '',
    '--module',
    'nodenext',
  ];
  const files = [join(folder.path, 'sluice.d.ts'), join(folder.path, 'script.ts')];
  return await new Promise((resolve) => {
    const all = [TSC, ...flags, '--allowImportingTsExtensions', '--skipLibCheck', 'false', ...files];
    execFile(process.execPath, all, (error, out) => resolve(error === null ? '' : out || error.message));
  });
}

const SAMPLE = `
export default async (msg: ScriptMessage) => {
  const speed: number = (await tags.read('line7/speed')).value;
  const all = await tags.readMany(['line7/*']);
  const reasons: (string | null)[] = all.map((tag) => tag.reason);
  await tags.write('line7/speed', speed + 1);
  await tags.write({ path: 'line7/speed', value: 1 });
  await tags.writeMany([{ path: 'a', value: 1 }]);
  const { rows, truncated } = await db.query('orders', { id: msg.payload.body.id });
  await db.sql('main', 'update orders set done = :done', { done: true });
  await db.transaction('main', [{ sql: 'select 1' }]);
  await db.procedure({ connection: 'main', procedure: 'dbo.book' });
  const series = await historian.query({ tags: ['a'], from: 'now-8h', aggregate: 'mean', interval: 60 });
  const points: string[] = series.flatMap((one) => one.points.map((point) => point.time));
  const sum: number = await vars.increment('count', 2);
  const set: boolean = await vars.compareAndSet('count', sum, 0);
  const bytes: Uint8Array = await files.read('a.bin', 'bytes');
  await files.write('b.bin', bytes, 'bytes');
  const result = await scripts.run('convert', { sum });
  const { receivers } = await messages.send('orders/new', rows[0]);
  log('done', 'warn');
  return { reasons, points, set, receivers, truncated, lower: result.any.thing, at: msg.request?.receivedAt };
};
`;

describe('the declarations for the editor', () => {
  test('name every call with its summary, and plugin calls only for plugins', () => {
    for (const plugin of [false, true]) {
      const types = scriptTypes({ plugin });
      for (const [name, call] of Object.entries(CALLS) as [string, CallDeclaration][]) {
        const [family = '', member] = name.split('.');
        const head = member === undefined ? `declare function ${family}(` : `  ${member}(`;
        const block =
          member === undefined ? types : (types.split(`declare const ${family}: {`)[1]?.split('\n};')[0] ?? '');
        const offered = call.pluginsOnly !== true || plugin;
        expect([name, block.includes(head), block.includes(call.summary)]).toEqual([name, offered, offered]);
      }
    }
  });

  test('accept a script that uses the calls as intended', async () => {
    expect(await compile(SAMPLE, scriptTypes({ plugin: true }))).toBe('');
  });

  test('find the errors in a script', async () => {
    const wrong = `
      tags.read(7);
      vars.increment('n', 'two');
      historian.query({ tags: ['a'], from: 'now', aggregate: 'median' });
      tags.write('a');
      http.request('http://a');
      export {};`;
    const said = await compile(wrong, scriptTypes());
    expect(said.match(/script\.ts\((\d+),/g)).toEqual([2, 3, 4, 5, 6].map((line) => `script.ts(${line},`));
  });

  test('describe the message that scripts get', async () => {
    const compare = `
      import type { Message } from ${JSON.stringify(MESSAGE_MODEL)};
      type Same<A, B> = [keyof A, keyof B] extends [keyof B, keyof A] ? true : false;
      const message: ScriptMessage = {} as Message;
      const same: Same<ScriptMessage, Message> = true;
      const request: Same<ScriptRequest, NonNullable<Message['request']>> = true;
      const caller: Same<ScriptCaller, NonNullable<Message['caller']>> = true;
      export default [message, same, request, caller];`;
    expect(await compile(compare, scriptTypes())).toBe('');
  });
});
