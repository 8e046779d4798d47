import { z } from 'zod';
import { expected } from '#common/errors/rules.ts';

const TIMEOUT_EXPECTED = expected('range', { what: 'seconds', from: 0.1, to: 3_600 });

/** How long a run that a trigger node begins may take, unless the node sets another time. */
export const RUN_SECONDS_DEFAULT = 30;

/** Of trigger kinds: how long a run that they begin may take; goes to `runSeconds`. */
export const runTimeoutField = z
  .number({ error: TIMEOUT_EXPECTED })
  .min(0.1, TIMEOUT_EXPECTED)
  .max(3600, TIMEOUT_EXPECTED)
  .default(RUN_SECONDS_DEFAULT)
  .meta({
    title: 'Timeout',
    control: 'seconds',
    more: true,
    description: 'Seconds after which a run that this node started is cancelled.',
  });
