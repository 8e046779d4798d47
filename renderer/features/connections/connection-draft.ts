import type { ConnectionKind } from '#common/model/connection.ts';
import type { SentConnection, ShownConnection } from '#api/connections-queries.ts';
import { type ConnectionField, fieldsOf, type FieldName, type SecretName } from './connection-fields.ts';

/** A connection in the form: texts by field; a secret is undefined as long as it is kept. */
export interface ConnectionDraft {
  id: string;
  name: string;
  kind: ConnectionKind;
  texts: Partial<Record<FieldName, string>>;
  secrets: Partial<Record<SecretName, string | null>>;
}

export function emptyDraft(kind: ConnectionKind, id = '', name = ''): ConnectionDraft {
  const texts = Object.fromEntries(fieldsOf(kind).map((field) => [field.name, field.usual]));
  return { id, name, kind, texts, secrets: {} };
}

export function draftOf({ id, name, settings }: ShownConnection): ConnectionDraft {
  const shown = fieldsOf(settings.kind)
    .filter(({ kind }) => kind !== 'secret')
    .map((field) => [field.name, asText(settings[field.name])]);
  return { id, name, kind: settings.kind, texts: Object.fromEntries(shown), secrets: {} };
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Another kind keeps the common fields, such as host and name. */
export function ofKind(draft: ConnectionDraft, kind: ConnectionKind): ConnectionDraft {
  const { texts } = emptyDraft(kind);
  const host = draft.texts.host ?? '';
  const user = 'user' in texts ? { user: draft.texts.user ?? '' } : {};
  return { ...draft, kind, texts: { ...texts, host, ...user }, secrets: {} };
}

/** Certificates are requested where they are checked. */
export function isShown({ name }: ConnectionField, { texts, kind }: ConnectionDraft): boolean {
  if (name === 'ca') return texts.tls === 'verify';
  if (name === 'clientCertificate' || name === 'clientKey') return texts.tls !== 'off';
  if (name === 'trustedCertificates' || name === 'securityPolicy')
    return kind !== 'opcua' || texts.securityMode !== 'None';
  return true;
}

/** The request. `before`: the saved connection, for kept values. */
export function sentOf(draft: ConnectionDraft, before: ShownConnection | null): SentConnection {
  const keeps = before !== null && !leadsElsewhere(draft, before);
  const value = (field: ConnectionField): unknown => {
    if (field.kind !== 'secret') return valueOf(field, draft);
    const typed = draft.secrets[field.name];
    if (typed !== undefined) return typed === '' ? null : typed;
    return keeps && isStored(before, field.name) ? { set: true } : null;
  };
  const settings = Object.fromEntries(fieldsOf(draft.kind).map((field) => [field.name, value(field)]));
  return { id: draft.id, name: draft.name.trim(), settings: { kind: draft.kind, ...settings } };
}

function valueOf(field: ConnectionField, draft: ConnectionDraft): unknown {
  const text = (draft.texts[field.name] ?? '').trim();
  if (field.kind === 'pem') return text === '' ? null : text;
  // Text that is not a number is sent unchanged: the server reports the expected value.
  if (field.kind === 'whole' || field.kind === 'seconds') return numberOf(text) ?? text;
  if (field.name === 'securityPolicy' && draft.texts.securityMode === 'None') return 'None';
  return text;
}

function numberOf(text: string): number | null {
  const digits = text.replace(',', '.');
  return /^\d{1,9}(?:\.\d{1,6})?$/.test(digits) ? Number(digits) : null;
}

export function isStored(before: ShownConnection | null, name: SecretName): boolean {
  return before !== null && typeof before.settings[name] === 'object' && before.settings[name] !== null;
}

const STRENGTH = [['off', 'encrypt', 'verify'] as const, ['None', 'Sign', 'SignAndEncrypt'] as const];

/** Another server, or weaker protection in transit: stored secrets for the old one are not sent there. */
export function leadsElsewhere(draft: ConnectionDraft, { settings }: ShownConnection): boolean {
  const { texts, kind } = draft;
  if (kind !== settings.kind || texts.host?.trim() !== settings.host) return true;
  if (numberOf(texts.port ?? '') !== settings.port) return true;
  return strength(texts.tls ?? texts.securityMode) < strength(settings['tls'] ?? settings['securityMode']);
}

function strength(word: unknown): number {
  return Math.max(0, ...STRENGTH.map((words) => words.findIndex((one) => one === word)));
}

/** Stored secrets that would be lost by saving the draft, without the user's intention. */
export function lostSecrets(draft: ConnectionDraft, before: ShownConnection | null): SecretName[] {
  if (before === null || !leadsElsewhere(draft, before)) return [];
  return (['password', 'clientKey'] as const).filter(
    (name) => isStored(before, name) && draft.secrets[name] === undefined,
  );
}
