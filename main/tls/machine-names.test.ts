import { expect, test } from 'vitest';
import { namesToProve } from './machine-names.ts';

const names = (baseUrl: string, machine = 'EDGE-7.plant.local', addresses: string[] = []) =>
  namesToProve({ baseUrl }, { machine, addresses });

test("the machine's name, long and short, that of the base URL, and loopback", () => {
  expect(names('http://mes-gate')).toEqual({
    hosts: ['edge-7.plant.local', 'edge-7', 'mes-gate', 'localhost'],
    addresses: ['127.0.0.1', '::1'],
  });
});

test('addresses are in one form each, without link-local ones, which need the name of an interface', () => {
  const cards = ['10.0.0.7', 'fe80::1', 'fd00:0:0::7', '::ffff:10.0.0.7'];
  expect(names('http://[fd00::8]', 'pc', cards).addresses).toEqual([
    'fd00::8',
    '10.0.0.7',
    'fd00::7',
    '127.0.0.1',
    '::1',
  ]);
  expect(names('http://192.168.1.5', 'pc', cards).addresses[0]).toBe('192.168.1.5');
});

test('a name that no certificate can hold is omitted, and an underscore is kept', () => {
  expect(names('http://localhost', 'my_pc').hosts).toEqual(['my_pc', 'localhost']);
  expect(names('http://localhost', 'größe pc').hosts).toEqual(['localhost']);
});

test('a machine with very many addresses gets a certificate of limited size', () => {
  const many = Array.from({ length: 400 }, (_, at) => `10.1.${at >> 8}.${at & 255}`);
  expect(names('http://a', 'a', many).addresses).toHaveLength(50);
});
