import { useSyncExternalStore } from 'react';

/** Whether Sluice responds at all, tested with a small file: this needs no session and makes no API call. */
const ASKED = '/sluice.svg';
const ANSWER_MS_MAX = 5_000;
const AGAIN_MS = 1_000;
/** A proxy between this page and Sluice responds in its place. */
const NOT_OURS = [502, 503, 504];

export async function answers(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const response = await fetch(ASKED, { method: 'HEAD', cache: 'no-store', signal });
    return !NOT_OURS.includes(response.status);
  } catch {
    return false;
  }
}

let asking: Promise<void> | null = null;
let away = false;
const listeners = new Set<() => void>();

/** Resolves as soon as Sluice responds; never rejects. Concurrent callers share one request. */
export function answered(): Promise<void> {
  asking ??= untilAnswer().finally(() => (asking = null));
  return asking;
}

async function untilAnswer(): Promise<void> {
  while (!(await answers())) {
    tell(true);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  tell(false);
}

function tell(isAway: boolean): void {
  away = isAway;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a call of `answered` is waiting because Sluice does not respond. */
export function useAway(): boolean {
  return useSyncExternalStore(subscribe, () => away);
}
