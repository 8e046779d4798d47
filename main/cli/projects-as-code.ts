import { resolve } from 'node:path';
import type { PlannedChange } from '#common/contract/project-apply.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { projectFile, type SecretPlaceInFile } from '#common/model/project-file.ts';
import { FOLDER_MARK, folderOf, readFolder } from '#common/model/project-folder.ts';
import { fillLine } from '#common/model/project-lines.ts';
import { adminAddress, type AdminSession, ApiRefusal, logIn, withToken } from './admin-session.ts';
import type { Arguments } from './arguments.ts';
import type { Command, Context } from './command.ts';
import { isEmptyFolder, LINES_FILE, readFolderFiles, writeFolderFiles } from './folder-files.ts';
import { readLineTable } from './line-table.ts';
import { PlainError, UsageError } from './plain-error.ts';
import { readSecret } from './read-secret.ts';
import { serviceToken, TOKEN_FLAG, TOKEN_VARIABLE } from './service-token.ts';

/** Projects as code (docs/spec/operation.md#projects-as-code): a project as a folder of files, planned and applied. */
const ADDRESS = 'http://127.0.0.1:8091';
export const CHANGES_FOUND = 2;

const FLAGS = {
  user: { value: 'NAME', help: 'the user; the password is typed, or read from standard input' },
  ...TOKEN_FLAG,
  address: { value: 'URL', help: `address of the admin UI, on this machine (${ADDRESS})` },
} as const satisfies Command['flags'];
const PROJECTS = {
  value: 'ID',
  help: `a project, instead of the one in the folder or all projects in ${LINES_FILE}; may be repeated`,
  many: true,
} as const;

export const pull: Command = {
  name: 'pull',
  summary: 'writes a project into a folder of small files, for version control',
  flags: { ...FLAGS, project: { value: 'ID', help: 'the project (the one in the folder)' } },
  positionals: ['FOLDER'],
  run: async (args, context) => {
    const folder = folderIn(args);
    const before = await readFolderFiles(folder);
    if (before.has(LINES_FILE))
      throw new PlainError(
        `${folder} has the file ${LINES_FILE}: a pull would replace its placeholders with the values of one line; expected another folder`,
      );
    const inFolder = before.has(FOLDER_MARK) ? projectIn(before.get(FOLDER_MARK)) : null;
    if (inFolder === null && !(await isEmptyFolder(folder)))
      throw new PlainError(
        `${folder} is not empty and has no ${FOLDER_MARK}; expected a new folder or one of a project`,
      );
    const project = args.flags.get('project') ?? inFolder;
    if (project === null) throw new UsageError('"sluice pull" into a new folder needs --project ID');
    if (inFolder !== null && inFolder !== project)
      throw new PlainError(`${folder} has the project ${inFolder}; expected another folder for ${project}`);
    const exported = await withSession(args, context, (session) =>
      session.file('GET /projects/:project/export', { path: { project } }),
    );
    const file = projectFile.safeParse(exported);
    if (!file.success) throw new PlainError('the exported project cannot be read; expected Sluice of the same version');
    const { written, deleted, unchanged } = await writeFolderFiles(folder, before, folderOf(file.data));
    context.print(`${folder}: ${written} files written, ${deleted} deleted, ${unchanged} unchanged.`);
    return 0;
  },
};

export const plan: Command = {
  name: 'plan',
  summary: 'lists in sentences what an apply of a folder would change; changes nothing',
  flags: { ...FLAGS, project: PROJECTS, check: { help: `exit code ${CHANGES_FOUND} if there are changes` } },
  positionals: ['FOLDER'],
  run: async (args, context) => {
    const targets = await targetsOf(args);
    const changes = await withSession(args, context, async (session) => {
      let count = 0;
      for (const target of targets) count += (await planned(session, target, context.print)).changes.length;
      return count;
    });
    return changes > 0 && args.flags.has('check') ? CHANGES_FOUND : 0;
  },
};

export const apply: Command = {
  name: 'apply',
  summary: 'makes a project equal to a folder, all of it or nothing; shows the plan first',
  flags: {
    ...FLAGS,
    project: PROJECTS,
    digest: { value: 'DIGEST', help: 'only if the plan is the one with this digest' },
  },
  positionals: ['FOLDER'],
  run: async (args, context) => {
    const targets = await targetsOf(args);
    const wanted = args.flags.get('digest');
    if (wanted !== undefined && targets.length > 1) throw new UsageError('--digest needs a single --project');
    await withSession(args, context, async (session) => {
      const plans: { target: Target; digest: string }[] = [];
      for (const target of targets) {
        const { project } = target;
        const { digest, refused } = await planned(session, target, context.print);
        if (wanted !== undefined && wanted !== digest)
          throw new PlainError(`the plan of ${project} is another one now; nothing was changed`);
        if (refused.length > 0 && targets.length > 1)
          throw new PlainError(`the plan of ${project} is refused; nothing was changed in any project`);
        plans.push({ target, digest });
      }
      for (const { target, digest } of plans) {
        const { project, folder } = target;
        const body = { file: folder.file, digest };
        const { changes, toFillIn } = await named(folder, () =>
          session.call('POST /projects/:project/apply', { path: { project }, body }),
        );
        context.print(`${project}: ${changes.length} ${changes.length === 1 ? 'change' : 'changes'} applied.`);
        for (const line of openSecrets(toFillIn)) context.print(line);
      }
    });
    return 0;
  },
};

