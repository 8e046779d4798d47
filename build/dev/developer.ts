import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ready } from './host-process.ts';

/** The Administrator that `npm run dev` creates in its own data folder. */
export interface Developer {
  readonly name: string;
  readonly password: string;
}

export interface DevSession {
  /** `name=value` of the session cookie, and the complete header that sets it. */
  readonly cookie: string;
  readonly setCookie: string;
  readonly csrfToken: string;
}

/** Reads the log-in of `folder`, or creates one with a random password that only this user can read. */
export async function readDeveloper(folder: string): Promise<Developer> {
  const file = join(folder, 'developer.json');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made: Developer = { name: 'developer', password: randomBytes(15).toString('base64url') };
  try {
    await writeFile(file, `${JSON.stringify(made)}\n`, { flag: 'wx', mode: 0o600 });
    return made;
  } catch {
    return JSON.parse(await readFile(file, 'utf8')) as Developer;
  }
}

/** Makes the development user the first Administrator, if Sluice is not set up yet. */
export async function setUpDeveloper({ ui, setupTokenFile }: Ready, developer: Developer): Promise<void> {
  if (setupTokenFile === undefined) return;
  const token = (await readFile(setupTokenFile, 'utf8')).trim();
  await post(`${ui}/api/v1/setup`, { token, ...developer });
}

/** A new session of the development user. Throws the host's refusal. */
export async function logIn(ui: string, { name, password }: Developer): Promise<DevSession> {
  const response = await post(`${ui}/api/v1/session`, { name, password });
  const { csrfToken } = (await response.json()) as { csrfToken: string };
  const [setCookie = ''] = response.headers.getSetCookie();
  return { cookie: setCookie.split(';', 1)[0] ?? '', setCookie, csrfToken };
}

async function post(url: string, body: object): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response;
}
