import type { Message, StoringTransport } from '../transport.ts';

/** A network in memory: subjects with listeners, and stored records. */
export class MemoryTransport implements StoringTransport {
  connected = false;
  /** Records that the hub stores, by subject; a test may put anything here. */
  readonly stored = new Map<string, Uint8Array>();
  /** So many records cannot be stored. */
  failingStores = 0;
  readonly published: [string, Uint8Array][] = [];
  /** Answers a request; throws as a request without an answer does. */
  answer: (subject: string, bytes: Uint8Array) => Uint8Array | Promise<Uint8Array> = () => {
    throw new Error('no answer');
  };
  readonly #listeners = new Map<string, (message: Message) => void>();
  readonly #changes: ((connected: boolean) => void)[] = [];

  onChange(listener: (connected: boolean) => void): void {
    this.#changes.push(listener);
  }

  connect(connected: boolean): void {
    this.connected = connected;
    for (const change of this.#changes) change(connected);
  }

  publish(subject: string, bytes: Uint8Array): void {
    if (this.connected) this.published.push([subject, bytes]);
  }

  async request(subject: string, bytes: Uint8Array): Promise<Uint8Array> {
    if (!this.connected) throw new Error('not connected');
    return this.answer(subject, bytes);
  }

  subscribe(subject: string, listener: (message: Message) => void): void {
    this.#listeners.set(subject, listener);
  }

  /** A message from the hub or an edge, or from somebody who says so. */
  deliver(subject: string, bytes: Uint8Array, respond: (bytes: Uint8Array) => void = () => {}): void {
    const parts = subject.split('.');
    for (const [pattern, listener] of this.#listeners) {
      const wanted = pattern.split('.');
      const fits = wanted.length === parts.length && wanted.every((part, at) => part === '*' || part === parts[at]);
      if (fits) listener({ subject, bytes, respond });
    }
  }

  /** The answer of the listener. */
  ask(subject: string, bytes: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve) => this.deliver(subject, bytes, resolve));
  }

  async store(subject: string, bytes: Uint8Array): Promise<void> {
    if (!this.connected) throw new Error('not connected');
    if (this.failingStores > 0) {
      this.failingStores--;
      throw new Error('the stream does not answer');
    }
    this.stored.set(subject, bytes);
  }

  async lastOf(_stream: string, subject: string): Promise<Uint8Array | null> {
    return this.stored.get(subject) ?? null;
  }

  async close(): Promise<void> {
    this.connected = false;
  }
}
