import { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { ownAddresses } from './own-addresses.ts';
import { isPublicEnough, TargetGuard } from './target-guard.ts';

/** Addresses of the test machine in addition to loopback; the second has a zone, as interfaces have. */
const OWN = ['10.0.0.5', 'fd00::2', '2001:db8:7::9'];
const isOwn = ownAddresses(() => ({
  eth0: OWN.map((address) => ({
    address: `${address}${address === 'fd00::2' ? '%eth0' : ''}`,
    netmask: '',
    mac: '',
    internal: false,
    ...(address.includes('.') ? { family: 'IPv4', cidr: null } : { family: 'IPv6', scopeid: 0, cidr: null }),
  })),
}));

const code = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'passed',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );

describe('the gateway', () => {
  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '169.254.169.254',
    '169.254.1.1',
    '255.255.255.255',
    '224.0.0.1',
    '100.100.100.200',
    '::1',
    '::',
    'fe80::1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '::127.0.0.1',
    'fd00:ec2::23',
    'fd00:ec2::254',
    'fd20:ce::254',
    '64:ff9b:1::7f00:1',
    '::ffff:0:7f00:1',
    '2001:0:4136:e378:8000:63bf:80ff:fffe',
    '2a00:1450::5efe:7f00:1',
    'fd00::200:5efe:a9fe:a9fe',
  ])('never dials %s', (address) => {
    expect(isPublicEnough(address, isOwn)).toBe(false);
  });

  test.each(['10.0.0.7', '192.168.1.20', '172.16.4.4', '93.184.216.34', 'fd12:3456::1', '2001:4860:4860::8888'])(
    'dials %s of a factory network or beyond',
    (address) => {
      expect(isPublicEnough(address, isOwn)).toBe(true);
    },
  );

  test.each(OWN)('never dials its own address %s, in any form', (own) => {
    const v4 = own.includes('.');
    for (const form of v4 ? [own, `::ffff:${own}`, `64:ff9b::${own}`] : [own])
      expect(isPublicEnough(form, isOwn)).toBe(false);
  });

  test('dials an address that used to be its own, and its own only when it is on the list', async () => {
    const guard = new TargetGuard(['10.0.0.5:9000'], undefined, isOwn);
    expect(await code(guard.resolve('10.0.0.5', 9000))).toBe('passed');
    expect(await code(guard.resolve('10.0.0.5', 9001))).toBe('target_refused');
    expect(await code(guard.resolve('fd00:0:0::2', 80))).toBe('target_refused');
    expect(await code(guard.resolve('10.0.0.6', 9001))).toBe('passed');
    expect(() => guard.refuseLiteral('10.0.0.5', 80)).toThrow('an address of this machine');
  });

  test('does not dial the current addresses of this machine', async () => {
    const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    for (const { address } of all)
      expect(await code(new TargetGuard([]).resolve(address, 8090))).toBe('target_refused');
  });

  test.each(['127.0.0.1', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '[::1]', '[::ffff:7f00:1]', 'localhost'])(
    'does not dial this machine written as %s',
    async (host) => {
      expect(await code(new TargetGuard([]).resolve(host, 5432))).toBe('target_refused');
    },
  );

  test('dials an internal target on the list, at that port only', async () => {
    const guard = new TargetGuard(['127.0.0.1:5432', '[::1]:1883', 'localhost:9000']);
    expect(await guard.resolve('127.0.0.1', 5432)).toEqual({
      host: '127.0.0.1',
      port: 5432,
      address: '127.0.0.1',
      family: 4,
      addresses: ['127.0.0.1'],
    });
    expect((await guard.resolve('::1', 1883)).address).toBe('::1');
    expect((await guard.resolve('localhost', 9000)).host).toBe('localhost');
    expect(await code(guard.resolve('127.0.0.1', 5433))).toBe('target_refused');
    guard.configure([]);
    expect(await code(guard.resolve('127.0.0.1', 5432))).toBe('target_refused');
  });

  test('does not dial a name with any refused address, even behind an allowed one', async () => {
    const guard = (addresses: string[]) => new TargetGuard(['127.0.0.1:80'], () => Promise.resolve(addresses));
    expect((await guard(['127.0.0.1', '10.0.0.7']).resolve('mes.example', 80)).addresses).toHaveLength(2);
    expect(await code(guard(['127.0.0.1', '127.0.0.2']).resolve('mes.example', 80))).toBe('target_refused');
    expect(await code(guard(['10.0.0.7', '169.254.169.254']).resolve('mes.example', 80))).toBe('target_refused');
    expect(await code(guard([]).resolve('mes.example', 80))).toBe('target_unknown');
  });

  test('checks open connections again with each change: refused ones are notified once, the others are not', async () => {
    const names: Record<string, string[]> = { 'mes.example': ['127.0.0.1', '10.0.0.7'], 'plc.example': ['10.0.0.8'] };
    const guard = new TargetGuard(['127.0.0.1:80', '127.0.0.1:81'], (host) => Promise.resolve(names[host] ?? []));
    const heard: string[] = [];
    const held = async (host: string, port: number) =>
      guard.hold(await guard.resolve(host, port), ({ code }) => heard.push(`${host}:${port} ${code}`));
    await held('127.0.0.1', 80);
    await held('mes.example', 80);
    await held('plc.example', 80);
    const release = await held('127.0.0.1', 81);
    guard.configure(['127.0.0.1:81', '127.0.0.1:80']);
    guard.configure(['mes.example:80', '127.0.0.1:81']);
    expect(heard).toEqual(['127.0.0.1:80 target_refused']);
    release();
    guard.configure([]);
    guard.configure([]);
    expect(heard).toEqual(['127.0.0.1:80 target_refused', 'mes.example:80 target_refused']);
  });

  test('does not keep a target that was refused between its look-up and its connection, and closes the socket', async () => {
    const guard = new TargetGuard(['127.0.0.1:80']);
    const target = await guard.resolve('127.0.0.1', 80);
    guard.configure([]);
    const socket = new Socket();
    expect(() => guard.holdSocket(target, socket)).toThrow('allowed internal targets');
    expect(socket.destroyed).toBe(true);
  });

  test('does not dial an unknown name', async () => {
    expect(await code(new TargetGuard([]).resolve('no-such-host.invalid', 80))).toBe('target_unknown');
  });
});
