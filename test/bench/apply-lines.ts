/**
 * `node test/bench/apply-lines.ts [--lines N] [--pipelines N]`: one folder applied by one command to many projects, with
 * a service token. Prints the seconds of the first apply and of a second one, which has nothing to change. Ends with 1
 * if the first apply takes SECONDS_MAX or longer, or if the second one changes anything.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SERVICE_ENTRY } from '#test/paths.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { startService } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';

const SECONDS_MAX = 20;
const HOUR_MS = 3_600_000;

const { values } = parseArgs({
  options: { lines: { type: 'string', default: '40' }, pipelines: { type: 'string', default: '30' } },
});
const [lines, pipelines] = [Number(values.lines), Number(values.pipelines)];
const folder = await tempDir('apply-lines-');
const service = await startService();
await service.setUp();
const { admin, ready } = service;
await admin.ok('POST', '/projects', { id: 'line-0', name: 'Line' });
for (let n = 0; n < pipelines; n++)
  await admin.ok('POST', '/projects/line-0/pipelines', {
    ...routePipeline({ id: `job-${n}`, path: `/job/${n}`, ...fixedReply('done') }),
  });
const { token } = await admin.ok<{ token: string }>('POST', '/tokens', {
  name: 'CI',
  permissions: ['view', 'edit_pipelines'],
  project: null,
  endsAt: new Date(Date.now() + HOUR_MS).toISOString(),
});
const tokenFile = join(folder.path, 'token');
writeFileSync(tokenFile, token, { mode: 0o600 });

function sluice(...args: string[]): { seconds: number; text: string } {
  const begun = performance.now();
  const given = [SERVICE_ENTRY, ...args, '--token-file', tokenFile, '--address', ready.ui];
  const { status, stdout, stderr } = spawnSync(process.execPath, given, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`sluice ${args[0]} ended with ${status}: ${stderr}`);
  return { seconds: (performance.now() - begun) / 1000, text: stdout };
}

const project = join(folder.path, 'line');
sluice('pull', project, '--project', 'line-0');
const wanted = Array.from({ length: lines }, (_, n) => ['--project', `line-${n + 1}`]).flat();
const first = sluice('apply', project, ...wanted);
const second = sluice('apply', project, ...wanted);
const count = (text: string, words: RegExp): number => text.match(words)?.length ?? 0;
const changed = count(first.text, /: [1-9]\d* changes applied/g);
const unchanged = count(second.text, /: 0 changes applied/g);
console.log(
  `${lines} projects of ${pipelines} pipelines: applied in ${first.seconds.toFixed(1)} s (${changed} changed)`,
);
console.log(`again: ${second.seconds.toFixed(1)} s, ${unchanged} of ${lines} with 0 changes`);
await service.stop();
await folder.remove();
process.exitCode = first.seconds < SECONDS_MAX && changed === lines && unchanged === lines ? 0 : 1;
