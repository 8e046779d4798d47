import { phrase, type Phrase } from '#common/alarms/phrase.ts';
import type { DiskWriter } from '#common/control/messages.ts';
import type { GatewayLink } from '../contracts.ts';
import type { Alarms } from '../host/alarms.ts';
import type { DiskLevel } from './disk-watch.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

/** One alarm for the level of the disk, naming the largest recent writers. */
export function setDiskAlarms(
  alarms: Alarms,
  level: DiskLevel,
  reserveBytes: number,
  writers: readonly DiskWriter[],
): void {
  const named = writers.map(writerPhrase);
  const more = {
    values: { reserve: sizeText(reserveBytes), twice: sizeText(2 * reserveBytes) },
    phrases: { writers: named.length === 0 ? [phrase('unknown')] : named },
  };
  alarms.set('disk_low', level === 'low', more);
  alarms.set('disk_reserve', level === 'reserve', more);
  alarms.set('disk_full', level === 'full', more);
}

function writerPhrase({ project, pipeline, kind }: DiskWriter): Phrase {
  const writer = { phrase: kind };
  if (project === null) return phrase(kind);
  return pipeline === null
    ? phrase('in_project', { project, writer })
    : phrase('in_pipeline', { project, pipeline, writer });
}

function sizeText(bytes: number): string {
  return bytes >= GIB ? `${Math.round((bytes / GIB) * 10) / 10} GiB` : `${Math.round(bytes / MIB)} MiB`;
}

/** The gateway's last report about the largest writers. */
export function watchDiskWriters(gateway: Pick<GatewayLink, 'on'>, onChange: () => void): () => readonly DiskWriter[] {
  let writers: readonly DiskWriter[] = [];
  gateway.on((event) => {
    if (event.kind !== 'disk-writers') return;
    writers = event.writers;
    onChange();
  });
  return () => writers;
}
