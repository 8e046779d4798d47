import { fstatSync } from 'node:fs';

export type Severity = 'debug' | 'info' | 'warn' | 'error';

/** Priorities of syslog(3), as journald reads them from the beginning of a line (sd-daemon(3)). */
const PRIORITIES: Readonly<Record<Severity, number>> = { debug: 7, info: 6, warn: 4, error: 3 };

/** Evaluated once: the target of standard error does not change. */
let isJournal: boolean | null = null;

/** Writes a whole line, with its line feed. In systemd's journal it gets its severity; elsewhere it is unchanged. */
export function writeToStderr(severity: Severity, line: string): void {
  isJournal ??= leadsToJournal(process.env['JOURNAL_STREAM']);
  process.stderr.write(isJournal ? `<${PRIORITIES[severity]}>${line}` : line);
}

/** `stream`: JOURNAL_STREAM, device and inode of the stream that systemd provided (systemd.exec(5)). */
function leadsToJournal(stream: string | undefined): boolean {
  if (stream === undefined) return false;
  try {
    const { dev, ino } = fstatSync(2, { bigint: true });
    return stream === `${dev}:${ino}`;
  } catch {
    return false;
  }
}
