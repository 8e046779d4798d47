/**
 * Counts messages of one node of a running revision per second: the seconds before the current one are kept, so that a
 * reader gets a steady average. It has no timer: the second changes with the next message. Limits: WINDOW_SECONDS
 * seconds; a second without messages takes no memory.
 */
import type { NodeTraffic } from '#common/model/traffic.ts';
import { type Counts, quantileOf, sumCounts } from '#common/traffic/counts.ts';
import { Histogram } from '#common/traffic/histogram.ts';

export const WINDOW_SECONDS = 10;

interface Second {
  readonly second: number;
  readonly messages: number;
  readonly errors: number;
  readonly ports: readonly number[];
  readonly durations: Counts;
}

export class NodeCounters {
  /** 200 replies to callers whose body has an `error` key, since the start. */
  errorsWith200 = 0;
  readonly #names: readonly string[];
  readonly #since: number;
  #second = -1;
  #messages = 0;
  #errors = 0;
  readonly #ports: number[];
  /** Created with the first message. */
  #durations: Histogram | null = null;
  #kept: Second[] = [];

  constructor(ports: readonly string[], nowMs = performance.now()) {
    this.#names = ports;
    this.#ports = ports.map(() => 0);
    this.#since = Math.floor(nowMs / 1000);
  }

  /** A message arrived. `nowMs`, like all times here, is `performance.now()` in milliseconds. */
  entered(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) this.#turn(second);
    this.#messages += 1;
  }

  /** The node has finished with a message, successfully or not. */
  left(nowMs: number, durationMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) this.#turn(second);
    this.#durations ??= new Histogram();
    this.#durations.add(durationMs);
  }

  /** With `left`: a message left through the port with this index, or would have if the port had been wired. */
  emitted(port: number): void {
    this.#ports[port] = (this.#ports[port] ?? 0) + 1;
  }

  /** With `left`: the node threw, or did not respond in time. */
  broke(): void {
    this.#errors += 1;
  }

  read(nowMs: number): Omit<NodeTraffic, 'node'> {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) this.#turn(second);
    const kept = this.#kept.filter((one) => one.second >= second - WINDOW_SECONDS);
    const seconds = Math.min(WINDOW_SECONDS, Math.max(1, second - this.#since));
    const sum = (value: (one: Second) => number): number => kept.reduce((total, one) => total + value(one), 0);
    const messages = sum((one) => one.messages);
    const errors = sum((one) => one.errors);
    const rates = this.#names.map((name, port) => [name, sum((one) => one.ports[port] ?? 0) / seconds]);
    return {
      perSecond: messages / seconds,
      p99Ms: quantileOf(sumCounts(kept.map((one) => one.durations)), 0.99),
      // A message can end in a later second than it arrived in.
      errorShare: errors === 0 ? 0 : Math.min(1, errors / Math.max(1, messages)),
      ports: Object.fromEntries(rates),
    };
  }

  #turn(second: number): void {
    if (this.#second >= 0) this.#keep();
    this.#second = second;
    this.#messages = this.#errors = 0;
    this.#ports.fill(0);
  }

  #keep(): void {
    const durations = this.#durations?.take() ?? [];
    if (this.#messages === 0 && durations.length === 0) return;
    if (this.#kept.length >= WINDOW_SECONDS) this.#kept.shift();
    const [messages, errors] = [this.#messages, this.#errors];
    this.#kept.push({ second: this.#second, messages, errors, ports: [...this.#ports], durations });
  }
}
