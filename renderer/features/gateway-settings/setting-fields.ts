import type { Settings } from '#common/model/settings.ts';

/** The gateway settings as fields of a form: how each is typed, and what it is without anybody's word. */
export type SettingName = keyof Settings;
export type FieldKind =
  | 'text'
  | 'optional'
  | 'whole'
  | 'optionalWhole'
  | 'bytes'
  | 'lines'
  | 'durability'
  | 'tls'
  | 'pem'
  | 'pemSecret'
  | 'secret';

export interface SettingField {
  readonly name: SettingName;
  readonly kind: FieldKind;
  /** As the server has it; undefined where it is made of the machine's name. */
  readonly usual?: unknown;
  readonly unit?: 'days' | 'events' | 'perSecond';
  /** It takes effect only after a restart of Sluice. */
  readonly afterRestart?: boolean;
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

export const SECTIONS = [
  {
    id: 'address',
    fields: [
      { name: 'baseUrl', kind: 'text' },
      { name: 'gatewayHost', kind: 'text', usual: '0.0.0.0' },
      { name: 'gatewayPort', kind: 'whole', usual: 8090 },
      { name: 'uiPort', kind: 'whole', usual: 8091, afterRestart: true },
      { name: 'workers', kind: 'whole', usual: 1 },
    ],
  },
  {
    id: 'tls',
    fields: [
      { name: 'tls', kind: 'tls', usual: 'off' },
      { name: 'plainHttpPort', kind: 'optionalWhole', usual: null },
      { name: 'tlsCertificate', kind: 'pem', usual: null },
      { name: 'tlsKey', kind: 'pemSecret', usual: null },
    ],
  },
  { id: 'security', fields: [{ name: 'trustedProxies', kind: 'lines', usual: [] }] },
  {
    id: 'egress',
    fields: [
      { name: 'allowedInternalTargets', kind: 'lines', usual: [] },
      { name: 'egressProxyTargets', kind: 'lines', usual: [] },
      { name: 'egressProxy', kind: 'optional', usual: null },
      { name: 'egressDrainRate', kind: 'whole', usual: 250, unit: 'perSecond' },
      { name: 'egressMaxEvents', kind: 'whole', usual: 1_000_000, unit: 'events' },
      { name: 'egressMaxBytes', kind: 'bytes', usual: GIB },
      { name: 'diskReserveBytes', kind: 'bytes', usual: GIB },
    ],
  },
  {
    id: 'journal',
    fields: [
      { name: 'journalDays', kind: 'whole', usual: 90, unit: 'days' },
      { name: 'journalMaxBytes', kind: 'bytes', usual: 2 * GIB },
      { name: 'journalDurability', kind: 'durability', usual: 'process' },
      { name: 'journalHeadFile', kind: 'optional', usual: null },
    ],
  },
  {
    id: 'health',
    fields: [
      { name: 'healthLivePath', kind: 'optional', usual: '/health/live' },
      { name: 'healthReadyPath', kind: 'optional', usual: '/health/ready' },
    ],
  },
  {
    id: 'metrics',
    fields: [
      { name: 'metricsToken', kind: 'secret', usual: null },
      { name: 'metricsPort', kind: 'optionalWhole', usual: null },
      { name: 'metricsHost', kind: 'text', usual: '0.0.0.0' },
    ],
  },
] as const satisfies readonly { id: string; fields: readonly SettingField[] }[];

export const FIELDS: readonly SettingField[] = SECTIONS.flatMap((section): readonly SettingField[] => section.fields);

/** Input is kept as text until it is saved: amounts with their unit after a space, a list one per line. */
const UNITS = { MiB: MIB, GiB: GIB } as const;
export type ByteUnit = keyof typeof UNITS;
export const BYTE_UNITS: readonly ByteUnit[] = ['MiB', 'GiB'];

export function textOf({ kind }: SettingField, value: unknown): string {
  if (kind === 'bytes' && typeof value === 'number') return bytesAsText(value);
  if (kind === 'lines' && Array.isArray(value)) return value.join('\n');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** In the larger unit if it fits without a rest. */
function bytesAsText(bytes: number): string {
  const unit = bytes % GIB === 0 && bytes > 0 ? 'GiB' : 'MiB';
  return `${bytes / UNITS[unit]} ${unit}`;
}

export function amountOf(text: string): { amount: string; unit: ByteUnit } {
  const [amount = '', unit] = text.split(' ');
  return { amount, unit: BYTE_UNITS.find((one) => one === unit) ?? 'MiB' };
}

/** undefined: no number. */
export function valueOf({ kind }: SettingField, text: string): unknown {
  if (kind === 'whole') return wholeOf(text);
  if (kind === 'bytes') return bytesOf(text);
  if (kind === 'lines') return linesOf(text);
  const trimmed = text.trim();
  if (trimmed === '' && EMPTY_IS_NULL.includes(kind)) return null;
  return kind === 'optionalWhole' ? wholeOf(trimmed) : trimmed;
}

const EMPTY_IS_NULL: readonly FieldKind[] = ['optional', 'optionalWhole', 'pem', 'pemSecret', 'secret'];

const DIGITS = /^\d{1,15}$/;
const GROUPED = /^\d{1,3}(?:[\s,.'’]\d{3})+$/;

/** Digits, grouped or not: `1.5` is no 15. */
function wholeOf(text: string): number | undefined {
  const trimmed = text.trim();
  if (DIGITS.test(trimmed)) return Number(trimmed);
  return GROUPED.test(trimmed) ? Number(trimmed.replaceAll(/\D/g, '')) : undefined;
}

function bytesOf(text: string): number | undefined {
  const { amount, unit } = amountOf(text);
  const digits = amount.replace(',', '.');
  return /^\d{1,9}(?:\.\d{1,6})?$/.test(digits) ? Math.round(Number(digits) * UNITS[unit]) : undefined;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
