import type { z } from 'zod';
import type { settingsPatch, settingsRecord } from '#common/contract/settings.ts';
import { settingsContract, SETTING_NAMES, WRITE_ONLY } from '#common/contract/settings.ts';
import type { FieldError } from '#common/errors/catalogue.ts';
import { type Settings, unservedSettings } from '#common/model/settings.ts';
import { dateFaults } from '../tls/read-chain.ts';
import { showSettings } from '../vault/settings-store.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, invalid, type Services } from './call.ts';
import { portRefusal } from './port-test.ts';
import { serveSettings } from './serve-settings.ts';
import { settingsDetail } from './settings-detail.ts';
import { ruleBroken } from '#common/errors/rules.ts';

export const settingsCalls = [
  defineCall(settingsContract.read, {
    handle: shown,
  }),
  defineCall(settingsContract.change, {
    async handle(services, context) {
      await services.locks.settings(() => change(services, context));
      services.hub.publish({ kind: 'changed', what: 'settings' });
      return shown(services);
    },
  }),
];

/** Called in turn: the change, and a reversal, are computed from the settings at that time. */
async function change(services: Services, context: Context<undefined, z.infer<typeof settingsPatch>>): Promise<void> {
  const { settings } = services;
  const patch = changesOf(settings.current(), context.body);
  const names = Object.keys(patch);
  const next: Settings = { ...settings.current(), ...patch };
  const faults = [
    ...unservedSettings(next, process.platform),
    ...tlsDateFaults(patch, next),
    ...tokenFaults(patch, next),
    ...(await uiPortFaults(services, patch, settings.current())),
  ];
  if (faults.length > 0) throw invalid(faults);
  const act = { target: 'settings', detail: settingsDetail(settings.current(), patch) };
  await performAct(services, context, act, async () => {
    if (names.length > 0) await putIntoForce(services, { patch, next, by: context.session.user.name });
  });
}

async function putIntoForce(
  services: Services,
  { patch, next, by }: { patch: Partial<Settings>; next: Settings; by: string },
): Promise<void> {
  const { settings, tls } = services;
  await tls.ensure(next, by);
  const before = pick(settings.current(), Object.keys(patch));
  await settings.change(patch, by);
  await serveSettings(services, () => settings.change(before, by));
}

function shown({ settings, tls, gateway }: Services): z.infer<typeof settingsRecord> {
  const certificate = tls.facts(settings.current());
  // Regardless of the last change: a starting gateway applies the saved settings, and only then are they in effect.
  const pending = gateway.state !== 'running';
  return { ...showSettings(settings), certificate, pending } as z.infer<typeof settingsRecord>;
}

const TLS_FIELDS = ['tls', 'tlsCertificate', 'tlsKey'] as const;

/**
 * Checked only when a TLS setting changes: a certificate that has expired since must not block changes to other
 * settings.
 */
function tlsDateFaults(patch: Partial<Settings>, { tls, tlsCertificate }: Settings): FieldError[] {
  if (tls !== 'custom' || tlsCertificate === null || !TLS_FIELDS.some((name) => name in patch)) return [];
  return dateFaults(tlsCertificate, Date.now());
}

/** Values that are allowed in a header: no space at either end, and ASCII only. */
const SENDABLE_TOKEN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

function tokenFaults(patch: Partial<Settings>, { metricsToken }: Settings): FieldError[] {
  const { metricsPort = null, metricsToken: given = null } = patch;
  if (given !== null && !SENDABLE_TOKEN.test(given)) return [ruleBroken('metricsToken', 'token_chars')];
  // Metrics would silently not be served.
  if (metricsPort === null || metricsToken !== null) return [];
  return [ruleBroken('metricsPort', 'token_needed')];
}

/** It takes effect at the next start, which would fail if the port is in use. */
async function uiPortFaults(
  { uiPort }: Pick<Services, 'uiPort'>,
  patch: Partial<Settings>,
  current: Settings,
): Promise<FieldError[]> {
  const port = patch.uiPort;
  if (port === undefined || port === 0 || port === uiPort()) return [];
  // A port of Sluice that the same change releases.
  if (port === current.gatewayPort && patch.gatewayPort !== undefined) return [];
  const refusal = await portRefusal('127.0.0.1', port);
  if (refusal === null) return [];
  const why = refusal === 'EADDRINUSE' ? 'is in use by another program' : `cannot be listened on (${refusal})`;
  return [{ path: 'uiPort', message: `port ${port} ${why}; expected a free one` }];
}

function pick(settings: Settings, names: readonly string[]): Partial<Settings> {
  return Object.fromEntries(SETTING_NAMES.filter((name) => names.includes(name)).map((name) => [name, settings[name]]));
}

/** The changed fields of the patch; a value that was sent back as it was read is unchanged. */
function changesOf(current: Settings, body: Record<string, unknown>): Partial<Settings> {
  const changes = SETTING_NAMES.filter((name) => body[name] !== undefined && !keeps(name, body[name], current));
  return Object.fromEntries(changes.map((name) => [name, body[name]]));
}

function keeps(name: keyof Settings, value: unknown, current: Settings): boolean {
  if (WRITE_ONLY.has(name) && typeof value === 'object' && value !== null) return true;
  return JSON.stringify(value) === JSON.stringify(current[name]);
}
