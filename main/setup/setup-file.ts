import { z } from 'zod';
import { scopeList } from '#common/model/fields.ts';
import { fieldErrors } from '#common/model/fields.ts';
import { displayName, projectId } from '#common/model/ids.ts';
import { PIPELINES_PER_FILE_MAX } from '#common/model/project-file.ts';
import { settingsSchema } from '#common/model/settings.ts';
import { JSON_DEPTH_MAX, parseJson } from '../admin-api/parse-json.ts';
import { SETUP_ROLES_MAX, SETUP_USERS_MAX } from '../host/setup-commands.ts';
import { permissionNames, personName, roleNames, userName } from '#common/model/credentials.ts';
import { DIGEST_CHARS } from '#common/contract/plugin-records.ts';
import { SetupError } from './setup-error.ts';

/**
 * The file of `sluice setup --from`: the desired state of an appliance after its first set-up. It contains no passwords
 * and no keys, only where they are read from or written to, so one file serves many PCs. Paths are relative to the file.
 *
 * Limits: SETUP_FILE_BYTES_MAX, and a number for each list below.
 */
export const SETUP_FILE_BYTES_MAX = 1024 * 1024;
const PROJECTS_MAX = 50;
const PLUGINS_MAX = 50;
const KEYS_MAX = 200;
const PATH_CHARS_MAX = 4096;

const path = z
  .string({ error: 'expected the path of a file' })
  .min(1, 'expected the path of a file')
  .max(PATH_CHARS_MAX, `expected a path of at most ${PATH_CHARS_MAX} characters`)
  .refine((text) => !text.includes('\0'), 'expected a path without NUL characters');

const SOURCES = '{ "file": PATH }, { "environment": NAME }, { "stdin": true } or { "generate": PATH }';
const PASSWORD_EXPECTED = `expected where the password comes from: ${SOURCES}; the password itself would be the same on every PC`;

/** Exactly one of the four fields is set. */
const passwordSource = z
  .strictObject(
    {
      file: path.optional(),
      environment: z.string({ error: 'expected the name of a variable' }).min(1).max(200).optional(),
      stdin: z.literal(true, { error: 'expected true' }).optional(),
      generate: path.optional(),
    },
    { error: PASSWORD_EXPECTED },
  )
  .refine((source) => Object.keys(source).length === 1, `expected exactly one of ${SOURCES}`);
export type PasswordSource = z.infer<typeof passwordSource>;

/** Absent settings keep their defaults. */
const settings = z.strictObject(
  Object.fromEntries(Object.entries(settingsSchema.shape).map(([name, field]) => [name, field.unwrap().optional()])),
  { error: 'expected an object with settings, such as { "gatewayPort": 8090 }' },
);

const listOf = <T extends z.ZodType>(item: T, what: string, max: number) =>
  z
    .array(item, { error: `expected a list of ${what}` })
    .max(max, `expected at most ${max} ${what}`)
    .default([]);

const user = z.strictObject({ name: userName, roles: roleNames, password: passwordSource });
const role = z.strictObject({ name: personName, permissions: permissionNames });

const plugin = z.strictObject({
  path,
  digest: z
    .string({ error: 'expected the digest that "sluice plugin add" prints' })
    .regex(/^[0-9a-f]+$/i, 'expected hex digits')
    .length(DIGEST_CHARS, `expected ${DIGEST_CHARS} hex digits`)
    .toLowerCase(),
  trust: z.string({ error: 'expected the id of the plugin once more' }).max(100).optional(),
});

const project = z.strictObject({
  file: path,
  id: projectId.optional(),
  name: displayName.optional(),
  start: z
    .union([z.literal('all'), z.array(projectId).max(PIPELINES_PER_FILE_MAX)], {
      error: 'expected "all" or a list of pipeline ids',
    })
    .default([]),
});

const key = z.strictObject({ project: projectId, name: displayName, scopes: scopeList.default([]), file: path });

export const setupFile = z.strictObject(
  {
    sluice: z.literal('setup', { error: 'expected "setup": a set-up file' }),
    format: z.literal(1, { error: 'expected 1; this release reads no other form of the file' }),
    administrator: z.strictObject(
      { name: userName, password: passwordSource },
      { error: 'expected the first Administrator, such as { "name": "admin", "password": { "generate": PATH } }' },
    ),
    settings: settings.default({}),
    roles: listOf(role, 'roles', SETUP_ROLES_MAX),
    users: listOf(user, 'users', SETUP_USERS_MAX),
    plugins: listOf(plugin, 'plugins', PLUGINS_MAX),
    projects: listOf(project, 'projects', PROJECTS_MAX),
    keys: listOf(key, 'keys', KEYS_MAX),
  },
  { error: 'expected one JSON object' },
);
export type SetupFile = z.infer<typeof setupFile>;

/** Throws SetupError with the first invalid field. */
export function readSetupFile(bytes: Uint8Array): SetupFile {
  const result = setupFile.safeParse(json(bytes));
  if (result.success) return result.data;
  throw SetupError.ofFields(fieldErrors(result.error));
}

function json(bytes: Uint8Array): unknown {
  if (bytes.byteLength > SETUP_FILE_BYTES_MAX)
    throw new SetupError(`it is too large; expected at most ${SETUP_FILE_BYTES_MAX} bytes`);
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof RangeError) throw new SetupError(`it nests over ${JSON_DEPTH_MAX} levels deep`);
    throw new SetupError(`it is not JSON in UTF-8 (${error instanceof Error ? error.message : String(error)})`);
  }
}
