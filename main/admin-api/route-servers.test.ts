import { expect, test } from 'vitest';
import { routeServers, type ServerFacts } from './route-servers.ts';

const machine = { name: 'edge-7', address: '10.20.4.12' };
const urls = (facts: Partial<Omit<ServerFacts, 'settings'>> & { settings?: Partial<ServerFacts['settings']> }) =>
  routeServers({
    port: 8090,
    machine,
    host: '127.0.0.1:8091',
    ...facts,
    settings: { baseUrl: 'http://edge-7', gatewayHost: '0.0.0.0', tls: 'off', ...facts.settings },
  }).map(({ url }) => url);

test('without a base URL, the host of the request comes first, then address and name', () => {
  expect(urls({})).toEqual(['http://127.0.0.1:8090', 'http://10.20.4.12:8090', 'http://edge-7:8090']);
  expect(urls({ host: 'localhost:8091', port: 9000 })[0]).toBe('http://localhost:9000');
  expect(urls({ machine: { ...machine, address: null } })).toEqual(['http://127.0.0.1:8090', 'http://edge-7:8090']);
});

test('a configured base URL is the only server', () => {
  expect(urls({ settings: { baseUrl: 'https://line.example' } })).toEqual(['https://line.example:8090']);
});

test('with TLS every server is https', () => {
  expect(urls({ settings: { tls: 'own' } })).toEqual([
    'https://127.0.0.1:8090',
    'https://10.20.4.12:8090',
    'https://edge-7:8090',
  ]);
  expect(urls({ settings: { tls: 'own', baseUrl: 'http://line' } })).toEqual(['https://line:8090']);
});

test('a gateway that listens on one address is listed with it', () => {
  expect(urls({ settings: { gatewayHost: '127.0.0.1' }, host: 'localhost:8091' })).toEqual(['http://127.0.0.1:8090']);
  expect(urls({ settings: { gatewayHost: '10.20.4.12' } })).toEqual(['http://10.20.4.12:8090', 'http://edge-7:8090']);
});

test('a gateway without IPv6 is not listed with an IPv6 address', () => {
  expect(urls({ host: '[::1]:8091' })[0]).toBe('http://127.0.0.1:8090');
  expect(urls({ host: '[::1]:8091', settings: { gatewayHost: '::' } })[0]).toBe('http://[::1]:8090');
});
