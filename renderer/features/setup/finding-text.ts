import type { TFunction } from 'i18next';
import type { SetupFinding } from '#common/model/setup-test.ts';
import type { ShapeName } from '#ui/shape.tsx';

/** The title of a result of the live test, and its style. */
export interface FindingText {
  title: string;
  help: string;
  shape: ShapeName;
  result: 'passed' | 'failed' | 'limited' | 'unknown';
}

const UNKNOWN_CODES: readonly string[] = ['unknown', 'no_answer', 'any'];

export function findingText(t: TFunction, finding: SetupFinding): FindingText {
  return { ...wordsOf(t, finding), ...looksOf(finding) };
}

/** The port cannot be used, so continuing would be refused. An address that seems wrong may be right elsewhere. */
export function blocks({ check, ok }: SetupFinding): boolean {
  return ok === false && check !== 'address';
}

function looksOf({ check, ok, code }: SetupFinding): Pick<FindingText, 'shape' | 'result'> {
  if (ok === true) return { shape: 'passed', result: 'passed' };
  if (ok === false) return { shape: check === 'address' ? 'warning' : 'error', result: 'failed' };
  return UNKNOWN_CODES.includes(code)
    ? { shape: 'unknown', result: 'unknown' }
    : { shape: 'advisory', result: 'limited' };
}

type Words = Pick<FindingText, 'title' | 'help'>;

function wordsOf(t: TFunction, finding: SetupFinding): Words {
  const { check, values } = finding;
  if (check === 'listening')
    return { title: t('setupPage.test.listening'), help: t('setupPage.test.listeningHelp', values) };
  if (check === 'firewall')
    return { title: t('setupPage.test.firewall'), help: t('setupPage.test.firewallHelp', values) };
  return check === 'address' ? addressWords(t, finding) : portWords(t, finding);
}

function addressWords(t: TFunction, { code, values }: SetupFinding): Words {
  const title = textAt(t, `address.${code}`, values);
  // No address is shown for the name of this PC if DNS does not know it.
  const bare = code === 'own_name' && values['address'] === undefined;
  return { title, help: textAt(t, bare ? 'address.own_nameHelpBare' : `address.${code}Help`, values) };
}

function portWords(t: TFunction, { code, values }: SetupFinding): Words {
  const title = textAt(t, `port.${code}`, values);
  if (code !== 'taken') return { title, help: textAt(t, `port.${code}Help`, values) };
  const known = typeof values['program'] === 'string';
  return { title, help: textAt(t, known ? 'port.takenBy' : 'port.takenByNobody', values) };
}

/** By a code of the server: each has its text, which the unit test checks. */
function textAt(t: TFunction, place: string, values: SetupFinding['values']): string {
  return t(`setupPage.test.${place}`, { ...values, defaultValue: place });
}
