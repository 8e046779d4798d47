import { useSyncExternalStore } from 'react';

/** Whether Sluice answers at all, asked by a small file of its own: that takes no session and calls nothing. */
const ASKED = '/sluice.svg';
const ANSWER_MS_MAX = 5_000;
const AGAIN_MS = 1_000;
/** Something between this page and Sluice answers for it. */
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

/** Whether somebody waits in `answered` because nothing answers. */
export function useAway(): boolean {
  return useSyncExternalStore(subscribe, () => away);
}
