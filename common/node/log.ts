import { clip } from '#common/clip.ts';
import { maskKeys } from '../api-key.ts';
import { type Severity, writeToStderr } from './stderr.ts';

/**
 * Log of one part of a process: JSON lines on standard error (docs/spec/operation.md#log), one object per line: `{
 * time, level, name, message, …fields }`. In systemd's journal each line also has its priority.
 *
 * Security: everything that looks like an API key is masked in every text, fields with secret names lose their value,
 * and long texts are clipped. A value that cannot be serialized is replaced and never throws.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, unknown>>;
export type LogLevel = Severity;

const TEXT_CHARS_MAX = 8_192;
const LINE_CHARS_MAX = 65_536;
const DEPTH_MAX = 6;
const ENTRIES_MAX = 100;
const SECRET_NAME =
  /pass(?:word|phrase|wd)?$|secret|token|pepper|authorization|cookie|credential|api-?key$|private-?key|tls-?key|^key$|^value$/i;

/**
 * `write` receives whole lines with their line feed; default: standard error. Debug lines: only with `SLUICE_DEBUG`.
 */
export function createLogger(name: string, write?: (line: string) => void): Logger {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
    const line = logLine(name, level, message, fields);
    if (write) write(line);
    else writeToStderr(level, line);
  };
  const debug = process.env['SLUICE_DEBUG'] ? at('debug') : () => {};
  return { debug, info: at('info'), warn: at('warn'), error: at('error') };
}

function logLine(name: string, level: LogLevel, message: string, fields: LogFields = {}): string {
  const head = { time: new Date().toISOString(), level, name, message: cleanText(message) };
  const { time: _time, level: _level, name: _name, message: _message, ...rest } = fields;
  const text = JSON.stringify({ ...head, ...cleanObject(rest, 0) });
  return (text.length > LINE_CHARS_MAX ? JSON.stringify({ ...head, cut: true }) : text) + '\n';
}

function cleanText(text: string): string {
  const masked = maskKeys(text);
  return clip(masked, TEXT_CHARS_MAX);
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return '[deep]';
  if (value instanceof Error) return cleanError(value, depth);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, ENTRIES_MAX).map((entry: unknown) => clean(entry, depth + 1));
  return cleanObject(value, depth);
}

function cleanObject(value: object, depth: number): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [field, entry] of Object.entries(value).slice(0, ENTRIES_MAX)) {
    const hidden = SECRET_NAME.test(field) && entry !== null && typeof entry !== 'boolean';
    result[cleanText(field)] = hidden ? '[removed]' : clean(entry, depth + 1);
  }
  return result;
}

function cleanError(error: Error, depth: number): Record<string, unknown> {
  const { code } = error as { code?: unknown };
  return {
    error: cleanText(error.name),
    message: cleanText(error.message),
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: cleanText(error.stack) }),
    ...(error.cause !== undefined && { cause: clean(error.cause, depth + 1) }),
  };
}
