import { rm } from 'node:fs/promises';
import type { FirstUsers } from '../contracts.ts';
import type { AdminSession } from './admin-session.ts';
import { SetupError } from './setup-error.ts';
import { writeSecretFile } from './setup-files.ts';
import type { SetupPlan } from './setup-plan.ts';
import { addPlugin, changeSettings, type Done, importProject, makeKey, startPipeline } from './steps.ts';
import type { Passwords } from './passwords.ts';
import { removeUnfinished } from './unfinished.ts';
import type { SetupFile } from './setup-file.ts';

/**
 * Performs a plan. The users are created last, in one transaction of the vault, which completes the set-up. If a step
 * before that is refused, all earlier steps are undone in reverse order. Leftovers of a killed process are removed by
 * the next one, before it begins; files with keys and passwords are kept, and the next run names them.
 */
interface Performing {
  admin: AdminSession;
  /** Creates the users. Throws if they were not created. */
  finish(users: FirstUsers): Promise<void>;
  /** Called after each step. */
  tell(sentence: string): void;
}

export async function performSetup(
  { admin, finish, tell }: Performing,
  setup: SetupFile,
  plan: SetupPlan,
  passwords: Passwords,
): Promise<void> {
  const done: Done[] = [];
  const step = async (act: Promise<Done>): Promise<void> => {
    const result = await act;
    done.push(result);
    tell(result.sentence);
  };
  try {
    await removeUnfinished(admin, plan, tell);
    if (Object.keys(plan.settings).length > 0) await step(changeSettings(admin, plan.settings));
    for (const plugin of plan.plugins) await step(addPlugin(admin, plugin));
    for (const project of plan.projects) await step(importProject(admin, project));
    for (const { id, start } of plan.projects)
      for (const pipeline of start) await step(startPipeline(admin, id, pipeline));
    for (const { value, writeTo } of [passwords.administrator, ...passwords.users])
      if (writeTo !== null) await step(writePassword(writeTo, value));
    // Keys come last, because undoing one revokes it, and a revoked key keeps its name.
    for (const key of plan.keys) await step(makeKey(admin, key, removeFile));
    await finish(usersOf(setup, passwords));
    tell(sentenceOfUsers(setup));
  } catch (error) {
    await takeBack(done, error);
  }
}

const removeFile = (file: string): Promise<void> => rm(file, { force: true });

async function writePassword(file: string, value: string): Promise<Done> {
  await writeSecretFile(file, value);
  return { sentence: `Wrote a new password to ${file}.`, undo: () => removeFile(file) };
}

function usersOf({ administrator, roles, users }: SetupFile, passwords: Passwords): FirstUsers {
  return {
    administrator: { name: administrator.name, password: passwords.administrator.value },
    roles: roles.map(({ name, permissions }) => ({ name, permissions })),
    users: users.map(({ name, roles: held }, index) => ({
      name,
      roles: held,
      password: passwords.users[index]?.value ?? '',
    })),
  };
}

function sentenceOfUsers({ administrator, users, roles }: SetupFile): string {
  const others = users.length === 0 ? '' : ` and the users ${users.map(({ name }) => name).join(', ')}`;
  const made = roles.length === 0 ? '' : `, with the roles ${roles.map(({ name }) => name).join(', ')}`;
  return `Added the Administrator ${administrator.name}${others}${made}.`;
}

/** Undoes the steps, then throws the error, with the outcome of the undo. */
async function takeBack(done: readonly Done[], error: unknown): Promise<never> {
  const left: string[] = [];
  for (const { sentence, undo } of done.toReversed())
    await undo().catch((cause: unknown) => left.push(`${sentence} (${messageOf(cause)})`));
  const rest = left.length === 0 ? 'Nothing was kept.' : `Could not be undone: ${left.join(' ')}`;
  throw new SetupError(`${messageOf(error).replace(/\.?$/, '.')} ${rest}`, { cause: error });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
