import { useSyncExternalStore } from 'react';

/**
 * The progress of a set-up that a user began in this browser. It exists only where the first Administrator was created:
 * a Sluice that was set up in another way, or by another user, shows no steps.
 */
const STEPS = ['address', 'project', 'call'] as const;
export type SetupStep = (typeof STEPS)[number];

export interface SetupProgress {
  /** The Administrator's name. */
  name: string;
  step: SetupStep;
  /** Postponed: the pages are open, and the account menu leads back. */
  later: boolean;
  /** Plain HTTP was selected: TLS is not suggested again. */
  plain?: boolean | undefined;
  /** With the step `call`: the project whose route is called. */
  project?: string | undefined;
}

const STORED = 'sluice.setup';
const CHANGED = 'sluice:setup';

/** Null: finished. */
export function rememberSetup(progress: SetupProgress | null): void {
  if (progress === null) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, JSON.stringify(progress));
  window.dispatchEvent(new Event(CHANGED));
}

/** Null if this user has no unfinished set-up. */
export function useSetupProgress(name: string | null): SetupProgress | null {
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(STORED));
  const progress = text === null ? null : readProgress(text);
  return progress?.name === name ? progress : null;
}

function subscribe(tell: () => void): () => void {
  window.addEventListener(CHANGED, tell);
  window.addEventListener('storage', tell);
  return () => {
    window.removeEventListener(CHANGED, tell);
    window.removeEventListener('storage', tell);
  };
}

/** Stored data may be of an older version or edited by hand: then it is ignored. */
export function readProgress(text: string): SetupProgress | null {
  try {
    const value: unknown = JSON.parse(text);
    return isProgress(value) ? value : null;
  } catch {
    return null;
  }
}

const NOTHING = { name: null, step: null, later: null, plain: undefined, project: undefined };

function isProgress(value: unknown): value is SetupProgress {
  if (typeof value !== 'object' || value === null) return false;
  const { name, step, later, plain, project } = { ...NOTHING, ...value };
  return (
    typeof name === 'string' &&
    STEPS.some((one) => one === step) &&
    typeof later === 'boolean' &&
    ['boolean', 'undefined'].includes(typeof plain) &&
    ['string', 'undefined'].includes(typeof project)
  );
}
