import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { startService } from '#test/service.ts';
import { until } from '#test/until.ts';

/** Changes while the gateway ends, with real processes: reported as done only when a gateway serves with them. */
test(
  'settings are refused with their field and undone if the gateway ended before it accepted them and the next one cannot serve with them',
  { timeout: 180_000 },
  async () => {
    const holder = createServer().listen(0, '0.0.0.0');
    await once(holder, 'listening');
    const address = holder.address();
    const taken = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      await using service = await startService();
      await service.setUp();
      const { pid } = (await service.status()).gateway;
      if (pid === null) throw new Error('the gateway has no process');
      // Does not respond: the host ends it after 2 s without an acknowledgement.
      process.kill(pid, 'SIGSTOP');
      const wanted = { tls: 'own', plainHttpPort: taken };
      const { status, body } = await service.admin.request('PATCH', '/settings', wanted);
      expect([status, body]).toMatchObject([
        409,
        { errors: [{ path: 'plainHttpPort', message: expect.stringContaining(`${taken} is in use`) }] },
      ]);
      const { body: after } = await service.admin.request('GET', '/settings');
      expect(after).toMatchObject({ tls: 'off', plainHttpPort: null });
      await until('it serves again', async () => (await service.status()).gateway.state === 'running', {
        timeoutMs: 60_000,
      });
      expect((await service.status()).gateway.pid).not.toBe(pid);
      expect((await service.status()).alarms.map(({ code }) => code)).not.toContain('gateway_down');

      const next = (await service.status()).gateway.pid ?? 0;
      process.kill(next, 'SIGSTOP');
      const done = await service.admin.request('PATCH', '/settings', { tls: 'own' });
      expect([done.status, done.body]).toMatchObject([200, { tls: 'own', pending: false }]);
    } finally {
      holder.close();
    }
  },
);
