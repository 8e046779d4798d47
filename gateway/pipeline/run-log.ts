import { maskKeys } from '#common/api-key.ts';
import { clip } from '#common/clip.ts';
import type { LogLevel } from '#sdk';
import { LOG_CHARS_MAX, LOG_LINES_PER_SECOND_MAX } from './limits.ts';

export interface LogFields {
  readonly project: string;
  readonly pipeline: string;
  readonly node?: string;
  readonly requestId?: string;
}

/** Receives the lines: the gateway's logger. Texts are already masked and clipped. */
export type RunLog = (level: LogLevel, message: string, fields: LogFields) => void;

/** Limits the log lines of one pipeline; the number of omitted lines is reported with the next line. */
export class BoundedLog {
  readonly #log: RunLog;
  readonly #fields: LogFields;
  #second = 0;
  #lines = 0;

  constructor(log: RunLog, fields: LogFields) {
    this.#log = log;
    this.#fields = fields;
  }

  line(level: LogLevel, message: string, node: string | undefined, requestId: string | undefined): void {
    this.#turn(Math.floor(performance.now() / 1000));
    if (++this.#lines > LOG_LINES_PER_SECOND_MAX) return;
    this.#log(level, clip(maskKeys(message), LOG_CHARS_MAX), {
      ...this.#fields,
      ...(node !== undefined && { node }),
      ...(requestId !== undefined && { requestId }),
    });
  }

  #turn(second: number): void {
    if (second === this.#second) return;
    const left = this.#lines - LOG_LINES_PER_SECOND_MAX;
    this.#second = second;
    this.#lines = 0;
    if (left > 0) this.#log('warn', `${left} log lines of this pipeline were left out`, this.#fields);
  }
}
