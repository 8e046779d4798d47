import type { ShownSettings } from '#api/settings-queries.ts';
import type { SettingName } from '#common/model/settings.ts';
import { readTyped, typedOf } from '#ui/form/typed-values.ts';
import { FIELDS } from './setting-form.ts';

/** Typed values, by field; a field without an entry is unchanged. null: a secret to be removed. */
export type Draft = Partial<Record<SettingName, string | null>>;

/** The value that a field showed when it was first edited. */
export type Read = Partial<Record<SettingName, string>>;
export const readAs = (settings: ShownSettings, name: SettingName): string => JSON.stringify(settings[name] ?? null);

export interface Changes {
  /** Only the changed fields. */
  patch: Partial<Record<SettingName, unknown>>;
  /** Number fields without a valid number. */
  noNumber: SettingName[];
}

export function changesOf(settings: ShownSettings, draft: Draft): Changes {
  const changes: Changes = { patch: {}, noNumber: [] };
  for (const field of FIELDS) {
    const { name, control } = field;
    const typed = draft[name];
    if (typed === undefined || !isAsked(settings, draft, name)) continue;
    const value = typed === null ? null : readTyped(field, typed);
    if (value === undefined) changes.noNumber.push(name);
    else if (control.kind === 'secret' ? isSecretChange(typed, settings[name]) : !same(value, settings[name]))
      changes.patch[name] = value;
  }
  // Without TLS the gateway port itself is plain; an additional one must not be configured.
  if (changes.patch.tls === 'off' && settings.plainHttpPort !== null) changes.patch.plainHttpPort = null;
  return changes;
}

/** Whether the field is relevant with the other values: an irrelevant one is neither shown nor sent. */
export function isAsked(settings: ShownSettings, draft: Draft, name: SettingName): boolean {
  if (name === 'metricsHost') return shownText(settings, draft, 'metricsPort').trim() !== '';
  const tls = draft.tls ?? settings.tls;
  if (name === 'plainHttpPort') return tls !== 'off';
  return (name !== 'tlsCertificate' && name !== 'tlsKey') || tls === 'custom';
}

/** An empty input keeps the stored value. */
function isSecretChange(typed: string | null, stored: unknown): boolean {
  return typed === null ? stored !== null : typed.trim() !== '';
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The text of the field: the draft, otherwise the read value. */
export function shownText(settings: ShownSettings, draft: Draft, name: SettingName): string {
  const field = FIELDS.find((one) => one.name === name);
  return draft[name] ?? (field ? typedOf(field, settings[name]) : '');
}

/** Callers must be informed of changes of these. */
export const ADDRESS_FIELDS: readonly SettingName[] = ['gatewayHost', 'gatewayPort', 'tls'];

/** The address that callers use, before and after; the same if only the certificate changes. */
export function movesOf(settings: ShownSettings, patch: Changes['patch']): { old: string; new: string } {
  const dialled = ({ tls, gatewayHost, gatewayPort }: Record<'tls' | 'gatewayHost' | 'gatewayPort', unknown>) =>
    `${tls === 'off' ? 'http' : 'https'}://${String(gatewayHost)}:${String(gatewayPort)}`;
  return { old: dialled(settings), new: dialled({ ...settings, ...patch }) };
}

/** How many days of journal fit, and their size. */
export function journalNeed(days: number, bytesPerDay: number, bytesMax: number): { bytes: number; daysFit: number } {
  return { bytes: days * bytesPerDay, daysFit: Math.floor(bytesMax / Math.max(1, bytesPerDay)) };
}
