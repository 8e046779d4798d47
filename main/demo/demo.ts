import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setUp } from './admin-client.ts';
import { buildProject, type DemoParts } from './build-project.ts';
import { curlLines, fillingLines, printedLines } from './curl-lines.ts';
import { FILLING_LINE, LINE_7, readProjectFile } from '../projects/sample-files.ts';

const NAME = 'demo';

const LINE_7_PARTS = {
  keys: [
    { name: 'MES line 7', scopes: ['db:read', 'db:write', 'tag:write'] },
    { name: 'Shop-floor display', scopes: [] },
  ],
  stopped: ['archive'],
} as const satisfies Omit<DemoParts, 'file'>;

const FILLING_LINE_PARTS = {
  keys: [
    { name: 'MES filling line', scopes: ['db:read', 'db:write', 'tag:write', 'vars:write', 'script:execute'] },
    { name: 'Line display', scopes: ['tag:read', 'db:read', 'hist:read', 'vars:read', 'file:read'] },
    {
      name: 'MES on trial',
      scopes: ['db:read', 'tag:write', 'script:execute'],
      limits: { rehearsal: true },
    },
    { name: 'Filler panel', scopes: ['tag:read', 'vars:read'], limits: { 'tag:read': ['line1/filler/*'] } },
  ],
} as const satisfies Omit<DemoParts, 'file'>;

/** Fills a new, running host with that data folder and returns the output of the demo. */
export async function prepareDemo(
  host: { gatewayUrl: string; uiUrl: string; setupTokenFile: string | null },
  dataDir: string,
): Promise<string> {
  if (host.setupTokenFile === null) throw new Error('the demo needs a data folder of its own; this one is in use');
  const password = randomBytes(12).toString('base64url');
  const token = readFileSync(host.setupTokenFile, 'utf8').trim();
  const admin = await setUp(host.uiUrl, { token, name: NAME, password });
  const [full, bare] = await buildProject(admin, { file: await readProjectFile(LINE_7), ...LINE_7_PARTS });
  const fillingLine = { file: await readProjectFile(FILLING_LINE), ...FILLING_LINE_PARTS };
  const [mes, display, trial, panel] = await buildProject(admin, fillingLine);
  if (!full || !bare || !mes || !display || !trial || !panel) throw new Error('a demo project lacks a key');
  return [
    '',
    'The sample project "Line 7" is running. Paste these lines into another terminal:',
    '',
    printedLines(curlLines(host.gatewayUrl, { full, bare })),
    'So does the sample project "Filling line": orders kept in a database, tags, history, variables, files and scripts.',
    '',
    printedLines(fillingLines(host.gatewayUrl, { mes, display, panel, trial })),
    `UI: log in at ${host.uiUrl} with name ${NAME} and password ${password}`,
    `Journal: each call above has its rows at ${host.uiUrl}/journal, where "Why was this refused?" explains a refusal.`,
    `Data folder: ${dataDir}; give it to other commands, such as: npm run sluice -- plugin list --data ${dataDir}`,
    'Ctrl-C ends the demo and removes its data.',
    '',
  ].join('\n');
}
