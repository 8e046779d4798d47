import { type FieldError } from '#common/errors/catalogue.ts';
import { fieldErrors } from '#common/model/fields.ts';
import { PROJECT_FILE_BYTES_MAX, projectFile, type ProjectFile } from '#common/model/project-file.ts';
import { type Settings, WRITE_ONLY_SETTINGS } from '#common/model/settings.ts';
import type { Scope } from '#common/scopes.ts';
import { nameKey } from '#common/model/credentials.ts';
import { BUILT_IN_ROLES } from '../people/tables.ts';
import { packageArchiveAt } from '../third-party/pack-folder.ts';
import { readArchive } from '../third-party/read-package.ts';
import { SetupError } from './setup-error.ts';
import type { SetupFile } from './setup-file.ts';
import type { SetupFiles } from './setup-files.ts';

/**
 * The complete set-up, read and checked before the first step. After this, a step is refused only for reasons that only
 * the running Sluice knows.
 */
export interface SetupPlan {
  settings: Partial<Settings>;
  plugins: PlannedPlugin[];
  projects: PlannedProject[];
  keys: PlannedKey[];
  /** Sentences for the user; the set-up continues. */
  warnings: string[];
}

export interface PlannedPlugin {
  id: string;
  version: string;
  digest: string;
  archive: Uint8Array;
  confirm: string | null;
}

export interface PlannedProject {
  id: string;
  file: ProjectFile;
  /** IDs of pipelines, in the order in which they start. */
  start: string[];
}

export interface PlannedKey {
  project: string;
  name: string;
  scopes: Scope[];
  /** Absolute. */
  file: string;
}

/** Throws SetupError that names the field. */
export async function planSetup(setup: SetupFile, files: SetupFiles): Promise<SetupPlan> {
  refuseTwice(setup, files);
  refuseUnknownRoles(setup);
  const projects: PlannedProject[] = [];
  for (const [index, wanted] of setup.projects.entries()) {
    const place = `projects.${index}`;
    projects.push(planProject(wanted, await files.read(`${place}.file`, wanted.file, PROJECT_FILE_BYTES_MAX), place));
  }
  refuseRepeats(projects.map(({ id }, index) => [`projects.${index}.id`, id]));
  const plugins: PlannedPlugin[] = [];
  for (const [index, wanted] of setup.plugins.entries())
    plugins.push(await planPlugin(wanted, files, `plugins.${index}`));
  refuseRepeats(plugins.map(({ id }, index) => [`plugins.${index}.path`, id]));
  refuseRepeats(setup.keys.map(({ project, name }, index) => [`keys.${index}.name`, `${name} of ${project}`]));
  const keys = setup.keys.map((key, index) => planKey(key, index, projects, files));
  return { settings: setup.settings, plugins, projects, keys, warnings: warningsOf(setup, projects) };
}

function planProject(wanted: SetupFile['projects'][number], bytes: Uint8Array, place: string): PlannedProject {
  const result = projectFile.safeParse(parsed(bytes, `${place}.file`));
  if (!result.success)
    throw SetupError.ofFields(
      fieldErrors(result.error).map(({ path, message }) => ({ path: `${place}.file`, message: `${path}: ${message}` })),
    );
  const file = result.data;
  const ids = file.pipelines.map(({ id }) => id);
  const start = wanted.start === 'all' ? ids : wanted.start;
  const missing = start.findIndex((id) => !ids.includes(id));
  if (missing >= 0)
    throw SetupError.ofField(
      `${place}.start.${missing}`,
      `there is no pipeline "${start[missing]}" in the file; expected any of ${ids.slice(0, 20).join(', ')}`,
    );
  const { id = file.project.id, name = file.project.name } = wanted;
  return { id, file: { ...file, project: { id, name } }, start };
}

