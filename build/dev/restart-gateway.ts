import { setTimeout as sleep } from 'node:timers/promises';
import type { DevSession } from './developer.ts';

const POLL_MS = 50;
const RESTART_MS_MAX = 20_000;

/** The parts of the gateway's state in `GET /status` that are needed here. */
interface GatewayStatus {
  readonly state: string;
  readonly pid: number | null;
}

/**
 * Ends the gateway of the host at `ui` and resolves when the host has started another, which takes a quarter of the time
 * of a whole restart and keeps all sessions.
 */
export async function restartGateway(ui: string, session: DevSession): Promise<void> {
  const status = () => gatewayStatus(ui, session);
  const { pid } = await status();
  if (pid !== null) process.kill(pid, 'SIGKILL');
  const deadline = performance.now() + RESTART_MS_MAX;
  for (let next = await status(); next.pid === pid || next.state !== 'running'; next = await status()) {
    if (performance.now() > deadline) throw new Error('the gateway did not start again');
    await sleep(POLL_MS);
  }
}

async function gatewayStatus(ui: string, session: DevSession): Promise<GatewayStatus> {
  const headers = { cookie: session.cookie, 'x-csrf-token': session.csrfToken };
  const response = await fetch(`${ui}/api/v1/status`, { headers });
  if (!response.ok) throw new Error(`GET /status was answered with ${response.status}`);
  return ((await response.json()) as { gateway: GatewayStatus }).gateway;
}
