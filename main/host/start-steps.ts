import { phrase } from '#common/alarms/phrase.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Logger } from '#common/node/log.ts';
import type { Alarms } from './alarms.ts';

/**
 * Writes of a start that may wait for the next one: a full disk must not prevent the service from starting, because
 * files are deleted in its admin UI. Changes without which an older vault must not be served are in effect in memory
 * until then (settle-rollback.ts).
 */
export type StartStep = keyof typeof PHRASES;

const PHRASES = {
  'anchors-log': 'anchors_log',
  rollback: 'rights_taken',
  restores: 'restore_rows',
  stores: 'stores_lost',
} as const;

/** Rejects with errors that are not caused by the disk. */
export async function attemptStep(
  step: StartStep,
  act: () => Promise<unknown>,
  unfinished: StartStep[],
  log: Logger,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof SluiceError && error.code !== 'internal') throw error;
    log.error('a step of the start could not be saved; the next start tries it again', { step, error });
    unfinished.push(step);
  }
}

export function setUnfinishedStartAlarms(alarms: Alarms, steps: readonly StartStep[]): void {
  const names = steps.map((step) => phrase(PHRASES[step]));
  alarms.set('start_unsaved', steps.length > 0, { phrases: { names } });
}
