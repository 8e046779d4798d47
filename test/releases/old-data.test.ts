import { readdirSync, readFileSync } from 'node:fs';
import { extract } from 'tar';
import { describe, expect, test } from 'vitest';
import { startService, type TestService } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import * as content from './old-data.ts';

/** Data folders of earlier versions, opened by this one (README.md). */
const NAMES = readdirSync(content.OLD_DATA_FOLDER)
  .filter((file) => file.endsWith('.tar.gz'))
  .map((file) => file.slice(0, -'.tar.gz'.length));
/** Rows that each of them has at least: the start, the set-up, a new key, calls. */
const ROWS_MIN = 3;
/** A service starts, which is slow on a machine that starts many. */
const OPEN_MS_MAX = 180_000;

test('there are data folders of at least six releases', () => {
  expect(NAMES).toContain('1.0.4');
  expect(NAMES.length).toBeGreaterThanOrEqual(6);
});

describe('a data folder of', () => {
  test.for(NAMES)('%s opens', { timeout: OPEN_MS_MAX }, async (name) => {
    const old = JSON.parse(readFileSync(content.oldDataFile(name, 'json'), 'utf8')) as content.OldData;
    await using folder = await tempDir('sluice-old-data-');
    await extract({ file: content.oldDataFile(name, 'tar.gz'), cwd: folder.path });
    const opened = new Date().toISOString();
    await using service = await startService([], { dataDir: folder.path });
    const call = callerOf(service, old.key);

    expect(await call('/doubled?n=21')).toEqual({ status: 200, body: { doubled: 42 } });
    expect(await callerOf(service, old.revokedKey)('/doubled?n=21')).toMatchObject({ status: 401 });

    const { admin } = service;
    await admin.another().logIn(content.VIEWER, old.password);
    await admin.logIn(content.ADMINISTRATOR, old.password);
    const report = await admin.ok<Verified>('GET', '/audit/verify');
    expect(report).toMatchObject({ ok: true, findings: [] });
    for (const { rows } of report.chains) expect(rows).toBeGreaterThanOrEqual(ROWS_MIN);

    if (old.features.includes('state')) expect(await stateOf(service, opened)).toEqual(STATE);
    if (old.features.includes('outbox')) expect(await eventsOf(service)).toEqual([content.PROJECT]);
    expect(await service.stop()).toBe(0);
  });
});

interface Verified {
  ok: boolean;
  findings: string[];
  chains: { rows: number }[];
}

const STATE = { variable: content.VARIABLE.value, tag: content.TAG.value, recorded: [content.TAG.value] };

function callerOf({ ready }: TestService, key: string) {
  return async (path: string): Promise<{ status: number; body: unknown }> => {
    const answer = await fetch(`${ready.gateway}${path}`, { headers: { 'X-API-Key': key } });
    return { status: answer.status, body: await answer.json() };
  };
}

/** `opened`: earlier rows are from the older version. */
async function stateOf({ admin }: TestService, opened: string): Promise<typeof STATE> {
  const project = `/projects/${content.PROJECT}`;
  const { path } = content.TAG;
  const { value } = await admin.ok<{ value: number }>('GET', `${project}/variables/${content.VARIABLE.name}`);
  const {
    items: [tag],
  } = await admin.ok<{ items: { value: number }[] }>('POST', `${project}/tags/read`, { paths: [path] });
  const span = { from: '2026-11-01T00:00:00Z', to: opened };
  const { items } = await admin.ok<{ items: { points: { value: number | null }[] }[] }>(
    'POST',
    `${project}/tags/history`,
    {
      tags: [path],
      ...span,
    },
  );
  // Null is the tag before its first value.
  const recorded = items.flatMap(({ points }) => points.flatMap(({ value: one }) => (one === null ? [] : [one])));
  return { variable: value, tag: tag?.value ?? NaN, recorded };
}

/** The projects of the waiting events. */
async function eventsOf({ admin }: TestService): Promise<string[]> {
  const read = (): Promise<{ items: { project: string }[] }> => admin.ok('GET', '/egress/events?state=queued');
  await until('the outbox has its event', async () => (await read()).items.length > 0);
  return (await read()).items.map(({ project }) => project);
}
