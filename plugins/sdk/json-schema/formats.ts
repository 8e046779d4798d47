import { addressFamily } from '#common/cidr.ts';

/**
 * The formats that are checked; a schema with another one is refused. No expression has nested repetitions, so each
 * takes linear time, and none reads more than a limited part of the text.
 */
const FORMAT_CHARS_MAX = 2_048;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const URI = /^[a-z][a-z0-9+.-]*:[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/i;
const LOCAL_PART = /^[^\s@"(),:;<>[\\\]]{1,64}$/;

const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: (text) => TIME.test(text),
  'date-time': isDateTime,
  email: isEmail,
  hostname: isHostname,
  ipv4: (text) => addressFamily(text) === 'ipv4',
  ipv6: (text) => addressFamily(text) === 'ipv6',
  uri: (text) => URI.test(text),
  uuid: (text) => UUID.test(text),
};

/** For ajv's option `formats`. */
export function boundedFormats(): Record<string, (text: string) => boolean> {
  const bounded = Object.entries(CHECKS).map(
    ([name, check]) => [name, (text: string) => text.length <= FORMAT_CHARS_MAX && check(text)] as const,
  );
  return Object.fromEntries(bounded);
}

export const FORMAT_NAMES = Object.keys(CHECKS);

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function isDateTime(text: string): boolean {
  const separator = text.charAt(10);
  return (separator === 'T' || separator === 't') && isDate(text.slice(0, 10)) && TIME.test(text.slice(11));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  return at > 0 && LOCAL_PART.test(text.slice(0, at)) && isHostname(text.slice(at + 1));
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => LABEL.test(label));
}
