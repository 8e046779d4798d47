import { expect, test, vi } from 'vitest';
import { settingsSchema, type Settings } from '#common/model/settings.ts';
import type { GatewayEvent } from '#common/control/messages.ts';
import type { GatewayState } from '#common/model/records.ts';
import type { CallerTraffic } from '#common/model/traffic.ts';
import type { GatewayOutage } from '../contracts.ts';
import { createAlarms } from './alarms.ts';
import { setCallersAlarms } from './caller-alarms.ts';
import { setOutageAlarm } from './outage-alarm.ts';
import { setSharesAlarms } from './share-alarm.ts';
import { setStateAlarms, watchGateway } from './standing-alarms.ts';

test('there is one alarm per code; it keeps its time when its text changes, and is removed when cleared', () => {
  let time = 0;
  const alarms = createAlarms(() => new Date(time));
  const changed = vi.fn<() => void>();
  alarms.onChange(changed);
  alarms.raise('a', { text: 'one' });
  time = 60_000;
  alarms.raise('a', { text: 'two' });
  alarms.raise('a', { text: 'two' });
  expect(alarms.list()).toEqual([
    {
      code: 'a',
      severity: 'alarm',
      text: 'two',
      values: {},
      since: '1970-01-01T00:00:00.000Z',
      acknowledgedAt: null,
      acknowledgedBy: null,
      shelvedUntil: null,
      shelvedBy: null,
      note: null,
    },
  ]);
  expect(changed).toHaveBeenCalledTimes(2);
  alarms.clear('a');
  alarms.clear('a');
  expect(alarms.list()).toEqual([]);
  expect(changed).toHaveBeenCalledTimes(3);
});

test('an alarm stays acknowledged until it clears or changes its subject', () => {
  const alarms = createAlarms(() => new Date(0));
  expect(alarms.acknowledge('a', 'anna')).toBeNull();
  alarms.raise('a', { text: 'one', subject: 'mes' });
  expect(alarms.acknowledge('a', 'anna')).toMatchObject({ acknowledgedBy: 'anna' });
  expect(alarms.acknowledge('a', 'bert')).toMatchObject({ acknowledgedBy: 'anna' });
  alarms.raise('a', { text: 'one more', subject: 'mes' });
  expect(alarms.list()).toMatchObject([{ text: 'one more', acknowledgedBy: 'anna' }]);
  alarms.raise('a', { text: 'one more', subject: 'mes erp' });
  expect(alarms.list()).toMatchObject([{ acknowledgedAt: null, acknowledgedBy: null }]);
  alarms.acknowledge('a', 'bert');
  alarms.clear('a');
  alarms.raise('a', { text: 'again', subject: 'mes erp' });
  expect(alarms.list()).toMatchObject([{ acknowledgedAt: null }]);
});

test('callers that are silent or refused repeatedly are reported by name, a single refusal is not', () => {
  const alarms = createAlarms();
  const caller = (name: string, more: Partial<CallerTraffic>): CallerTraffic => ({
    keyId: name,
    project: 'p',
    name,
    ip: null,
    lastCallAt: null,
    usualGapSeconds: null,
    silent: false,
    calls: 1,
    refused: 0,
    refusedCode: null,
    ...more,
  });
  setCallersAlarms(alarms, [caller('a', { refused: 1 }), caller('b', {})]);
  expect(alarms.list()).toEqual([]);
  setCallersAlarms(alarms, [caller('b', { silent: true }), caller('a', { silent: true }), caller('c', { refused: 3 })]);
  expect(alarms.list()).toMatchObject([
    { code: 'caller_silent', values: { names: 'a, b' } },
    { code: 'caller_refused', values: { names: 'c' } },
  ]);
});

function settings(changes: Partial<Settings>): Settings {
  return { ...settingsSchema.parse({}), ...changes };
}

const journal = { tampered: [], unproven: [], outside: null, spareRows: 0 };

/** Nothing to report, with the changes of the test. */
const state = (changes: Partial<Parameters<typeof setStateAlarms>[1]> = {}): Parameters<typeof setStateAlarms>[1] => ({
  notices: [],
  keysRefused: false,
  journal,
  lostStores: [],
  unfinished: [],
  settings: settings({ tls: 'own' }),
  gatewayPort: 8443,
  plainPort: null,
  ...changes,
});

test('plain HTTP is reported with its port for as long as any port uses it', () => {
  const alarms = createAlarms();
  setStateAlarms(alarms, state({ settings: settings({}), gatewayPort: null }));
  expect(alarms.list()[0]).toMatchObject({ code: 'keys_readable' });
  expect(alarms.list()[0]?.text).toContain('Port 8090');
  setStateAlarms(alarms, state({ settings: settings({ tls: 'own', plainHttpPort: 8080 }) }));
  expect(alarms.list()[0]?.text).toContain('Port 8080');
  setStateAlarms(alarms, state());
  expect(alarms.list()).toEqual([]);
});

test('a port that the system chose is reported by its real number, or without a number', () => {
  const alarms = createAlarms();
  const free = settings({ gatewayPort: 0 });
  setStateAlarms(alarms, state({ settings: free, gatewayPort: null }));
  expect(alarms.list()[0]?.text).toMatch(/^The gateway uses plain HTTP/);
  setStateAlarms(alarms, state({ settings: free, gatewayPort: 40123 }));
  expect(alarms.list()[0]?.text).toMatch(/^Port 40123 uses plain HTTP/);
});

