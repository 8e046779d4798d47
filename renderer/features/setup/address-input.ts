import type { AddressFields, ConnectFields, ShownSettings } from '#api/setup-queries.ts';

/** Address and ports as typed. */
export interface AddressInput {
  baseUrl: string;
  gatewayPort: string;
  uiPort: string;
}
export type AddressField = keyof AddressInput;
export type Protocol = 'own' | 'off';

export interface Running {
  gatewayPort: number | null;
  uiPort: number;
}

const BASE_URL = /^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])$/;
const PORT_MAX = 65_535;

/** The initial content of the fields: for "any free port", the one that was found. */
export function inputOf(settings: ShownSettings, running: Running): AddressInput {
  const port = (setting: number, now: number | null) => String(setting === 0 ? (now ?? '') : setting);
  return {
    baseUrl: settings.baseUrl,
    gatewayPort: port(settings.gatewayPort, running.gatewayPort),
    uiPort: port(settings.uiPort, running.uiPort),
  };
}

/** The base URL with the scheme of that protocol. */
export function withProtocol(input: AddressInput, tls: Protocol): AddressInput {
  return { ...input, baseUrl: input.baseUrl.replace(/^\s*https?:/, tls === 'own' ? 'https:' : 'http:') };
}

/** The protocol that was chosen before, otherwise TLS. A custom certificate is not changed here. */
export function firstProtocol({ tls }: Pick<ShownSettings, 'tls'>, plain: boolean | undefined): Protocol | null {
  if (tls === 'custom') return null;
  return tls === 'off' && plain === true ? 'off' : 'own';
}

/** The fields with an invalid value. */
export function faultsOf(input: AddressInput): AddressField[] {
  return [
    ...(BASE_URL.test(input.baseUrl.trim()) ? [] : ['baseUrl' as const]),
    ...(isPort(input.gatewayPort) ? [] : ['gatewayPort' as const]),
    ...(isPort(input.uiPort) ? [] : ['uiPort' as const]),
  ];
}

/** The input, without fields that a flag fixes: this page cannot change them. */
export function fieldsOf(input: AddressInput, fixed: readonly string[]): AddressFields {
  return {
    ...(!fixed.includes('baseUrl') && { baseUrl: input.baseUrl.trim() }),
    ...(!fixed.includes('gatewayPort') && { gatewayPort: Number(input.gatewayPort) }),
    ...(!fixed.includes('uiPort') && { uiPort: Number(input.uiPort) }),
  };
}

/** The changed fields; unchanged ones are not saved. */
export function changesOf(input: AddressInput, before: AddressInput, fixed: readonly string[]): AddressFields {
  const unchanged = (['baseUrl', 'gatewayPort', 'uiPort'] as const).filter(
    (field) => input[field].trim() === before[field],
  );
  return fieldsOf(input, [...fixed, ...unchanged]);
}

/** All changed settings of the step. `chosen` null: the protocol stays. */
export function settingsOf(
  input: AddressInput,
  chosen: Protocol | null,
  { settings, before }: { settings: Pick<ShownSettings, 'tls' | 'overridden'>; before: AddressInput },
): ConnectFields {
  const changes = changesOf(input, before, settings.overridden);
  return chosen === null || chosen === settings.tls ? changes : { ...changes, tls: chosen };
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= PORT_MAX;
}
