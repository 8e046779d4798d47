import { SluiceError } from '#common/errors/catalogue.ts';
import type { Logger } from '#common/node/log.ts';
import type { Alarms } from './alarms.ts';

/**
 * Writes of a start that may wait for the next one: a full disk must not keep the service from starting, because files
 * are deleted in its admin UI. Changes without which an older vault must not be served are in force in memory until
 * then (settle-rollback.ts).
 */
export type StartStep = keyof typeof STEPS;

const STEPS = {
  'anchors-log': { what: 'that there is an anchors log', german: 'den Vermerk, dass es ein Anker-Protokoll gibt' },
  rollback: {
    what: 'what was taken away since the older vault',
    german: 'die seit dem älteren Tresor entzogenen Rechte',
  },
  restores: { what: 'the journal rows of a restore', german: 'die Journalzeilen einer zurückgespielten Sicherung' },
  stores: { what: 'which stores were found lost', german: 'die Liste der verlorenen Dateien' },
} as const;

/** Rejects with what is not about the disk. */
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

export function tellOfUnfinishedStart(alarms: Alarms, steps: readonly StartStep[]): void {
  const names = steps.map((step) => STEPS[step].what).join(', ');
  alarms.set(
    'start_unsaved',
    steps.length > 0,
    `Sluice started, but could not save: ${names}. Free disk space, then restart Sluice.`,
    { values: { names, germanNames: steps.map((step) => STEPS[step].german).join(', ') } },
  );
}
