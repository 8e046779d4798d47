import { expect, test } from 'vitest';
import { scrapeConfig, type ScrapeTarget } from './scrape-config.ts';

const target: ScrapeTarget = {
  settings: { baseUrl: 'http://edge-7', tls: 'off' },
  metricsHost: '0.0.0.0',
  metricsPort: null,
  uiHost: '127.0.0.1:8091',
  token: null,
};

test('without a separate port the target is the UI, and an unknown token is a placeholder', () => {
  expect(scrapeConfig(target)).toBe(`scrape_configs:
  - job_name: sluice
    authorization:
      credentials: "<metrics token>"
    static_configs:
      - targets: ["127.0.0.1:8091"]
`);
});

test.each([
  ['0.0.0.0', 'off', 'edge-7:9464', false],
  ['10.0.0.7', 'off', '10.0.0.7:9464', false],
  ['fd00::7', 'own', '[fd00::7]:9464', true],
  ['::', 'custom', 'edge-7:9464', true],
] as const)('on %s with TLS %s the target is %s', (metricsHost, tls, expected, isSecure) => {
  const text = scrapeConfig({ ...target, settings: { ...target.settings, tls }, metricsHost, metricsPort: 9464 });
  expect(text).toContain(`targets: ["${expected}"]`);
  expect(text.includes('scheme: https')).toBe(isSecure);
});

test('a known token replaces the placeholder', () => {
  expect(scrapeConfig({ ...target, token: 'abc' })).toContain('credentials: "abc"');
});