async function planPlugin(
  { path, digest, trust }: SetupFile['plugins'][number],
  files: SetupFiles,
  place: string,
): Promise<PlannedPlugin> {
  const archive = await named(`${place}.path`, () => packageArchiveAt(files.pathOf(path)));
  const { manifest, digest: found } = await named(`${place}.path`, () => readArchive(archive));
  if (found !== digest)
    throw SetupError.ofField(
      `${place}.digest`,
      `the plugin ${manifest.id} ${manifest.version} has the digest ${found}; review the plugin before you enter that digest here`,
    );
  if (trust !== undefined && trust !== manifest.id)
    throw SetupError.ofField(`${place}.trust`, `expected the id of the plugin, "${manifest.id}"`);
  if (manifest.trusted && trust === undefined)
    throw SetupError.ofField(`${place}.trust`, `expected "${manifest.id}": it asks to run outside the sandbox`);
  const confirm = trust === undefined ? null : `trust ${trust}`;
  return { id: manifest.id, version: manifest.version, digest, archive, confirm };
}

function planKey(
  { project, name, scopes, file }: SetupFile['keys'][number],
  index: number,
  projects: readonly PlannedProject[],
  files: SetupFiles,
): PlannedKey {
  if (!projects.some(({ id }) => id === project))
    throw SetupError.ofField(`keys.${index}.project`, `there is no project "${project}" among "projects"`);
  return { project, name, scopes, file: files.newFile(`keys.${index}.file`, file) };
}

/** Refuses a file that is written twice, two users with the same name, and standard input that is read twice. */
function refuseTwice({ administrator, users, roles, keys }: SetupFile, files: SetupFiles): void {
  const people = [administrator, ...users];
  const placeOf = (index: number): string => (index === 0 ? 'administrator' : `users.${index - 1}`);
  refuseRepeats(people.map(({ name }, index) => [`${placeOf(index)}.name`, nameKey(name)]));
  refuseRepeats(roles.map(({ name }, index) => [`roles.${index}.name`, nameKey(name)]));
  const written = [
    ...people.map(({ password }, index) => [`${placeOf(index)}.password.generate`, password.generate] as const),
    ...keys.map(({ file }, index) => [`keys.${index}.file`, file] as const),
  ].flatMap(([place, path]): Entry[] => (path === undefined ? [] : [[place, files.pathOf(path)]]));
  refuseRepeats(written);
  const typed = people.flatMap(({ password }, index) => (password.stdin ? [`${placeOf(index)}.password.stdin`] : []));
  const [first, second] = files.fromStdin ? ['', ...typed] : typed;
  if (second !== undefined)
    throw SetupError.ofField(
      second,
      first === ''
        ? 'standard input already contains the set-up file'
        : 'standard input is read once; expected one of these',
    );
}

type Entry = readonly [place: string, value: string];

function refuseRepeats(entries: readonly Entry[]): void {
  const seen = new Map<string, string>();
  for (const [place, value] of entries) {
    const before = seen.get(value);
    if (before !== undefined) throw SetupError.ofField(place, `"${value.slice(0, 200)}" is already used at ${before}`);
    seen.set(value, place);
  }
}

function refuseUnknownRoles({ users, roles }: SetupFile): void {
  const known = [...BUILT_IN_ROLES, ...roles].map(({ name }) => name);
  const keys = new Set(known.map(nameKey));
  const errors = users.flatMap((user, index) =>
    user.roles.flatMap((name, at): FieldError[] =>
      keys.has(nameKey(name))
        ? []
        : [
            {
              path: `users.${index}.roles.${at}`,
              message: `there is no role "${name}"; expected any of ${known.slice(0, 20).join(', ')}`,
            },
          ],
    ),
  );
  if (errors.length > 0) throw SetupError.ofFields(errors);
}

function warningsOf(setup: SetupFile, projects: readonly PlannedProject[]): string[] {
  const secrets = WRITE_ONLY_SETTINGS.filter((name) => typeof setup.settings[name] === 'string').map(
    (name) =>
      `settings.${name} is a secret in the set-up file: every PC that is set up with this file has the same one.`,
  );
  const blanks = projects.flatMap(({ id, file }) =>
    file.leftOut.length === 0
      ? []
      : [
          `The project ${id} had ${file.leftOut.length} secrets that its file does not have; enter them in the admin UI.`,
        ],
  );
  return [...secrets, ...blanks];
}

function parsed(bytes: Uint8Array, place: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw SetupError.ofField(place, 'expected a project file that Sluice exported, as JSON in UTF-8');
  }
}

async function named<T>(place: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    throw new SetupError(`${place}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
