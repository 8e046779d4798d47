import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CATALOGUE } from '#common/errors/catalogue.ts';
import type { Refusal } from '#common/model/audit.ts';
import { useRefusal } from '#api/queries.ts';
import { isApiError } from '#api/problem.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { Icon } from '#ui/icon.tsx';
import { Note } from '#ui/note.tsx';
import { Shape, type ShapeName } from '#ui/shape.tsx';
import { Ago } from '#ui/time.tsx';

/** Why a call was refused: the step, the values compared, and what would let it pass. */
export function WhyPanel({ requestId, onClose }: { requestId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal(requestId);
  return (
    <section className="panel why" aria-label={t('journal.why')}>
      <header>
        <h2>{t('journal.why')}</h2>
        <Button variant="subtle" className="square" aria-label={t('common.close')} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </header>
      <div className="scroll body stack">
        <p className="mono t2 break">{requestId}</p>
        {refusal.isPending && <p className="t2">{t('common.loading')}</p>}
        {refusal.isError &&
          (isApiError(refusal.error, 'unknown') ? (
            <Note>{t('journal.refusalUnknown')}</Note>
          ) : (
            <ErrorNote error={refusal.error} />
          ))}
        {refusal.data && <Explanation refusal={refusal.data} />}
      </div>
    </section>
  );
}

const STEPS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const;
type Step = (typeof STEPS)[number];

const titleOf = (code: string) => Object.entries(CATALOGUE).find(([name]) => name === code)?.[1].title ?? code;

function Explanation({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation();
  const step = STEPS.find((one) => one === refusal.step) ?? 0;
  return (
    <>
      <p className="say">
        <b>{t(`codes.${refusal.code}`, { defaultValue: titleOf(refusal.code) })}.</b>{' '}
        {t('journal.refusedAt', { step, name: t(`journal.steps.s${step}`) })}
      </p>
      <p className="t2">
        {refusal.status !== undefined && t('journal.told', { status: refusal.status, code: refusal.code })}{' '}
        {refusal.cause !== undefined &&
          refusal.cause !== refusal.code &&
          t('journal.trueCause', { cause: refusal.cause })}{' '}
        {refusal.time !== undefined && <Ago iso={refusal.time} />}
      </p>
      <Compared values={refusal.compared} />
      <section>
        <h3>{t('journal.mend')}</h3>
        <p>{refusal.mend}</p>
      </section>
      <section>
        <h3>{t('journal.way')}</h3>
        <Way step={step} />
      </section>
    </>
  );
}

function Compared({ values }: { values: Refusal['compared'] }) {
  const { t } = useTranslation();
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return (
    <section className="stack tight">
      <h3>{t('journal.compared')}</h3>
      <dl className="facts compared">
        {entries.map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{t(`compared.${name}`, { defaultValue: name })}</dt>
            <dd className="mono">{value === null || value === '' ? '–' : String(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Way({ step }: { step: Step }) {
  const { t } = useTranslation();
  return (
    <ol className="way">
      {STEPS.map((one) => (
        <li key={one} className={one === step ? 'here' : one > step ? 'skipped' : ''}>
          <Shape
            name={shapeOf(one, step)}
            small
            label={one === step ? t('journal.stoppedHere') : one < step ? t('journal.passed') : t('journal.notReached')}
          />
          <span className="way-number">{one}</span>
          <span>{t(`journal.steps.s${one}`)}</span>
        </li>
      ))}
    </ol>
  );
}

function shapeOf(one: Step, refused: Step): ShapeName {
  if (one === refused) return 'refused';
  return one < refused ? 'passed' : 'skipped';
}
