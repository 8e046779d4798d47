import type { DiskWriter, DiskWriterKind } from '#common/control/messages.ts';
import type { GatewayLink } from '../contracts.ts';
import type { Alarms } from '../host/alarms.ts';
import type { DiskLevel } from './disk-watch.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

const GERMAN_KINDS: Readonly<Record<DiskWriterKind, string>> = {
  files: 'Dateien',
  database: 'Datenbank',
  variables: 'Variablen',
  tags: 'Tag-Werte',
  history: 'Verlauf',
  outbox: 'ausgehende Aufrufe',
};

/** One alarm for the level of the disk, naming the largest recent writers. */
export function tellOfDisk(
  alarms: Alarms,
  level: DiskLevel,
  reserveBytes: number,
  writers: readonly DiskWriter[],
): void {
  const names = namesOf(writers, (kind) => kind);
  const most = names === '' ? '' : ` Biggest recent writers: ${names}.`;
  const reserve = sizeText(reserveBytes);
  const values = {
    reserve,
    twice: sizeText(2 * reserveBytes),
    writers: names || 'unknown',
    germanWriters: namesOf(writers, (kind) => GERMAN_KINDS[kind]) || 'unbekannt',
  };
  alarms.set('disk_low', level === 'low', `The disk of the data folder has less than ${values.twice} free.${most}`, {
    values,
  });
  alarms.set(
    'disk_reserve',
    level === 'reserve',
    `The disk of the data folder has less than its reserve of ${reserve} free: nothing more is stored for pipelines.${most} Free disk space.`,
    { values },
  );
  alarms.set(
    'disk_full',
    level === 'full',
    `The disk of the data folder is full: Sluice has used up its ballast, and calls with a key will soon get 503.${most} Free disk space now.`,
    { values },
  );
}

function namesOf(writers: readonly DiskWriter[], wordOf: (kind: DiskWriterKind) => string): string {
  return writers
    .map(({ project, kind }) => (project === null ? wordOf(kind) : `${project} (${wordOf(kind)})`))
    .join(', ');
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
