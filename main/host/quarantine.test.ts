import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { blockedNodeFile } from '#common/node/blocked-node.ts';
import { createLogger } from '#common/node/log.ts';
import { dirPerTest } from '#test/test-dir.ts';
import type { StoredPipeline } from '../contracts.ts';
import { createAlarms } from './alarms.ts';
import { Quarantine, QUARANTINE_WINDOW_MS } from './quarantine.ts';
import { setQuarantineAlarms } from './quarantine-alarm.ts';

const PLACE = { project: 'line-7', pipeline: 'orders', node: 'check', test: false };

const dir = dirPerTest();
let nowMs: number;
let wanted: number | null;
let held: string[];
let later: string[];
let rows: Partial<AuditRow>[];
let saves: () => void;
let quarantine: Quarantine;
beforeEach(() => {
  nowMs = 1_000;
  wanted = 3;
  held = [];
  later = [];
  rows = [];
  saves = () => (wanted = null);
  quarantine = new Quarantine({
    dataDir: dir.path,
    projects: {
      pipeline: (project, id) =>
        id === 'orders' ? ({ project, wantedRevision: held.length > 0 ? null : wanted } as StoredPipeline) : null,
      holdStopped: (project, id) => held.push(`${project}/${id}`),
      saveStopped: () => saves(),
    },
    saveLater: ({ pipeline }, row) => later.push(`${pipeline} ${row.act}`),
    audit: { record: (row) => Promise.resolve(void rows.push(row)) },
    log: createLogger('test', () => {}),
    now: () => nowMs,
  });
});

function gatewayBlockedBy(place: unknown): void {
  writeFileSync(blockedNodeFile(dir.path), typeof place === 'string' ? place : JSON.stringify(place));
  quarantine.gatewayEnded();
}
const alarms = () => {
  const all = createAlarms();
  setQuarantineAlarms(all, quarantine.list());
  return all.list().map(({ code, text }) => `${code}: ${text}`);
};

test('names the node after the first time, and stops the pipeline after the second', () => {
  gatewayBlockedBy(PLACE);
  expect([wanted, rows]).toEqual([3, []]);
  expect(alarms()).toEqual([expect.stringMatching(/^pipeline_blocked: .*orders \(line-7\), node check/)]);
  expect(existsSync(blockedNodeFile(dir.path))).toBe(false);

  gatewayBlockedBy(PLACE);
  expect([wanted, held]).toEqual([null, ['line-7/orders']]);
  expect(rows).toMatchObject([{ act: 'pipeline.quarantine', project: 'line-7', pipeline: 'orders' }]);
  expect(alarms()).toEqual([expect.stringMatching(/^pipeline_quarantined: .*orders \(line-7\), node check/)]);

  nowMs += 2 * QUARANTINE_WINDOW_MS;
  expect(quarantine.list()).toHaveLength(1);
  held = [];
  wanted = 4;
  expect(quarantine.list()).toEqual([]);
});

test('stops a pipeline that the project store cannot save as stopped, and has it saved later', () => {
  saves = () => {
    throw new Error('the disk is full');
  };
  gatewayBlockedBy(PLACE);
  gatewayBlockedBy(PLACE);
  expect(held).toEqual(['line-7/orders']);
  expect([later, rows]).toEqual([['orders pipeline.quarantine'], []]);
});

test('forgets a first time that is long ago', () => {
  gatewayBlockedBy(PLACE);
  nowMs += QUARANTINE_WINDOW_MS;
  expect(quarantine.list()).toEqual([]);
  gatewayBlockedBy(PLACE);
  expect(wanted).toBe(3);
});

test('never stops a pipeline for a test, for a gateway that ended otherwise, or when it is gone', () => {
  for (let time = 0; time < 3; time++) gatewayBlockedBy({ ...PLACE, test: true });
  quarantine.gatewayEnded();
  for (let time = 0; time < 3; time++) gatewayBlockedBy({ ...PLACE, pipeline: 'gone' });
  expect([wanted, held, rows]).toEqual([3, [], []]);
  expect(quarantine.list()).toMatchObject([{ pipeline: 'orders', test: true, stopped: false }]);
});

test.each(['', '{', '{"project":1}', 'x'.repeat(5_000)])('ignores and removes an invalid file: %#', (text) => {
  gatewayBlockedBy(text);
  expect(quarantine.list()).toEqual([]);
  expect(existsSync(blockedNodeFile(dir.path))).toBe(false);
});

test('does not use a folder as the file', () => {
  mkdirSync(blockedNodeFile(dir.path));
  expect(() => quarantine.gatewayEnded()).not.toThrow();
  expect(quarantine.list()).toEqual([]);
});
