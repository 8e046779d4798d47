import { createLogger } from '#common/node/log.ts';
import type { Outbox } from '../../gateway/egress/outbox/contract.ts';
import { openOutbox } from '../../gateway/egress/outbox/outbox.ts';

interface Options {
  readonly dataDir: string;
  readonly key: Buffer;
  readonly bytesMax: number;
  readonly eventsMax: number;
  readonly project: string;
  readonly origin: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** The outbox as opened by the gateway, with a line to one target, which is paused. */
export async function openPausedOutbox(options: Options): Promise<{ outbox: Outbox; line: number }> {
  const { dataDir, key, bytesMax, eventsMax, project, origin, headers = {}, timeoutMs } = options;
  const outbox = openOutbox({
    dataDir,
    key,
    settings: {
      bytesMax,
      eventsMax,
      diskReserveBytes: 0,
      drainRate: 500,
      allowedInternalTargets: [],
      proxy: null,
      proxyTargets: [],
    },
    log: createLogger('bench', () => {}),
    onNews: () => {},
  });
  const place = { project, pipeline: 'reports', node: 'send', test: false };
  const line = await outbox.open({ ...place, origin, method: 'POST', headers, timeoutMs, tls: null });
  const { targets } = await outbox.control['egress-state']({});
  const target = targets.find((one) => one.target === origin);
  if (target === undefined) throw new Error('the outbox does not know its target once the line is open');
  await outbox.control['egress-target-act']({ target: target.id, act: 'pause', by: 'bench' });
  return { outbox, line };
}
