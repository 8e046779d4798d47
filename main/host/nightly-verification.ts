import type { Logger } from '#common/node/log.ts';
import type { Audit } from '../contracts.ts';

/**
 * The journal is verified automatically every night (docs/spec/journal.md#proof), a little later on each PC and day, so that
 * PCs that share a disk or a host do not all read at once. A night in which a verification is running already is left
 * out. Times are local.
 */
const NIGHTLY = { hour: 2, minute: 30 } as const;
const SPREAD_MS_MAX = 60 * 60_000;
/** Recorded in the journal in place of a user. */
const NIGHTLY_USER = 'Sluice (nightly)';

/** Returns a function that stops it. */
export function verifyNightly(
  audit: Pick<Audit, 'verifyAndRecord' | 'verifying'>,
  log: Logger,
  random: () => number = Math.random,
): () => void {
  let timer: NodeJS.Timeout;
  const next = (): void => {
    timer = setTimeout(run, delayMs(new Date(), random()));
    timer.unref();
  };
  const run = (): void => {
    next();
    if (audit.verifying()) return;
    audit
      .verifyAndRecord({ user: NIGHTLY_USER })
      .then(({ ok, findings }) => {
        if (!ok) log.error('the nightly verification of the journal has findings', { count: findings.length });
      })
      .catch((error: unknown) => log.warn('the nightly verification of the journal failed', { error }));
  };
  next();
  return () => clearTimeout(timer);
}

/** Until the time of the next night, today or tomorrow, plus a part of the spread. */
function delayMs(now: Date, share: number): number {
  const at = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, NIGHTLY.hour, NIGHTLY.minute).getTime();
  const start = at(0) > now.getTime() ? at(0) : at(1);
  return start - now.getTime() + Math.floor(share * SPREAD_MS_MAX);
}
