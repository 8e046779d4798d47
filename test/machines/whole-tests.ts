import { enterRoot, type MachineRoot } from './machine-root.ts';
import { CHECKOUT, sentenceOf, type TestsResult } from './results.ts';
import { must, runProgram } from './run-program.ts';

/**
 * `npm ci && npm test`. Root gets Debian's packages for the tests from `npm test` itself. For a user, `npm run deps`
 * prints which are missing, and root installs exactly those.
 */
const TESTS_MS_MAX = 90 * 60_000;
const TO_INSTALL = /^Install them, .+: sudo (apt-get install .+)$/m;
const COUNTS = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm;
const SKIPPED = /^skipped: (.+)$/gm;

export async function tryTests(root: MachineRoot, filter: string, log: string): Promise<TestsResult> {
  const npmTest = `cd ${CHECKOUT} && npm test ${filter === '' ? '' : `-- ${filter}`}`;
  const installed = await runProgram(enterRoot(root, `cd ${CHECKOUT} && npm ci`), log);
  if (installed.code !== 0) return failed(installed.seconds, sentenceOf(installed.text));
  if (root.user !== 'root') await installWhatIsMissing(root, log);
  const { code, text, seconds } = await runProgram(enterRoot(root, npmTest), log, TESTS_MS_MAX);
  const [, passed, failures, skipped] = [...text.matchAll(COUNTS)].at(-1) ?? [];
  if (passed === undefined) return failed(seconds, sentenceOf(text));
  return {
    kind: 'tests',
    outcome: code === 0 ? 'passed' : 'failed',
    detail: `${passed} passed, ${failures} failed, ${skipped ?? 0} skipped`,
    minutes: (installed.seconds + seconds) / 60,
    skips: [...text.matchAll(SKIPPED)].map(([, name = '']) => name),
  };
}

async function installWhatIsMissing(root: MachineRoot, log: string): Promise<void> {
  const { text } = await runProgram(enterRoot(root, `cd ${CHECKOUT} && npm run deps`), log);
  const [, command] = TO_INSTALL.exec(text) ?? [];
  if (command === undefined) throw new Error(`npm run deps named no packages to install:\n${text.slice(-2000)}`);
  const asRoot = { ...root, user: 'root' as const };
  const install = command.replace('install', 'install -y -q --no-install-recommends');
  await must(enterRoot(asRoot, `apt-get update -q && ${install}`), log);
}

function failed(seconds: number, detail: string): TestsResult {
  return { kind: 'tests', outcome: 'failed', detail, minutes: seconds / 60, skips: [] };
}
