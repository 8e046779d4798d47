import { defineKind, type Message, NodeError, type NodeInstance, type Outcome, type Run, z } from '#sdk';
import { numberFrom } from '#common/model/bounds.ts';

/** Messages that one node delays at the same time; each uses a timer. */
export const WAITING_MAX = 10_000;

const settings = z.strictObject({
  seconds: numberFrom('seconds', 0, 3_600).meta({
    title: 'Seconds',
    control: 'seconds',
    description: 'Seconds by which a message is delayed. The run still ends at the timeout of its route.',
  }),
});

export const delay = defineKind({
  id: 'delay',
  version: '1.0.0',
  title: 'Delay',
  summary: 'Delays a message.',
  category: 'flow',
  settings,
  examples: [
    {
      title: 'Wait 20 ms',
      settings: { seconds: 0.02 },
      payload: { body: 'later' },
      expect: { port: 'out', payload: { body: 'later' } },
    },
    {
      title: 'No delay',
      settings: { seconds: 0 },
      payload: { body: 'now' },
      expect: { port: 'out', payload: { body: 'now' } },
    },
  ],
  create: createDelay,
});

function createDelay({ seconds }: z.output<typeof settings>): NodeInstance {
  const held = { count: 0 };
  return {
    run(message, run) {
      if (seconds === 0) return { port: 'out', message };
      if (held.count >= WAITING_MAX)
        throw new NodeError('delay_full', `the node holds ${WAITING_MAX} messages already`);
      return hold(message, run, seconds * 1000, held);
    },
  };
}

/**
 * Responds after the time, or immediately with nothing when the run is cancelled, so that no timer outlives its run.
 */
function hold(message: Message, run: Run, delayMs: number, held: { count: number }): Promise<Outcome> {
  const { signal } = run;
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const end = (outcome: Outcome): void => {
    held.count--;
    clearTimeout(timer);
    signal.removeEventListener('abort', cancelled);
    resolve(outcome);
  };
  const cancelled = (): void => end(undefined);
  const timer = setTimeout(() => end({ port: 'out', message }), delayMs);
  held.count++;
  signal.addEventListener('abort', cancelled);
  return promise;
}
