import { useSyncExternalStore } from 'react';

/**
 * Whether the values in this window are current: the one state that every page shows (docs/spec/ui.md#old-values).
 * Every response of Sluice and every part of its live stream, which has a heartbeat, shows that Sluice is alive.
 * Without them, values become outdated. Failed calls are not a reliable sign: a hanging host keeps its sockets open, so
 * no call fails.
 */
export const STALE_MS = 6_000;
/** The displayed age changes every second. */
const LOOK_MS = 1_000;

/** Milliseconds of a monotonic clock. */
export function isStale(heardMs: number, nowMs: number): boolean {
  return nowMs - heardMs >= STALE_MS;
}

let heardMs = performance.now();
/** When Sluice last sent something, while it is silent for too long. */
let silentSince: Date | null = null;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Call it for every response and every part of the live stream. */
export function heard(): void {
  heardMs = performance.now();
  set(null);
}

/** From the number of milliseconds since the last heartbeat. */
function look(): void {
  const nowMs = performance.now();
  if (isStale(heardMs, nowMs)) set(silentSince ?? new Date(Date.now() - (nowMs - heardMs)));
}

function set(since: Date | null): void {
  if (since === silentSince) return;
  silentSince = since;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(look, LOOK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Since when Sluice has been silent; null while the values in the window are current. */
export function useSilentSince(): Date | null {
  return useSyncExternalStore(subscribe, () => silentSince);
}

/** A gateway that has sent nothing for this long is shown as not responding; its heartbeat comes every 2 s. */
export const GATEWAY_SILENT_MS = 4_000;

/** How long the gateway has been silent, in seconds; null while it responds, or without a process. */
export function gatewaySilence({ silentMs }: { silentMs: number | null }): number | null {
  return silentMs === null || silentMs < GATEWAY_SILENT_MS ? null : Math.floor(silentMs / 1000);
}
