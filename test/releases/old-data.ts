import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A data folder of an earlier Sluice (make-old-data.ts), packed as `<name>.tar.gz` beside `<name>.json`. */
export interface OldData {
  /** The commit of the Sluice that created it. */
  commit: string;
  /** Of the commit, UTC. */
  date: string;
  /** Parts that this Sluice could keep in addition to keys, people, pipelines and the journal. */
  features: readonly Feature[];
  /** Throw-away secrets: they can open only this folder. */
  key: string;
  revokedKey: string;
  password: string;
}

/** `state`: a variable, a memory tag and its history. `outbox`: one stored event and its header in the vault. */
export const FEATURES = ['state', 'outbox'] as const;
export type Feature = (typeof FEATURES)[number];

export const OLD_DATA_FOLDER = fileURLToPath(new URL('./data/', import.meta.url));

export const oldDataFile = (name: string, ending: 'json' | 'tar.gz'): string =>
  join(OLD_DATA_FOLDER, `${name}.${ending}`);

export const ADMINISTRATOR = 'admin';
export const VIEWER = 'viewer';
export const PROJECT = 'line';
export const VARIABLE = { name: 'count', value: 41 };
export const TAG = { path: 'line/level', value: 42.5 };
/** No listener there: the event stays in the outbox. */
export const TARGET = '127.0.0.1:9';
