import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUp } from './admin-client.ts';
import { buildProject } from './build-project.ts';
import { curlLines, fillingLines, printedLines } from './curl-lines.ts';
import { readSample } from './sample.ts';

const LINE_7 = new URL('../../docs/samples/demo.json', import.meta.url);
const FILLING_LINE = new URL('../../docs/samples/filling-line.json', import.meta.url);
const NAME = 'demo';

/** A data folder that is gone with the demo. */
export function makeThrowAwayFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-demo-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Fills a fresh, running host and returns what the demo prints. */
export async function prepareDemo(host: {
  gatewayUrl: string;
  uiUrl: string;
  setupTokenFile: string | null;
}): Promise<string> {
  if (host.setupTokenFile === null) throw new Error('the demo needs a data folder of its own; this one is in use');
  const password = randomBytes(12).toString('base64url');
  const token = readFileSync(host.setupTokenFile, 'utf8').trim();
  const admin = await setUp(host.uiUrl, { token, name: NAME, password });
  const [full, bare] = await buildProject(admin, readSample(LINE_7));
  const [mes, display] = await buildProject(admin, readSample(FILLING_LINE));
  if (full === undefined || bare === undefined || mes === undefined || display === undefined)
    throw new Error('a sample has no two keys');
  return [
    '',
    'The sample project "Line 7" is running. Paste these lines into another terminal:',
    '',
    printedLines(curlLines(host.gatewayUrl, { full, bare })),
    'So does the sample project "Filling line": orders kept in a database, tags, history, variables, files and scripts.',
    '',
    printedLines(fillingLines(host.gatewayUrl, { mes, display })),
    `UI: log in at ${host.uiUrl} with name ${NAME} and password ${password}`,
    `Journal: each call above has its rows at ${host.uiUrl}/journal, where "Why was this refused?" explains a refusal.`,
    'Ctrl-C ends the demo and removes its data.',
    '',
  ].join('\n');
}