test('an external head that the journal does not contain, and an unusable file, are alarms until they are resolved', () => {
  const alarms = createAlarms();
  const outside = { path: '/mnt/audit/line-7.heads', findings: ['host batches 4 to 9 are missing.'], unusable: 'EIO' };
  const tell = (now: typeof outside | null) => setStateAlarms(alarms, state({ journal: { ...journal, outside: now } }));
  tell(outside);
  expect(alarms.list()).toMatchObject([
    { code: 'journal_rolled_back', values: { findings: expect.stringContaining('host batches 4 to 9 are missing.') } },
    { code: 'journal_head_unusable', values: { file: '/mnt/audit/line-7.heads', reason: 'EIO' } },
  ]);
  tell(null);
  expect(alarms.list()).toEqual([]);
});

test('notices of the vault stay until it withdraws them', () => {
  const alarms = createAlarms();
  setStateAlarms(alarms, state({ notices: [{ code: 'vault_rolled_back', text: 'older' }], keysRefused: true }));
  expect(alarms.list()).toMatchObject([{ code: 'vault_rolled_back', text: 'older' }, { code: 'keys_refused' }]);
  setStateAlarms(alarms, state());
  expect(alarms.list()).toEqual([]);
});

test('a failing journal and a gateway that is down or restarts are reported', () => {
  const alarms = createAlarms();
  let tell: (event: GatewayEvent | { kind: 'state' }) => void = () => {};
  const gateway = {
    state: 'running' as GatewayState,
    restarts: 0,
    lastOutage: null as GatewayOutage | null,
    trouble: null as string | null,
    on: (listener: typeof tell) => {
      tell = listener;
      return () => {};
    },
  };
  const codes = () => alarms.list().map(({ code }) => code);
  watchGateway(alarms, gateway);
  tell({ kind: 'journal', state: 'unavailable', reason: 'ENOSPC' });
  expect(alarms.list()).toMatchObject([{ code: 'journal_unavailable' }]);
  expect(alarms.list()[0]?.text).toContain('ENOSPC');
  tell({ kind: 'journal', state: 'ok', reason: null });
  expect(codes()).toEqual([]);
  gateway.state = 'dead';
  gateway.trouble = 'port 8090 is in use';
  tell({ kind: 'state' });
  expect(alarms.list()[0]?.text).toContain('port 8090 is in use');
  gateway.state = 'running';
  gateway.restarts = 3;
  tell({ kind: 'state' });
  expect(codes()).toEqual(['gateway_restarted']);
});

test('routes that did not respond for a while are an advisory until a user has seen it, each with its own record', () => {
  const alarms = createAlarms(() => new Date('2026-03-01T10:15:00'));
  const at = (time: string) => new Date(`2026-03-01T${time}`).toISOString();
  setOutageAlarm(alarms, { from: at('10:12:03'), to: at('10:12:14'), cause: 'silent' });
  expect(alarms.list()).toMatchObject([
    {
      code: 'gateway_outage',
      severity: 'advisory',
      text: 'Routes did not answer from 10:12:03 to 10:12:14: the gateway was silent and was restarted.',
      values: { from: at('10:12:03'), to: at('10:12:14'), count: 1 },
    },
  ]);
  setOutageAlarm(alarms, { from: at('10:14:00'), to: at('10:14:01'), cause: 'ended' });
  expect(alarms.list()).toMatchObject([{ values: { count: 2 }, text: expect.stringContaining('from 10:14:00') }]);
  expect(alarms.acknowledge('gateway_outage', 'anna')).toMatchObject({ acknowledgedBy: 'anna' });
  expect(alarms.list()).toEqual([]);
});

test('an outage that the gateway reports is raised once', () => {
  const alarms = createAlarms();
  let tell: (event: { kind: 'state' }) => void = () => {};
  const outage: GatewayOutage = { from: '2026-03-01T10:12:03Z', to: '2026-03-01T10:12:14Z', cause: 'ended' };
  const gateway = {
    state: 'running' as GatewayState,
    restarts: 1,
    lastOutage: null as GatewayOutage | null,
    trouble: null,
    on: (listener: typeof tell) => {
      tell = listener;
      return () => {};
    },
  };
  watchGateway(alarms, gateway);
  gateway.lastOutage = outage;
  tell({ kind: 'state' });
  alarms.acknowledge('gateway_outage', 'anna');
  tell({ kind: 'state' });
  expect(alarms.list()).toEqual([]);
});

test('callers that use up a share are named, up to a limit, until it is over', () => {
  const alarms = createAlarms();
  const uses = Array.from({ length: 7 }, (_, n) => ({ cap: 'requests', name: `key ${n}`, project: 'line-1' }));
  setSharesAlarms(alarms, [{ cap: 'bodies', name: null, project: 'a-line' }, ...uses]);
  expect(alarms.list()).toMatchObject([
    {
      code: 'share_used_up',
      values: { names: 'a-line, key 0 (line-1), key 1 (line-1), key 2 (line-1), key 3 (line-1) +3' },
    },
  ]);
  setSharesAlarms(alarms, []);
  expect(alarms.list()).toEqual([]);
});
