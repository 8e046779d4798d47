/**
 * Messages between pipelines of one project (docs/spec/nodes.md#messages): `messages.send` and `message-out` send,
 * `message-in` receives.
 *
 * A message waits at each receiver until a run can begin; it never begins in the sender's own turn of the event loop,
 * so a cycle of pipelines cannot overflow the stack. Messages are kept in memory: when the gateway exits or a pipeline
 * is stopped, waiting messages are lost; a restarted pipeline passes them to its next revision. For data that must not
 * be lost use egress, whose queue is on disk. Limits: WAITING_MAX messages and WAITING_BYTES_MAX per receiver (a full
 * one refuses the sender, and then no receiver gets the message), chains of HOPS_MAX messages; runs begin at the pace
 * of all triggers (pace.ts).
 */
import { NodeError, type RunOrigin } from '#sdk';
import type { Capability, Perform } from '../contract.ts';
import type { Pace } from '../pace.ts';
import type { Principal } from '../principal.ts';

export const WAITING_MAX = 1_000;
/** Estimated, per receiver. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
export const HOPS_MAX = 16;

export interface Delivery {
  readonly payload: unknown;
  /** Estimated size of the payload. */
  readonly bytes: number;
  /** The sender's rights when it sent. */
  readonly sender: Principal;
  /** The origin of the run that sent it. */
  readonly origin: RunOrigin;
  /** The number of messages in the chain, including this one. */
  readonly hops: number;
}

/** Accepts a message and begins a run for it; false: not now, ask again when `ready` is called. */
export type Receive = (delivery: Delivery) => boolean;

export interface Subscription {
  /** There is capacity again. */
  ready(): void;
  /**
   * Waiting messages move to another receiver of the same owner; returns the number of messages that are lost without
   * one.
   */
  end(): number;
}

class Receiver implements Subscription {
  readonly owner: string;
  readonly #waiting: Delivery[] = [];
  #waitingBytes = 0;
  readonly #pace: Pace;
  readonly #receive: Receive;
  readonly #ended: () => Receiver | undefined;
  #open = true;

  /** `ended` removes it from the list and names its successor. */
  constructor(owner: string, pace: Pace, receive: Receive, ended: () => Receiver | undefined) {
    this.owner = owner;
    this.#pace = pace;
    this.#receive = receive;
    this.#ended = ended;
  }

  /** One message is always accepted, regardless of its size. */
  isFullFor({ bytes }: Delivery): boolean {
    const { length } = this.#waiting;
    return length >= WAITING_MAX || (length > 0 && this.#waitingBytes + bytes > WAITING_BYTES_MAX);
  }

  put(delivery: Delivery): void {
    this.#waiting.push(delivery);
    this.#waitingBytes += delivery.bytes;
    this.ready();
  }

  ready(): void {
    if (this.#open && this.#waiting.length > 0) this.#pace.later(this.#next);
  }

  end(): number {
    this.#open = false;
    const left = this.#waiting.splice(0);
    const successor = this.#ended();
    if (successor === undefined) return left.length;
    successor.#takeOver(left, this.#waitingBytes);
    return 0;
  }

  #takeOver(left: readonly Delivery[], bytes: number): void {
    this.#waiting.unshift(...left);
    this.#waitingBytes += bytes;
    this.ready();
  }

  readonly #next = (): void => {
    const [next] = this.#waiting;
    if (next === undefined || !this.#open || !this.#receive(next)) return;
    this.#waiting.shift();
    this.#waitingBytes -= next.bytes;
    this.ready();
  };
}

export class MessageBus {
  readonly #receivers = new Map<string, Set<Receiver>>();
  readonly #pace: Pace;

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  /** `owner` is the pipeline: its next revision receives the messages that wait for this one. */
  receive(project: string, channel: string, owner: string, receive: Receive): Subscription {
    const key = `${project}\n${channel}`;
    const receivers = this.#receivers.get(key) ?? new Set<Receiver>();
    this.#receivers.set(key, receivers);
    const receiver: Receiver = new Receiver(owner, this.#pace, receive, () => {
      receivers.delete(receiver);
      if (receivers.size === 0) this.#receivers.delete(key);
      return [...receivers].find((other) => other.owner === owner);
    });
    receivers.add(receiver);
    return receiver;
  }

  /** Delivers the message to every receiver of the channel, or to none; returns the number of receivers. */
  send(project: string, channel: string, delivery: Delivery): number {
    const receivers = this.#receiversOf(project, channel, delivery);
    for (const receiver of receivers) receiver.put(delivery);
    return receivers.length;
  }

  /** Returns or throws the same as `send`, and delivers nothing. */
  rehearse(project: string, channel: string, delivery: Delivery): number {
    return this.#receiversOf(project, channel, delivery).length;
  }

  #receiversOf(project: string, channel: string, delivery: Delivery): readonly Receiver[] {
    if (delivery.hops > HOPS_MAX)
      throw new NodeError(
        'message_hops',
        `more than ${HOPS_MAX} messages started each other; do pipelines form a circle?`,
      );
    const receivers = [...(this.#receivers.get(`${project}\n${channel}`) ?? [])];
    if (receivers.length === 0)
      throw new NodeError(
        'channel_unknown',
        `no running pipeline of this project receives on the channel "${channel}"`,
      );
    if (receivers.some((receiver) => receiver.isFullFor(delivery)))
      throw new NodeError(
        'message_queue_full',
        `${WAITING_MAX} messages or ${WAITING_BYTES_MAX} bytes wait on the channel "${channel}" already`,
      );
    return receivers;
  }
}

/** `messages.send`, behind the broker. The payload is copied: sender and receivers never share an object. */
export function messageCapability(
  bus: MessageBus,
  copy: (payload: unknown) => Pick<Delivery, 'payload' | 'bytes'>,
): Capability<'messages.send'> {
  const deliver =
    (how: 'send' | 'rehearse'): Perform<'messages.send'> =>
    ({ channel, payload }, { project, principal, hops, origin }) => {
      const delivery = { ...copy(payload), sender: principal, origin: origin(), hops: hops + 1 };
      return { receivers: bus[how](project, channel, delivery) };
    };
  return {
    calls: { 'messages.send': deliver('send') },
    rehearsals: { 'messages.send': deliver('rehearse') },
    close: () => Promise.resolve(),
  };
}
