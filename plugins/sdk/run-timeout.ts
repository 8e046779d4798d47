import { numberFrom } from '#common/model/bounds.ts';

/** The default timeout of a run that a trigger node begins. */
export const RUN_SECONDS_DEFAULT = 30;

/** For trigger kinds: the timeout of their runs; used for `runSeconds`. */
export const runTimeoutField = numberFrom('seconds', 0.1, 3_600).default(RUN_SECONDS_DEFAULT).meta({
  title: 'Timeout',
  control: 'seconds',
  more: true,
  description: 'Seconds after which a run that this node started is cancelled.',
});
