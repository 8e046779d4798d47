import type { Change, Failure } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { stated } from '#common/errors/rules.ts';

/**
 * How long a change may stay without acknowledgement, and a start or settings without any progress
 * (docs/spec/processes.md#changes).
 */
export const ACK_MS_MAX = 2_000;

interface Waiting {
  kind: Change['kind'];
  timer: NodeJS.Timeout;
  resolve(acknowledged: boolean): void;
  reject(error: Error): void;
}

/** Changes that were sent to one gateway process and are not acknowledged yet. */
export interface PendingChanges {
  /**
   * True: acknowledged. False: the process ended first, see `gone`. Rejects with the error if the change was refused.
   */
  add(epoch: number, kind: Change['kind']): Promise<boolean>;
  acknowledge(epoch: number, error: Failure | undefined): void;
  /**
   * Compilation is still in progress: every waiting start, or change of plugins, gets 2 s again. So does every change
   * of settings if one of them makes progress, because they wait for each other. Other changes get no extension.
   */
  progress(epoch: number): void;
  /**
   * The process has ended, and with it the state that it served: the next one starts from a snapshot with every saved
   * change, so those are in effect. An unacknowledged start is not, and settings only if the next process can serve
   * with them.
   */
  gone(): void;
}

/** `notInForce` is called if the process did not, or could not, apply a saved change: it must be replaced. */
export function createPendingChanges(notInForce: (kind: Change['kind']) => void): PendingChanges {
  const waiting = new Map<number, Waiting>();
  const arm = (kind: Change['kind']) => setTimeout(() => notInForce(kind), ACK_MS_MAX);
  const take = (epoch: number): Waiting | undefined => {
    const entry = waiting.get(epoch);
    if (entry) clearTimeout(entry.timer);
    waiting.delete(epoch);
    return entry;
  };
  return {
    add(epoch, kind) {
      return new Promise((resolve, reject) => waiting.set(epoch, { kind, timer: arm(kind), resolve, reject }));
    },
    acknowledge(epoch, error) {
      const entry = waiting.get(epoch);
      if (!entry) return;
      // It stays pending until the process has ended: only then is the change in effect.
      if (error && !mayFail(entry.kind, error)) return notInForce(entry.kind);
      take(epoch);
      if (error) entry.reject(asError(error));
      else entry.resolve(true);
    },
    progress(epoch) {
      const getsOn: readonly Change['kind'][] =
        waiting.get(epoch)?.kind === 'settings' ? ['settings'] : ['start', 'plugins'];
      for (const entry of waiting.values()) {
        if (!getsOn.includes(entry.kind)) continue;
        clearTimeout(entry.timer);
        entry.timer = arm(entry.kind);
      }
    },
    gone() {
      for (const epoch of waiting.keys()) {
        const entry = take(epoch);
        if (entry?.kind === 'start') entry.reject(gatewayDown());
        else entry?.resolve(false);
      }
    },
  };
}

/** A start can be refused; so can settings (a port in use), resources and plugins, but never a revocation or a stop. */
function mayFail(kind: Change['kind'], { code }: Failure): boolean {
  if (kind === 'start') return true;
  return (
    (kind === 'settings' || kind === 'resources' || kind === 'plugins') &&
    code !== 'gateway_down' &&
    code !== 'internal'
  );
}

export function asError(failure: Failure): SluiceError {
  return new SluiceError(
    failure.code,
    failure.sentence ?? failure.detail,
    failure.errors ? { errors: failure.errors } : {},
  );
}

export function gatewayDown(): SluiceError {
  return new SluiceError('gateway_down', stated('gateway_down'));
}
