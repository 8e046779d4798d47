import { z } from 'zod';
import { type CertificateFacts, certificateFacts } from '../model/certificate.ts';
import { type SettingName, type Settings, SETTINGS, settingsSchema, WRITE_ONLY_SETTINGS } from '../model/settings.ts';
import { declareCall } from './declaration.ts';

export const SETTING_NAMES = Object.keys(settingsSchema.shape) as SettingName[];
export const WRITE_ONLY: ReadonlySet<string> = new Set(WRITE_ONLY_SETTINGS);
const isSet = z.strictObject({ set: z.literal(true) });

type WriteOnly = (typeof WRITE_ONLY_SETTINGS)[number];

/** The settings as returned by a read. A write-only setting shows only whether it has a value. */
export type ShownSettings = Omit<Settings, WriteOnly> &
  Record<WriteOnly, { set: true } | null> & {
    /** Set by a flag or an environment variable, which takes precedence. */
    overridden: string[];
    /** The certificate on the gateway port; while TLS is off, the self-signed one if it exists. */
    certificate: CertificateFacts | null;
    /** No gateway is running: the setting takes effect when one starts. */
    pending: boolean;
  };

/** The other declared properties of a setting are for its form. */
const documented = (name: SettingName, value: z.ZodType) => {
  const { title, description } = SETTINGS[name];
  return value.meta({ title, description });
};

/**
 * Every setting without its default, so that an absent one is unchanged; a write-only setting can be sent back as it
 * was read.
 */
export const settingsPatch = z.strictObject(
  Object.fromEntries(
    SETTING_NAMES.map((name) => {
      const value = settingsSchema.shape[name].unwrap();
      return [name, documented(name, (WRITE_ONLY.has(name) ? z.union([value, isSet]) : value).optional())];
    }),
  ),
) as unknown as z.ZodType<Record<string, unknown>>;
export const settingsRecord = z.strictObject({
  ...Object.fromEntries(
    SETTING_NAMES.map((name) => {
      const field: z.ZodType = settingsSchema.shape[name].unwrap();
      const value = field.default(SETTINGS[name].usual);
      return [name, documented(name, WRITE_ONLY.has(name) ? isSet.nullable() : value)];
    }),
  ),
  overridden: z.array(z.string()).meta({
    description: 'Fixed by a flag or an environment variable, which wins. Ignored when sent back.',
  }),
  certificate: certificateFacts.nullable().meta({
    description:
      'The certificate on the gateway port; while TLS is off, the own one if it was made. Ignored when sent back.',
  }),
  pending: z.boolean().meta({
    description:
      'True while no gateway serves: what is saved is in force when one does, or the alarm "gateway_down" says why not. Ignored when sent back.',
  }),
}) as unknown as z.ZodType<ShownSettings>;

export const settingsContract = {
  read: declareCall({
    method: 'get',
    path: '/settings',
    access: 'access_settings',
    summary: 'Read the gateway settings',
    description:
      'Shows all settings and, in `overridden`, those that a flag or an environment variable fixes. Write-only settings are shown as `{ "set": true }` or null.',
    response: settingsRecord,
  }),
  change: declareCall({
    method: 'patch',
    path: '/settings',
    access: 'access_settings',
    audit: ['settings.change'],
    summary: 'Change gateway settings',
    description:
      'Changes the given settings only. The reply comes once the gateway uses them, or with `"pending": true` when no gateway runs. Settings that the gateway cannot serve with, such as a port that is taken, are refused and not saved.',
    body: settingsPatch,
    ignored: ['overridden', 'certificate', 'pending'],
    response: settingsRecord,
  }),
};
