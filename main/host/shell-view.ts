import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Alarm, GatewayState } from '#common/model/records.ts';
import { WRITE_ONLY_SETTINGS } from '#common/model/settings.ts';
import type { CallerTraffic } from '#common/model/traffic.ts';
import { VERSION } from '#common/version.ts';
import type { GatewayLink, ProjectStore, SecretVault, SettingsStore } from '../contracts.ts';
import type { KeyStore } from '../key-contracts.ts';
import type { createStoredRoutes } from '../projects/stored-routes.ts';
import type { TrafficFigures } from '../traffic/figures.ts';
import { showSettings } from '../vault/settings-store.ts';

/**
 * The state for the window of the host: read in this process, without a log-in, by the user at the machine, as whom
 * Sluice runs. Names, states and numbers; nothing here changes anything.
 *
 * Security: `secrets` never leaves this process. It is used to search a diagnostics file for them.
 */
export interface ShellView {
  state(): ShellState;
  /** The part that is cheap to read. */
  gateway(): ShellState['gateway'];
  /** The current callers. Rejects if the figures cannot be read. */
  activity(): Promise<ShellActivity>;
  /** As the admin API shows them: without secrets. */
  settings(): Record<string, unknown>;
  /** Every secret that the host can read, unencrypted. */
  secrets(): Promise<string[]>;
  /** The state may have changed. Returns a function that stops it. */
  onChange(listener: () => void): () => void;
}

export interface ShellState {
  version: string;
  startedAt: string;
  gateway: { state: GatewayState; since: string; restarts: number; port: number | null };
  /** Routes of pipelines that are running, or will run again as soon as the gateway does. */
  routesStarted: number;
  /** Routes that are served now. */
  routesAnswering: number;
  alarms: Alarm[];
}

export interface ShellActivity {
  /** Keys that were used within a week: overdue ones first, each group by the latest call. */
  callers: CallerTraffic[];
  /** Including public routes; null: the gateway is unavailable. */
  callsPerSecond: number | null;
}

export interface ShellViewParts {
  dataDir: string;
  startedAt: string;
  gateway: Pick<GatewayLink, 'state' | 'since' | 'restarts' | 'port' | 'failed' | 'on'>;
  routes: ReturnType<typeof createStoredRoutes>;
  traffic: Pick<TrafficFigures, 'overview'>;
  alarms: () => Alarm[];
  keys: Pick<KeyStore, 'list'>;
  settings: SettingsStore;
  projects: Pick<ProjectStore, 'projects' | 'secretRefs' | 'resources'>;
  secrets: Pick<SecretVault, 'read'>;
}

export function createShellView(parts: ShellViewParts): ShellView {
  const { gateway, routes, traffic, keys, settings } = parts;
  const gatewayNow = (): ShellState['gateway'] => {
    const { state, since, restarts, port } = gateway;
    return { state, since, restarts, port };
  };
  return {
    gateway: gatewayNow,
    state() {
      const { failed } = gateway;
      const routesStarted = routes(failed).filter(({ answers }) => answers).length;
      return {
        version: VERSION,
        startedAt: parts.startedAt,
        gateway: gatewayNow(),
        routesStarted,
        routesAnswering: gateway.state === 'running' ? routesStarted : 0,
        alarms: parts.alarms(),
      };
    },
    async activity() {
      const valid = keys.list().filter(({ revokedAt }) => revokedAt === null);
      const { callers, callsPerSecond } = await traffic.overview('15m', [], valid);
      return { callers, callsPerSecond: callsPerSecond.value };
    },
    settings: () => showSettings(settings),
    secrets: () => secretsOf(parts),
    onChange: (listener) => gateway.on(({ kind }) => void (kind === 'state' && listener())),
  };
}

async function secretsOf({ dataDir, settings, projects, secrets }: ShellViewParts): Promise<string[]> {
  const current = settings.current();
  const connections = projects
    .projects()
    .flatMap(({ id }) => projects.resources.list('connections', id).flatMap((one) => Object.values(one.secrets)));
  const stored = [...projects.secretRefs(), ...connections].map((ref) => secrets.read(ref));
  const token = await readFile(join(dataDir, 'setup-token'), 'utf8').catch(() => '');
  const written = WRITE_ONLY_SETTINGS.map((name) => current[name]);
  return [...stored, ...written, token.trim()].filter((secret): secret is string => secret !== null && secret !== '');
}
