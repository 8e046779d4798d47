import type { Database } from 'sql.js';
import { SluiceError, type FieldError } from '#common/errors/catalogue.ts';
import { fieldErrors } from '#common/model/fields.ts';
import { settingsSchema, WRITE_ONLY_SETTINGS, type Settings } from '#common/model/settings.ts';
import type { SettingsStore, Vault } from '../contracts.ts';
import { all, text } from './rows.ts';
import { settingsConflicts } from './settings-conflicts.ts';

/**
 * Gateway settings in the vault (docs/spec/settings.md#fields): saved values replace defaults; flags and environment
 * variables take precedence. A change is checked as a whole before anything is saved.
 */
export interface SettingsStoreOptions {
  /** The host name of the machine, used in the default `baseUrl`. */
  machineName: string;
  /** Fixed by a flag or its environment variable; takes precedence over saved values. */
  overrides: Partial<Settings>;
  /** Milliseconds since 1970. */
  now?: () => number;
}

type Field = keyof Settings;
/** The settings in the response of `GET /settings`: write-only fields only show whether they are set. */
export type ShownSettings = Record<string, unknown>;

const FIELDS = Object.keys(settingsSchema.shape) as Field[];

/** Throws SluiceError `invalid` if an override is not a valid value. */
export function createSettingsStore(vault: Vault, options: SettingsStoreOptions): SettingsStore {
  const { machineName, now = Date.now } = options;
  const overrides = definedFields(options.overrides);
  const overridden = FIELDS.filter((field) => field in overrides);
  const defaults = { baseUrl: defaultBaseUrl(machineName) };
  const merged = (saved: object, patch: object): Settings => parsed({ ...defaults, ...saved, ...patch, ...overrides });
  let current = merged(vault.read(savedIn), {});

  /** Fields that an override fixes can be sent back unchanged. */
  function expectNotFixed(patch: Record<string, unknown>): void {
    const errors = overridden
      .filter((field) => field in patch && JSON.stringify(patch[field]) !== JSON.stringify(current[field]))
      .map((field) => ({ path: field, message: 'is fixed by a flag or an environment variable; change it there' }));
    if (errors.length > 0) throw invalid(errors);
  }

  return {
    current: () => current,
    overridden: () => [...overridden],
    async change(patch, by) {
      const sent = withoutKept(patch);
      expectKnown(sent);
      expectNotFixed(sent);
      current = await vault.mutate((db) => {
        const next = merged(savedIn(db), sent);
        const conflicts = settingsConflicts(next);
        if (conflicts.length > 0) throw invalid(conflicts);
        const fields = FIELDS.filter((field) => field in sent && !(field in overrides));
        for (const field of fields) put(db, field, next[field], new Date(now()).toISOString(), by);
        return next;
      });
      return current;
    },
  };
}

/** Restores its default. Only for the image: an open store is not updated. */
export function dropSetting(db: Database, field: Field): void {
  db.run('DELETE FROM settings WHERE name = ?', [field]);
}

/** Settings in the form of the admin API, with the list of fields that a flag fixes. */
export function showSettings(store: SettingsStore): ShownSettings {
  const shown: ShownSettings = { ...store.current(), overridden: store.overridden() };
  for (const field of WRITE_ONLY_SETTINGS) shown[field] = shown[field] === null ? null : { set: true };
  return shown;
}

/** `{ "set": true }` for a write-only field, as it was read, keeps the stored value. */
function withoutKept(patch: object): Record<string, unknown> {
  const kept = (field: string, value: unknown): boolean =>
    WRITE_ONLY_SETTINGS.some((name) => name === field) && JSON.stringify(value) === '{"set":true}';
  return Object.fromEntries(Object.entries(definedFields(patch)).filter(([field, value]) => !kept(field, value)));
}

function expectKnown(patch: Record<string, unknown>): void {
  const unknown = Object.keys(patch).filter((field) => !FIELDS.some((known) => known === field));
  if (unknown.length > 0) {
    throw invalid(
      unknown.map((field) => ({ path: field.slice(0, 60), message: 'is not a setting; expected the name of one' })),
    );
  }
}

function savedIn(db: Database): Record<string, unknown> {
  const rows = all(db, 'SELECT name, value FROM settings');
  return Object.fromEntries(rows.map((row): [string, unknown] => [text(row, 'name'), JSON.parse(text(row, 'value'))]));
}

function put(db: Database, field: Field, value: unknown, time: string, by: string): void {
  const sql = 'INSERT OR REPLACE INTO settings (name, value, changed_at, changed_by) VALUES (?, ?, ?, ?)';
  db.run(sql, [field, JSON.stringify(value), time, by]);
}

function parsed(values: object): Settings {
  const result = settingsSchema.safeParse(values);
  if (!result.success) throw invalid(fieldErrors(result.error));
  return result.data;
}

function invalid(errors: FieldError[]): SluiceError {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new SluiceError('invalid', `${first?.path}: ${first?.message}${more}`, { errors });
}

function definedFields(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** A machine may have a name that is not allowed in a URL. */
function defaultBaseUrl(machineName: string): string {
  const url = `http://${machineName}`;
  return settingsSchema.shape.baseUrl.safeParse(url).success ? url : 'http://localhost';
}
