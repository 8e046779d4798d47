import { numberFrom } from '#common/model/bounds.ts';

/** How long a run that a trigger node begins may take, unless the node sets another time. */
export const RUN_SECONDS_DEFAULT = 30;

/** Of trigger kinds: how long a run that they begin may take; goes to `runSeconds`. */
export const runTimeoutField = numberFrom('seconds', 0.1, 3_600).default(RUN_SECONDS_DEFAULT).meta({
  title: 'Timeout',
  control: 'seconds',
  more: true,
  description: 'Seconds after which a run that this node started is cancelled.',
});
