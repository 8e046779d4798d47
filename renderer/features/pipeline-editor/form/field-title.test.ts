import { expect, test } from 'vitest';
import { kindOf } from '../model/kinds.testing.ts';
import { fieldTitle } from './field-title.ts';

const text = { type: 'string' };
const row = { type: 'object', properties: { port: { ...text, title: 'Port' } }, required: ['port'] };
const kind = kindOf('weigh', {
  settings: {
    type: 'object',
    properties: {
      allowedIps: { anyOf: [{ type: 'array', items: text }, text], title: 'Allowed IPs' },
      cases: { type: 'array', items: row, title: 'Cases' },
      staticHeaders: { type: 'object', additionalProperties: text, title: 'Static headers' },
      tls: { type: 'object', properties: { ca: { ...text, title: 'Authority' } }, title: 'TLS' },
    },
  },
});
const kinds = new Map([[kind.id, kind]]);
const titleOf = (path: string, settings = {}) =>
  fieldTitle({ id: 'n', kind: 'weigh', position: { x: 0, y: 0 }, settings }, kinds, path, (english) => english);

test.each([
  ['allowedIps', 'Allowed IPs'],
  ['allowedIps.1', 'Allowed IPs 2'],
  ['cases.0', 'Cases 1'],
  ['cases.0.port', 'Cases 1, Port'],
  ['staticHeaders.Authorization', 'Static headers, Authorization'],
  ['staticHeaders.X-Line.7', 'Static headers, X-Line.7'],
  ['tls.ca', 'TLS, Authority'],
  ['unknown.part', 'unknown.part'],
])('%s is shown as "%s"', (path, title) => expect(titleOf(path)).toBe(title));
