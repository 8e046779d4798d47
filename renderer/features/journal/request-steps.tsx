import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Refusal } from '#common/model/audit.ts';
import { Shape } from '#ui/shape.tsx';
import { wayOf, type StepState } from './refusal-words.ts';

const STEPS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const;
type Step = (typeof STEPS)[number];
export const isStep = (step: number): step is Step => STEPS.some((one) => one === step);

/** The steps of the request in one line: passed ones, the one that refused it, and those that it did not reach. */
export function RequestSteps({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation();
  const states = wayOf(refusal);
  const last = states.lastIndexOf('refused');
  const beyond = STEPS.filter((step) => step > last);
  return (
    <ol className="way">
      {STEPS.filter((step) => step <= last).map((step) => (
        <StepLine key={step} step={step} state={states[step] ?? 'skipped'} detail={detailOf(t, step, refusal)} />
      ))}
      {beyond.length > 0 && <Beyond steps={beyond} />}
    </ol>
  );
}

function StepLine({ step, state, detail }: { step: Step; state: StepState; detail: string }) {
  const { t } = useTranslation();
  const names = { passed: t('journal.passed'), refused: t('journal.stoppedHere'), skipped: t('journal.notReached') };
  const className = { passed: '', refused: 'here', skipped: 'skipped' }[state];
  return (
    <li className={className}>
      <Shape name={state} small label={names[state]} />
      <span className="way-number">{step}</span>
      <span className="way-name">{t(`journalPage.steps.s${step}`)}</span>
      <small className="grow">{state === 'skipped' ? names.skipped : detail}</small>
    </li>
  );
}

function Beyond({ steps }: { steps: readonly Step[] }) {
  const { t } = useTranslation();
  const [from, to] = [steps[0], steps.at(-1)];
  return (
    <li className="skipped">
      <Shape name="skipped" small />
      <span className="way-number">{from === to ? from : t('journalPage.span', { from, to })}</span>
      <span className="grow">
        {steps.map((step) => t(`journalPage.steps.s${step}`)).join(', ')}
        <small className="block">{t('journal.notReached')}</small>
      </span>
    </li>
  );
}

/** The details of a step: only data that was recorded when it was refused. */
function detailOf(t: TFunction, step: Step, refusal: Refusal): string {
  const { method, path, ip, keyId, keyName, cause, compared, route, project, pipeline } = refusal;
  const isHere = step === refusal.step;
  if (isHere)
    return step === 5 && compared['missing'] !== undefined ? missingText(t, compared['missing']) : (cause ?? '');
  if (cause === 'too_many_failed_keys' && step >= (keyId === undefined ? 4 : 5)) return t('journalPage.way.notValid');
  switch (step) {
    case 1:
      return route === undefined
        ? `${method ?? ''} ${path ?? ''}`.trim()
        : `${method ?? ''} ${route}, ${project}/${pipeline}`;
    case 2:
      return ip ?? '';
    case 4:
      return keyId === undefined ? t('journalPage.way.noKey') : `slc_${keyId}_…, ${keyName ?? ''}`;
    default:
      return '';
  }
}

const missingText = (t: TFunction, missing: Refusal['compared'][string]) =>
  t('journalPage.way.missing', { missing: String(missing) });
