import { afterEach, describe, expect, test } from 'vitest';
import { NodeError } from '#sdk';
import { until } from '#test/until.ts';
import { SOCKET_IDLE_MS } from './agents.ts';
import { PIN_MS, Pins, PINS_MAX } from './pins.ts';
import { Routes, ROUTES_MAX } from './routes.ts';
import { ask, bodyOf, Opened, settingsOf, type TestTarget } from './target.testing.ts';
import { TargetGuard } from '#net/target-guard.ts';

const opened = new Opened();
afterEach(() => opened.close());

/** A DNS server and a clock that are controlled by the test. */
class FakeEdge {
  readonly names = new Map<string, string[]>();
  readonly asked: string[] = [];
  nowMs = 0;
  readonly now = (): number => this.nowMs;
  readonly lookUp = (host: string): Promise<readonly string[]> => {
    this.asked.push(host);
    const addresses = this.names.get(host);
    if (addresses !== undefined) return Promise.resolve(addresses);
    const cause = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
    return Promise.reject(new NodeError('target_unknown', `the name ${host} cannot be resolved`, { cause }));
  };
}

const greeting = (): Promise<TestTarget> => opened.http((req, res) => res.end(`to ${req.headers.host}`));

/** Earlier than for one that is merely no longer used. */
async function untilClosed({ connections }: TestTarget): Promise<void> {
  const closed = (): boolean => connections.every((socket) => socket.destroyed);
  await until('the connection is closed', closed, { timeoutMs: SOCKET_IDLE_MS / 2 });
}

describe('addresses that are refused, in every form', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:7f00:1]',
    '[::ffff:127.0.0.1]',
    '[::7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '0.0.0.0',
    '[::]',
    '169.254.169.254',
    '[fe80::1]',
    'localhost',
    'LOCALHOST',
  ])('%s', async (host) => {
    const target = await greeting();
    const result = await ask(opened.client({}), `http://${host}:${target.port}`);
    expect(result).toMatchObject({ kind: 'refused' });
    expect(JSON.stringify(result)).toContain('allowed internal targets');
    expect(target.connections).toHaveLength(0);
  });

  test.each(['127.0.0.1', '127.1', '2130706433', '0x7f.1'])('but not when 127.0.0.1 is allowed: %s', async (host) => {
    const target = await greeting();
    expect(bodyOf(await ask(opened.clientFor(target), `http://${host}:${target.port}`))).toBe(
      `to 127.0.0.1:${target.port}`,
    );
  });

  test('an allowed target covers only one port', async () => {
    const [allowed, other] = [await greeting(), await greeting()];
    expect(await ask(opened.clientFor(allowed), other.origin)).toMatchObject({ kind: 'refused' });
  });

  test('a name with one refused address among several', async () => {
    const target = await greeting();
    const edge = new FakeEdge();
    edge.names.set('mes.example', ['127.0.0.1', '127.0.0.2']);
    const client = opened.client({ allowedInternalTargets: [`127.0.0.1:${target.port}`] }, edge);
    expect(await ask(client, `http://mes.example:${target.port}`)).toMatchObject({ kind: 'refused' });
    expect(target.connections).toHaveLength(0);
  });

  test('an unknown name is unreachable, and the next call resolves it again', async () => {
    const edge = new FakeEdge();
    const client = opened.client({}, edge);
    for (let call = 0; call < 2; call++)
      expect(await ask(client, 'http://mes.example:80')).toMatchObject({
        kind: 'unreachable',
        text: 'the name mes.example cannot be resolved (ENOTFOUND)',
      });
    expect(edge.asked).toHaveLength(2);
  });
});

