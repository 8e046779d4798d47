import { beforeEach, expect, test } from 'vitest';
import { targetOf } from '../admin-api/egress-double.testing.ts';
import { admin, harness, harnessPerTest } from '../admin-api/use-harness.testing.ts';
import { egressMetrics, TARGETS_LISTED_MAX } from './egress-metrics.ts';

const TOKEN = 'a-token-of-24-characters';
harnessPerTest();
beforeEach(async () => {
  await admin.send('PATCH', '/settings', { metricsToken: TOKEN });
});

async function scrape(): Promise<string> {
  const { body } = await harness.nobody.send('GET', '/metrics', undefined, { authorization: `Bearer ${TOKEN}` });
  return String(body['text']);
}

test('the metrics have the waiting events of each target and the fill level of the buffer', async () => {
  const { egress } = harness.gateway;
  egress.targets = [
    targetOf('mes', { queued: 7, dead: 2, acceptedPerMinute: 30, deliveredPerMinute: 12 }),
    targetOf('erp', { state: 'paused', reason: 'it answered 401' }),
  ];
  Object.assign(egress.buffer, { bytes: 256 * 1024 ** 2, events: 900_000 });
  const text = await scrape();
  for (const line of [
    'sluice_egress_targets 2',
    'sluice_egress_storable 1',
    'sluice_egress_bytes 268435456',
    'sluice_egress_bytes_max 1073741824',
    'sluice_egress_events 900000',
    'sluice_egress_events_max 1000000',
    'sluice_egress_buffer_filled_ratio 0.9',
    'sluice_egress_disk_free_bytes 53687091200',
    'sluice_egress_queued{target="https://mes.example:8443"} 7',
    'sluice_egress_dead{target="https://mes.example:8443"} 2',
    'sluice_egress_accepted_per_minute{target="https://mes.example:8443"} 30',
    'sluice_egress_delivered_per_minute{target="https://mes.example:8443"} 12',
    'sluice_egress_paused{target="https://mes.example:8443"} 0',
    'sluice_egress_paused{target="https://erp.example:8443"} 1',
    'sluice_egress_oldest_seconds{target="https://erp.example:8443"} 0',
  ])
    expect(text.split('\n')).toContain(line);
  expect(text).not.toContain('it answered');
});

test('the age of the oldest event is in seconds, and an unknown disk is left out', () => {
  const { buffer } = harness.gateway.egress;
  const targets = [targetOf('mes', { oldestAt: '2026-03-01T05:00:00.000Z' })];
  const state = { buffer: { ...buffer, diskFreeBytes: null, trouble: 'the disk is full' }, targets };
  const lines = egressMetrics(state, Date.parse('2026-03-01T06:00:30.500Z'));
  expect(lines).toContain('sluice_egress_oldest_seconds{target="https://mes.example:8443"} 3630.5');
  expect(lines).toContain('sluice_egress_storable 0');
  expect(lines.join('\n')).not.toContain('disk_free');
});

test('targets up to the limit of a scrape are listed individually, and all are counted', async () => {
  harness.gateway.egress.targets = Array.from({ length: TARGETS_LISTED_MAX + 1 }, (_, index) => targetOf(`t${index}`));
  const text = await scrape();
  expect(text.match(/^sluice_egress_queued\{/gm)).toHaveLength(TARGETS_LISTED_MAX);
  expect(text).toContain(`sluice_egress_targets ${TARGETS_LISTED_MAX + 1}\n`);
});

test('an unresponsive outbox removes nothing else from the metrics', async () => {
  harness.gateway.egress.handlers['egress-state'] = () => {
    throw new Error('no answer');
  };
  const text = await scrape();
  expect(text).toContain('sluice_gateway_up 1\n');
  expect(text).not.toContain('sluice_egress');
});