type Folder = ReturnType<typeof readFolder>;

function folderIn({ positionals }: Arguments): string {
  return resolve(positionals[0] ?? '');
}

/** A project that a command is for, and the folder with the values of its line. */
interface Target {
  project: string;
  folder: Folder;
}

/** All are read, and their values filled in, before the first call. */
async function targetsOf(args: Arguments): Promise<Target[]> {
  const path = folderIn(args);
  const files = await readFolderFiles(path);
  if (!files.has(FOLDER_MARK)) throw new PlainError(`there is no ${FOLDER_MARK} in ${path}; "sluice pull" writes one`);
  const table = files.get(LINES_FILE);
  const chosen = args.lists.get('project');
  if (table === undefined) {
    const folder = readFolder(files);
    return [...new Set(chosen ?? [folder.file.project.id])].map((project) => ({ project, folder }));
  }
  const lines = await readLineTable(table);
  return [...new Set(chosen ?? lines.keys())].map((project) => {
    const values = lines.get(project);
    if (values === undefined) throw new PlainError(`${LINES_FILE} has no row for the project ${project}`);
    return { project, folder: ofLine(project, () => readFolder(fillLine(files, values))) };
  });
}

/** An error of the files of one line names the line. */
function ofLine<T>(project: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    throw new SluiceError(error.code, `With the values of ${project}:\n${error.message}`, { cause: error });
  }
}

/** The id in the mark of a folder that may be faulty otherwise: `pull` replaces its files. */
function projectIn(mark = ''): string {
  try {
    const { project } = JSON.parse(mark) as { project?: { id?: unknown } };
    if (typeof project?.id === 'string') return project.id;
  } catch {
    // The same sentence.
  }
  throw new PlainError(`${FOLDER_MARK} names no project; expected one that "sluice pull" has written`);
}

async function withSession<T>(
  args: Arguments,
  { environment }: Context,
  work: (session: AdminSession) => Promise<T>,
): Promise<T> {
  const address = adminAddress(args.flags.get('address') ?? ADDRESS);
  const token = await serviceToken(args, environment);
  const session = token === null ? await logInAs(address, args.flags.get('user')) : withToken(address, token);
  try {
    return await work(session);
  } finally {
    // It ends by itself if this fails.
    await session.end().catch(() => {});
  }
}

async function logInAs(address: string, user: string | undefined): Promise<AdminSession> {
  if (user !== undefined) return logIn(address, user, await readSecret('Password'));
  throw new UsageError(
    `--user NAME is missing; expected the user whose rights are used, or a service token in --token-file or ${TOKEN_VARIABLE}`,
  );
}

async function planned(session: AdminSession, { project, folder }: Target, print: Context['print']) {
  const found = await named(folder, () =>
    session.call('POST /projects/:project/plan', { path: { project }, body: { file: folder.file } }),
  );
  for (const { action, text } of found.changes) print(`${SIGNS[action]} ${text}`);
  for (const { text } of found.refused) print(`! ${text}`);
  for (const line of openSecrets(found.toFillIn)) print(line);
  print(`${project}: ${found.changes.length} changes planned, digest ${found.digest}`);
  return found;
}

const SIGNS = { create: '+', change: '~', delete: '-' } as const satisfies Record<PlannedChange['action'], string>;

function openSecrets(places: readonly SecretPlaceInFile[]): string[] {
  return places.map((place) =>
    'connection' in place
      ? `  Without a value: ${place.field} of the connection "${place.connection}"; enter it in the admin UI.`
      : `  Without a value: ${place.field} of node "${place.node}" in the pipeline "${place.pipeline}"; enter it in the admin UI.`,
  );
}

/** A refusal that names fields of the project file, with the files of the folder instead. */
async function named<T>({ placeOf }: Folder, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.errors.length === 0) throw error;
    const lines = error.errors.map(({ path, message }) =>
      path.startsWith('file.') ? `${placeOf(path.slice('file.'.length))}: ${message}` : `${path}: ${message}`,
    );
    throw new SluiceError('invalid', lines.join('\n'));
  }
}
