import type { EgressNews } from '#common/control/messages.ts';

/** The report of a gateway without stored or refused calls. */
export const NO_NEWS: EgressNews = {
  paused: [],
  dead: 0,
  filled: 0,
  trouble: null,
  sendsHeldBy: [],
  shareFull: [],
  callsRefusedTo: [],
};
