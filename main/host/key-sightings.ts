import type { KeySighting } from '#common/control/messages.ts';
import type { Logger } from '#common/node/log.ts';
import type { KeyRecord } from '#common/model/records.ts';
import type { Audit, GatewayLink } from '../contracts.ts';
import type { KeyStore } from '../key-contracts.ts';
import type { Alarms } from './alarms.ts';
import { namesInWords } from './names-in-words.ts';

interface Parts {
  readonly gateway: Pick<GatewayLink, 'on'>;
  readonly keys: Pick<KeyStore, 'get' | 'expose'>;
  readonly audit: Pick<Audit, 'record'>;
  readonly log: Logger;
  /** A key was marked. */
  onMarked(): void;
}

/** Marks exposed keys and used honey keys, and records both (docs/spec/keys.md#exposed-keys). */
export function watchKeySightings(parts: Parts): () => void {
  return parts.gateway.on((event) => {
    if (event.kind === 'key-sighting') void mark(parts, event.sighting);
  });
}

async function mark({ keys, audit, log, onMarked }: Parts, { keyId, ...exposure }: KeySighting): Promise<void> {
  const key = keys.get(keyId);
  if (key === null || key.honey !== (exposure.how === 'honey')) return;
  // The mark applies in any case; only what could not be stored is in the log.
  const marked = await keys.expose(keyId, exposure).catch((error: unknown) => {
    log.error('the mark of an exposed key could not be saved', { keyId, error });
    return true;
  });
  if (!marked) return;
  const { how, ip, method, path } = exposure;
  const act = how === 'honey' ? 'key.honey' : 'key.exposed';
  const row = { act, project: key.project, target: keyId, keyId, keyName: key.name, ip, method, path, detail: how };
  await audit.record(row).catch((error: unknown) => log.error('an exposed key could not be recorded', { error }));
  onMarked();
}

/** Until the keys are revoked. `keys`: valid ones. */
export function setKeyAlarms(alarms: Alarms, keys: readonly KeyRecord[]): void {
  const marked = keys.filter(({ exposed }) => exposed !== null);
  const exposed = namesOf(marked.filter(({ honey }) => !honey));
  alarms.set('key_exposed', exposed !== '', { values: { names: exposed }, subject: exposed });
  const honey = marked.filter((key) => key.honey);
  const used = namesInWords(honey.map(useText).toSorted());
  alarms.set('honey_key_used', used !== '', {
    values: { names: used },
    subject: honey.map(({ id, exposed: use }) => `${id} ${use?.at ?? ''}`).join(' '),
  });
}

function namesOf(keys: readonly KeyRecord[]): string {
  return namesInWords(keys.map(({ name, project }) => `${name} (${project})`).toSorted());
}

function useText({ name, exposed }: KeyRecord): string {
  return exposed === null ? name : `${name}: ${exposed.method} ${exposed.path} (${exposed.ip})`;
}
