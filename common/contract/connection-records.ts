import { z } from 'zod';
import {
  CONNECTION_SECRETS,
  connectionDefinition,
  type ConnectionDefinition,
  type ConnectionKind,
  connectionSettings,
} from '../model/connection.ts';
import { CONNECTION_KINDS } from '../model/connection-kinds.ts';
import { expected } from '../errors/rules.ts';

/** Represents a stored secret. A client that sends it back keeps the secret. */
export interface IsSet {
  set: true;
}

export type SentSecrets = Partial<Record<(typeof CONNECTION_SECRETS)[number], string | IsSet | null>>;

/** A connection as it is sent and as it is read: derived from the model, with other forms of the secret fields. */
const isSet = z
  .strictObject({ set: z.literal(true) })
  .meta({ description: 'A value is stored; sent back, it is kept.' });

type Option = (typeof connectionSettings.options)[number];

function optionsWith(secret: (field: z.ZodType) => z.ZodType): z.ZodObject[] {
  return connectionSettings.options.map((option: Option) => {
    const shape: Record<string, z.ZodType> = option.shape;
    const fields = CONNECTION_SECRETS.filter((name) => Object.hasOwn(shape, name));
    return z.strictObject({
      ...shape,
      ...Object.fromEntries(fields.map((name) => [name, secret(shape[name] ?? z.null())])),
    });
  });
}

function settingsWith(secret: (field: z.ZodType) => z.ZodType) {
  const [first, ...rest] = optionsWith(secret);
  if (first === undefined) throw new Error('there is no kind of connection');
  return z.discriminatedUnion('kind', [first, ...rest] as [Kind, ...Kind[]], {
    error: expected('one_of', { values: CONNECTION_KINDS }),
  });
}
type Kind = z.ZodObject<{ kind: z.ZodLiteral<string> }>;

const { id, name } = connectionDefinition.shape;

/** The body of a save. An absent secret becomes null: the connection has no such secret. */
export interface SentConnection extends Omit<ConnectionDefinition, 'settings'> {
  settings: Record<string, unknown> & SentSecrets & { kind: string };
}

export const sentConnection = z.strictObject({
  id,
  name,
  settings: settingsWith((field) =>
    z.union([field, isSet], { error: 'expected a string, null, or { "set": true } to keep what is stored' }),
  ),
}) as unknown as z.ZodType<SentConnection>;

/** A connection as it is read: a secret is `{ set: true }` or null. */
export interface ConnectionRecord {
  id: string;
  name: string;
  settings: Record<string, unknown> & { kind: ConnectionKind; host: string; port: number };
}

// Its fields follow from those of the model, which the compiler cannot infer.
const recordFields = { id, name, settings: settingsWith(() => isSet.nullable()) };
export const connectionRecord = z.strictObject(recordFields) as unknown as z.ZodType<ConnectionRecord>;

const cleared = z
  .array(z.enum(CONNECTION_SECRETS))
  .meta({ description: 'Secrets that were to be kept and are not, because the connection leads elsewhere now.' });

export const savedConnection = z.strictObject({ ...recordFields, cleared }) as unknown as z.ZodType<
  ConnectionRecord & { cleared: (typeof CONNECTION_SECRETS)[number][] }
>;

export const connectionTest = z.strictObject({ ok: z.boolean(), text: z.string(), durationMs: z.number() });
