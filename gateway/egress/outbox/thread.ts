import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { releaseIdleMemory } from '#common/node/idle-memory.ts';
import { WRITE_RETRY_MS } from './limits.ts';
import type { FromOutbox, ThreadOptions, ToOutbox } from './messages.ts';
import { OutboxCore } from './core.ts';
import { NO_NEWS } from './no-news.ts';

/**
 * The thread of the outbox. If the file cannot be opened, it tries again every second; until then every event is
 * refused with the reason, lines wait in order, and calls are answered with the reason.
 */
class OutboxThread {
  readonly #options: ThreadOptions;
  readonly #tell: (message: FromOutbox) => void;
  readonly #lines: ToOutbox[] = [];
  #settings: ThreadOptions['settings'];
  #core: OutboxCore | null = null;
  #trouble = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ThreadOptions, tell: (message: FromOutbox) => void) {
    this.#options = options;
    this.#settings = options.settings;
    this.#tell = tell;
    this.#open();
    tell({ kind: 'ready' });
  }

  handle(message: Exclude<ToOutbox, { kind: 'close' }>): void {
    if (this.#core !== null) return this.#core.handle(message);
    switch (message.kind) {
      case 'line':
      case 'release':
        this.#lines.push(message);
        return;
      case 'put':
        for (const { ticket } of message.events)
          this.#tell({ kind: 'outcome', ticket, outcome: { kind: 'unavailable', text: this.#trouble } });
        return;
      case 'unwait':
        return;
      case 'settings':
        this.#settings = message.settings;
        return this.#tell({ kind: 'reply', id: message.id });
      case 'call':
        return this.#tell({ kind: 'reply', id: message.id, error: { code: 'conflict', detail: this.#trouble } });
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#core?.close();
  }

  #open(): void {
    try {
      const core = new OutboxCore({ ...this.#options, settings: this.#settings, tell: this.#tell });
      for (const message of this.#lines.splice(0)) if (message.kind !== 'close') core.handle(message);
      this.#core = core;
      core.begin();
      if (this.#trouble !== '') this.#log('info', 'the outbox is open', {});
    } catch (error) {
      this.#failed(error instanceof Error ? error.message : String(error));
    }
  }

  #failed(reason: string): void {
    const trouble = `the outbox cannot be opened: ${reason}`;
    if (trouble !== this.#trouble) {
      this.#log('error', 'the outbox cannot be opened; events are refused until it can', { reason });
      this.#tell({ kind: 'news', news: { ...NO_NEWS, trouble } });
    }
    this.#trouble = trouble;
    this.#timer = setTimeout(() => this.#open(), WRITE_RETRY_MS);
  }

  #log(level: 'info' | 'error', text: string, fields: Readonly<Record<string, unknown>>): void {
    this.#tell({ kind: 'log', level, text, fields });
  }
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  releaseIdleMemory();
  const thread = new OutboxThread(workerData as ThreadOptions, (message) => port.postMessage(message));
  port.on('message', (message: ToOutbox) => {
    if (message.kind !== 'close') return thread.handle(message);
    void thread.close().finally(() => process.exit(0));
  });
}
