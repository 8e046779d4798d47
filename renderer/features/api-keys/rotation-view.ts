import type { KeyTraffic } from '#common/model/traffic.ts';

/** Whether the old key may go, and which host sends what: read from both keys' traffic. */
export interface HostRow {
  ip: string;
  oldCalls: number;
  newCalls: number;
  lastOldCallAt: string | null;
  state: 'old' | 'both' | 'new';
}

export type Verdict =
  | { kind: 'unknown' }
  /** Hosts have sent the old key within the waiting time. */
  | { kind: 'used'; hosts: number; last: string; ip: string }
  /** Silent, but nobody has called with the new key yet. */
  | { kind: 'untried' }
  | { kind: 'free' };

/** How long the old key must have been silent, in minutes. */
export const WAITS = [15, 60, 480, 1440] as const;
export const WAIT_MINUTES = 60;

/** Hosts still on the old key first. */
export function hostRows(old: KeyTraffic, fresh: KeyTraffic | undefined): HostRow[] {
  const ips = new Set([...old.hosts, ...(fresh?.hosts ?? [])].map(({ ip }) => ip));
  const rows = [...ips].map((ip): HostRow => {
    const sent = old.hosts.find((host) => host.ip === ip);
    const newCalls = fresh?.hosts.find((host) => host.ip === ip)?.calls ?? 0;
    const oldCalls = sent?.calls ?? 0;
    const state = oldCalls === 0 ? 'new' : newCalls === 0 ? 'old' : 'both';
    return { ip, oldCalls, newCalls, lastOldCallAt: sent?.lastCallAt ?? null, state };
  });
  const rank = { old: 0, both: 1, new: 2 };
  return rows.toSorted((a, b) => rank[a.state] - rank[b.state] || b.oldCalls + b.newCalls - a.oldCalls - a.newCalls);
}

export function verdictOf(
  old: KeyTraffic | undefined,
  fresh: KeyTraffic | undefined,
  lastUsedAt: string | null,
  waitMinutes: number,
  now: Date,
): Verdict {
  if (old === undefined || fresh === undefined) return { kind: 'unknown' };
  const since = now.getTime() - waitMinutes * 60_000;
  const last = [old.lastCall?.at ?? null, lastUsedAt]
    .filter((at) => at !== null)
    .toSorted()
    .at(-1);
  if (last !== undefined && Date.parse(last) > since) {
    const hosts = old.hosts.filter((host) => Date.parse(host.lastCallAt) > since).length;
    return { kind: 'used', hosts: Math.max(1, hosts), last, ip: old.lastCall?.ip ?? '' };
  }
  return fresh.lastCall === null ? { kind: 'untried' } : { kind: 'free' };
}
