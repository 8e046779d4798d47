import { expect, test } from 'vitest';
import type { PipelineRecord } from '#common/model/records.ts';
import { callLine, gatewayUrl } from './call-line.ts';

const pipeline = (settings: Record<string, unknown>, state: PipelineRecord['state'] = 'running'): PipelineRecord => ({
  id: 'p',
  name: 'P',
  runAs: 'caller',
  grants: [],
  nodes: [{ id: 'in', kind: 'rest-api', position: { x: 0, y: 0 }, settings }],
  wires: [],
  project: 'line',
  revision: 1,
  state,
  runningRevision: 1,
  runningSince: null,
  approvedRevision: null,
  updatedAt: '',
  updatedBy: '',
});
const url = gatewayUrl('http://edge-7', 8090);

test('the line calls the first running route that the key opens', () => {
  const pipelines = [
    pipeline({ urlPattern: '/stopped' }, 'stopped'),
    pipeline({ urlPattern: '/closed', requiredScopes: ['db:write'] }),
    pipeline({ urlPattern: '/open/:id', requiredScopes: ['db:read'] }),
  ];
  expect(callLine(pipelines, ['db:read'], url, 'KEY')).toBe(
    "curl -i 'http://edge-7:8090/open/1' \\\n  -H 'X-API-Key: KEY'",
  );
});

test('a POST gets a JSON body, so that the line works as pasted', () => {
  const line = callLine([pipeline({ method: 'POST', urlPattern: '/orders' })], [], url, 'KEY');
  expect(line).toContain(' -X POST ');
  expect(line).toContain("-H 'Content-Type: application/json'");
  expect(line).toContain("--data-raw '{}'");
});

test('a public route shows nothing about a key, so it is not offered', () => {
  expect(callLine([pipeline({ authType: 'none' })], [], url, 'KEY')).toBeNull();
});
