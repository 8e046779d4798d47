import type { EgressNews } from '#common/control/messages.ts';
import type { Settings } from '#common/model/settings.ts';
import { join } from 'node:path';
import type { DiskRoom } from '../capabilities/disk-meter.ts';
import { FileGrowth } from '../capabilities/file-growth.ts';
import type { Logger } from '#common/node/log.ts';
import { type EgressCall, type EgressEndpoint, type EgressLine, type EgressOutcome, NodeError } from '#sdk';
import { decodeAnswer, encodeBody, type EncodedBody } from './body.ts';
import { CallShares } from './call-shares.ts';
import type { Egress, NodePlace } from './contract.ts';
import type { Direct } from './direct.ts';
import type { HttpClientSettings } from './http/contract.ts';
import type { Outbox, OutboxNews, OutboxOutcome, OutboxSettings } from './outbox/contract.ts';
import { openOutbox, OUTBOX_FILE } from './outbox/outbox.ts';
import type { WriteLog } from '../capabilities/write-log.ts';
import { recordedLine } from './recorded-line.ts';
import { RefusedTargets } from './refused-targets.ts';

/** Memory of an event in addition to its body. */
const EVENT_BYTES = 512;
const NO_ROOM = 'the outbox takes no more of this project: the disk has no more room for it above the reserve';

export interface EgressOptions {
  readonly dataDir: string;
  readonly settings: Settings;
  /** 32 bytes: encryption key of the outbox. */
  readonly key: Uint8Array;
  readonly log: Logger;
  readonly disk: Pick<DiskRoom, 'room' | 'note' | 'charge'>;
  readonly writes: Pick<WriteLog, 'around'>;
  onNews(news: EgressNews): void;
}

/**
 * Stored calls use the outbox, the others are sent directly; both use the same address rules and HTTP client. The
 * client and Node's TLS take 5 MB with the public authorities and are loaded with the first node that needs them.
 */
export function openEgress({ dataDir, settings, key, disk, log, writes, onNews }: EgressOptions): Egress {
  let held = settings;
  let direct: Promise<Direct> | undefined;
  /** Null until the outbox has read its contents: until then, the alarms of the previous gateway still apply. */
  let stored: OutboxNews | null = null;
  const refused = new RefusedTargets(() => sendUpdate());
  const sendUpdate = (): void => {
    if (stored !== null) onNews({ ...stored, callsRefusedTo: refused.origins });
  };
  const growth = new FileGrowth({ file: join(dataDir, OUTBOX_FILE), kind: 'outbox', disk, log });
  const outbox = openOutbox({
    dataDir,
    key,
    settings: outboxSettings(settings),
    log,
    onNews(news) {
      stored = news;
      sendUpdate();
    },
    onStored: ({ project, pipeline }, bytes) => growth.add(project, EVENT_BYTES + bytes, pipeline),
  });
  const makeDirect = async (): Promise<Direct> => {
    const { openDirect } = await import('./direct.ts');
    return openDirect(clientSettings(held), undefined, new CallShares((origin) => refused.add(origin)));
  };
  return {
    forNode: (place) => ({
      async open(endpoint) {
        const line = endpoint.storeAndForward
          ? await openStored({ outbox, growth }, place, endpoint)
          : await (await (direct ??= makeDirect())).open(endpoint, place.project);
        return recordedLine(line, endpoint, place, writes);
      },
    }),
    control: outbox.control,
    async settings(next) {
      held = next;
      (await direct)?.configure(clientSettings(next));
      await outbox.configure(outboxSettings(next));
    },
    async close() {
      refused.close();
      growth.close();
      (await direct)?.close();
      await outbox.close();
    },
  };
}

async function openStored(
  { outbox, growth }: { outbox: Outbox; growth: FileGrowth },
  place: NodePlace,
  endpoint: EgressEndpoint,
): Promise<EgressLine> {
  const { origin, method, headers, timeoutSeconds, tls } = endpoint;
  // Unusable material is reported at the start, instead of by calls that are retried indefinitely.
  if (tls !== null) (await import('./http/tls-context.ts')).secureContext(tls);
  const timeoutMs = timeoutSeconds * 1000;
  const line = await outbox.open({ ...place, origin, method, headers, timeoutMs, tls });
  return {
    async send(call, signal) {
      signal.throwIfAborted();
      const stored = event(call, await encodeBody(call.body, signal));
      const bytes = EVENT_BYTES + (stored.body?.byteLength ?? 0);
      if (!growth.hasRoom(place.project, bytes)) throw new NodeError('outbox_full', NO_ROOM);
      return egressOutcome(origin, await outbox.put(line, stored, timeoutMs));
    },
    close: () => outbox.release(line),
  };
}

function event({ path, orderingKey, traceparent }: EgressCall, { contentType, bytes }: EncodedBody) {
  return { path, contentType, body: bytes, orderingKey, traceparent };
}

function egressOutcome(origin: string, outcome: OutboxOutcome): EgressOutcome {
  switch (outcome.kind) {
    case 'answered': {
      const { status, headers, body } = outcome;
      if (body === null)
        throw new NodeError('answer_too_large', `${origin} took the call, but its answer is too large`);
      return { kind: 'answered', status, headers, body: decodeAnswer(body, headers['content-type'] ?? '') };
    }
    case 'queued':
      return { kind: 'queued', eventId: outcome.id };
    case 'dead':
      throw new NodeError('dead_letter', `${origin} refused event ${outcome.id}: ${outcome.text}`);
    case 'full':
      throw new NodeError('outbox_full', outcome.text);
    case 'unavailable':
      throw new NodeError('outbox_unavailable', outcome.text);
  }
}

function clientSettings(settings: Settings): HttpClientSettings {
  const { allowedInternalTargets, egressProxy, egressProxyTargets } = settings;
  return { allowedInternalTargets, proxy: egressProxy, proxyTargets: egressProxyTargets };
}

function outboxSettings(settings: Settings): OutboxSettings {
  const { egressMaxBytes, egressMaxEvents, diskReserveBytes, egressDrainRate } = settings;
  return {
    ...clientSettings(settings),
    bytesMax: egressMaxBytes,
    eventsMax: egressMaxEvents,
    diskReserveBytes,
    drainRate: egressDrainRate,
  };
}