describe('the checked address is the one that is dialled', () => {
  async function named(): Promise<{ target: TestTarget; edge: FakeEdge; origin: string; list: string[] }> {
    const target = await greeting();
    const edge = new FakeEdge();
    edge.names.set('mes.example', ['127.0.0.1']);
    const list = [`127.0.0.1:${target.port}`, `127.0.0.2:${target.port}`];
    return { target, edge, origin: `http://mes.example:${target.port}`, list };
  }

  test('with the name in the Host header, after one DNS query', async () => {
    const { edge, origin, list, target } = await named();
    const client = opened.client({ allowedInternalTargets: list }, edge);
    const calls = await Promise.all([ask(client, origin), ask(client, origin), ask(client, origin)]);
    expect(calls.map(bodyOf)).toEqual(Array(3).fill(`to mes.example:${target.port}`));
    edge.nowMs = PIN_MS;
    await ask(client, origin);
    expect(edge.asked).toEqual(['mes.example']);
  });

  test('and is checked again after 10 s: a call follows a name that changes to another machine', async () => {
    const { edge, origin, list, target } = await named();
    const client = opened.client({ allowedInternalTargets: list }, edge);
    await ask(client, origin);
    edge.nowMs = PIN_MS + 1;
    await ask(client, origin);
    expect(edge.asked).toHaveLength(2);
    expect(target.connections).toHaveLength(1);
    // Nothing listens there, so a response shows that the kept connection was not used.
    edge.names.set('mes.example', ['127.0.0.2']);
    edge.nowMs += PIN_MS + 1;
    expect(await ask(client, origin)).toMatchObject({ kind: 'unreachable' });
    await untilClosed(target);
  });

  test('and a name that changes to this machine is refused, with or without kept connections', async () => {
    const { edge, origin, target } = await named();
    const client = opened.client({ allowedInternalTargets: [`127.0.0.1:${target.port}`] }, edge);
    await ask(client, origin);
    edge.names.set('mes.example', ['127.0.0.3']);
    edge.nowMs = PIN_MS + 1;
    expect(await ask(client, origin)).toMatchObject({ kind: 'refused' });
    expect(target.requests).toHaveLength(1);
  });

  test('trying each address of a name', async () => {
    const { edge, origin, list, target } = await named();
    edge.names.set('mes.example', ['127.0.0.2', '127.0.0.1']);
    const client = opened.client({ allowedInternalTargets: list }, edge);
    expect(bodyOf(await ask(client, origin))).toBe(`to mes.example:${target.port}`);
  });

  test('the order of the addresses of a name may change without a new connection', async () => {
    const { edge, origin, list, target } = await named();
    edge.names.set('mes.example', ['127.0.0.1', '127.0.0.2']);
    const client = opened.client({ allowedInternalTargets: list }, edge);
    await ask(client, origin);
    edge.names.set('mes.example', ['127.0.0.2', '127.0.0.1']);
    edge.nowMs = PIN_MS + 1;
    await ask(client, origin);
    expect(edge.asked).toHaveLength(2);
    expect(target.connections).toHaveLength(1);
  });
});

describe('changed settings', () => {
  test('apply from the next call on: kept connections are not reused', async () => {
    const target = await greeting();
    const client = opened.clientFor(target);
    await ask(client, target.origin);
    client.configure(settingsOf({}));
    expect(await ask(client, target.origin)).toMatchObject({ kind: 'refused' });
    await untilClosed(target);
    client.configure(settingsOf({ allowedInternalTargets: [`127.0.0.1:${target.port}`] }));
    expect(await ask(client, target.origin)).toMatchObject({ kind: 'answered' });
    expect(target.connections).toHaveLength(2);
  });

  test('cause a new connection even where nothing changed for the target', async () => {
    const target = await greeting();
    const client = opened.clientFor(target);
    await ask(client, target.origin);
    client.configure(settingsOf({ allowedInternalTargets: [`127.0.0.1:${target.port}`] }));
    await ask(client, target.origin);
    expect(target.connections).toHaveLength(2);
  });

  test('let a call in flight that is still allowed finish, then close its connection', async () => {
    const answers: (() => void)[] = [];
    const target = await opened.http((_req, res) => answers.push(() => res.end('late')));
    const client = opened.clientFor(target);
    const call = ask(client, target.origin);
    await until('the target is called', () => answers.length === 1);
    client.configure(settingsOf({ allowedInternalTargets: [`127.0.0.1:${target.port}`] }));
    answers[0]?.();
    expect(bodyOf(await call)).toBe('late');
    await untilClosed(target);
  });
});

describe('caches are limited', () => {
  test('agents: the least recently used is removed', async () => {
    const routes = new Routes(settingsOf({}), { lookUp: () => Promise.resolve(['10.0.0.1']) });
    const first = await routes.lease('http://a0.example:80', null, '');
    first.release();
    for (let host = 1; host < ROUTES_MAX; host++)
      (await routes.lease(`http://a${host}.example:80`, null, '')).release();
    const again = await routes.lease('http://a0.example:80', null, '');
    again.release();
    expect(again.agents).toBe(first.agents);
    const second = (await routes.lease('http://b.example:80', null, '')).release;
    second();
    expect(routes.size).toBe(ROUTES_MAX);
    expect((await routes.lease('http://a0.example:80', null, '')).agents).toBe(first.agents);
    routes.close();
  });

  test('addresses', async () => {
    let asked = 0;
    const guard = new TargetGuard([], () => {
      asked += 1;
      return Promise.resolve(['10.0.0.1']);
    });
    const pins = new Pins(guard, () => 0);
    for (let host = 0; host <= PINS_MAX; host++) await pins.of(`a${host}.example`, 80);
    await pins.of(`a${PINS_MAX}.example`, 80);
    expect(asked).toBe(PINS_MAX + 1);
    await pins.of('a0.example', 80);
    expect(asked).toBe(PINS_MAX + 2);
  });
});
