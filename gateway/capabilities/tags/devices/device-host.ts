import type { TagDefinition } from '#common/model/tag.ts';
import { NodeError } from '#sdk';
import { TargetGuard } from '#net/target-guard.ts';
import { ProviderSlot, type SlotTarget } from '../provider-slot.ts';
import type { Drivers } from './drivers.ts';
import type { AnyDevice, DeviceThreadOptions, Order, WireError } from './messages.ts';
import type { Reporter } from './reporter.ts';

interface Hosted {
  readonly slot: ProviderSlot;
  version: number;
}

/** The real providers in the thread: executes orders and returns the providers' reports. */
export class DeviceHost {
  readonly #options: DeviceThreadOptions;
  readonly #drivers: Drivers;
  readonly #reporter: Reporter;
  readonly #guard: TargetGuard;
  readonly #hosted = new Map<number, Hosted>();
  readonly #writes = new Map<number, AbortController>();

  constructor(options: DeviceThreadOptions, drivers: Drivers, reporter: Reporter) {
    this.#options = options;
    this.#drivers = drivers;
    this.#reporter = reporter;
    this.#guard = new TargetGuard(options.allowed);
  }

  /** Each order is started when this returns; settings are then in effect, and links that they refuse are closed. */
  perform(order: Order): void {
    switch (order.do) {
      case 'open':
        return this.#open(order.id, order.project, order.device);
      case 'configure':
        return this.#configure(order.id, order.version, order.tags);
      case 'write':
        return void this.#write(order);
      case 'cancel':
        return this.#writes.get(order.write)?.abort(new NodeError('call_cancelled', 'the write was cancelled'));
      case 'close':
        return void this.#close(order.id);
      case 'probe':
        return void this.#probe(order.probe, order.device);
      case 'settings':
        return this.#settings(order.change, order.allowed);
    }
  }

  /** Links report their end in the same turn of the event loop, so that the report is sent before the response. */
  #settings(change: number, allowed: readonly string[]): void {
    this.#guard.configure(allowed);
    this.#reporter.answerAfterNews({ to: 'settings', change });
  }

  #open(id: number, project: string, device: AnyDevice): void {
    const { log } = this.#reporter;
    const head = () => ({ id, version: this.#hosted.get(id)?.version ?? 0 });
    const target: SlotTarget = {
      sample: (_slot, path, sample) => this.#reporter.tell({ ...head(), path, sample }),
      lost: (_slot, paths, lost) => {
        for (const path of paths) this.#reporter.tell({ ...head(), path, lost });
      },
    };
    const parts = { project, log, guard: this.#guard, dataDir: this.#options.dataDir };
    const slot = new ProviderSlot('', target, log, (sink) => this.#drivers.open(device, { ...parts, sink }));
    this.#hosted.set(id, { slot, version: 0 });
  }

  #configure(id: number, version: number, tags: readonly TagDefinition[]): void {
    const hosted = this.#hosted.get(id);
    if (hosted === undefined) return;
    // From here on the provider reports these tags; earlier reports were about the previous ones.
    hosted.version = version;
    hosted.slot.configure(tags);
  }

  async #write(order: Extract<Order, { do: 'write' }>): Promise<void> {
    const { write } = order;
    const abort = new AbortController();
    this.#writes.set(write, abort);
    const error = await this.#attempt(order, abort.signal);
    this.#writes.delete(write);
    this.#reporter.answer({ to: 'write', write, error });
  }

  async #attempt(
    { id, tag, value, sendBefore }: Extract<Order, { do: 'write' }>,
    signal: AbortSignal,
  ): Promise<WireError | null> {
    try {
      const hosted = this.#hosted.get(id);
      if (hosted === undefined) throw new NodeError('device_unreachable', `${tag.path}: its source has ended`);
      await hosted.slot.write(tag, value, signal, sendBefore);
      return null;
    } catch (error) {
      // The slot throws no other errors.
      const code = error instanceof NodeError ? error.code : 'tag_write_failed';
      return { code, message: error instanceof Error ? error.message : 'the value was not taken' };
    }
  }

  async #close(id: number): Promise<void> {
    const hosted = this.#hosted.get(id);
    this.#hosted.delete(id);
    this.#reporter.forget(id);
    await hosted?.slot.close();
    this.#reporter.answer({ to: 'close', id });
  }

  async #probe(probe: number, device: AnyDevice): Promise<void> {
    const { dataDir } = this.#options;
    try {
      const test = await this.#drivers.probe(device, { guard: this.#guard, dataDir });
      this.#reporter.answer({ to: 'probe', probe, test });
    } catch (error) {
      this.#reporter.log.error('a connection could not be tested', { connection: device.id, error });
      this.#reporter.answer({ to: 'probe', probe, failed: error instanceof Error ? error.message : String(error) });
    }
  }
}
