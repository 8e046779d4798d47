import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * One line of JSON whose last field is `mac`: HMAC-SHA-256, hex, over everything before `,"mac"`. Anyone can read it;
 * changes and foreign lines are detected.
 */
const LINE = /^(\{".*),"mac":"([0-9a-f]{64})"\}$/;

/** With its line feed. */
export function sealedLine(key: Buffer, content: object): string {
  const covered = JSON.stringify(content).slice(0, -1);
  return `${covered},"mac":"${macOf(key, covered)}"}\n`;
}

/** Null: not in this format. `json` is the content without its MAC. */
export function openLine(key: Buffer, line: string): { json: string; genuine: boolean } | null {
  const [, covered, mac] = LINE.exec(line.trimEnd()) ?? [];
  if (covered === undefined || mac === undefined) return null;
  const genuine = timingSafeEqual(Buffer.from(macOf(key, covered), 'hex'), Buffer.from(mac, 'hex'));
  return { json: `${covered}}`, genuine };
}

function macOf(key: Buffer, covered: string): string {
  return createHmac('sha256', key).update(covered).digest('hex');
}
