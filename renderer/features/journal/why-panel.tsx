import { Button } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { isErrorCode } from '#common/errors/catalogue.ts';
import { explanationOf, valuesOf } from '#common/errors/explanation.ts';
import type { Explanation } from '#common/errors/refusals.ts';
import { requestFaultOf } from '#common/errors/request-faults.ts';
import type { Refusal } from '#common/model/audit.ts';
import { useRepeats } from '#api/journal-queries.ts';
import { isApiError } from '#api/problem.ts';
import { useRefusal } from '#api/queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { Chip } from '#ui/chip.tsx';
import { clockTime, shortDate } from '#ui/format.ts';
import { Icon } from '#ui/icon.tsx';
import { Loading } from '#ui/loading.tsx';
import { Note } from '#ui/note.tsx';
import { useNow } from '#ui/now.ts';
import { Ago } from '#ui/time.tsx';
import { Coded } from './coded.tsx';
import { Compared } from './compared.tsx';
import { Fixes } from './fixes.tsx';
import { isStep, RequestSteps } from './request-steps.tsx';

/**
 * Why a call was refused: the reason in plain text, the compared values, the remedies, and the steps of the request.
 */
export function WhyPanel({ requestId, onClose }: { requestId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal(requestId);
  return (
    <section className="panel why" aria-label={t('journal.why')}>
      <header>
        <h2>{t('journal.why')}</h2>
        <span className="mono t2 cut">{requestId}</span>
        <Button variant="subtle" className="square" aria-label={t('common.close')} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </header>
      {/* A scrollable element must be reachable with the arrow keys, even if nothing in it can be pressed. */}
      <div className="scroll body stack" {...FOCUSABLE}>
        <Loading of={refusal} />
        {refusal.isError &&
          (isApiError(refusal.error, 'unknown') ? (
            <Note>{t('journal.refusalUnknown')}</Note>
          ) : (
            <ErrorNote error={refusal.error} />
          ))}
        {refusal.data && <Explained refusal={refusal.data} />}
      </div>
    </section>
  );
}

const FOCUSABLE = { tabIndex: 0 };

function Explained({ refusal }: { refusal: Refusal }) {
  const { t, i18n } = useTranslation();
  const explanation = explanationOf(refusal);
  const values = wordedValues(t, i18n.language, refusal);
  return (
    <>
      {explanation === null ? <Unknown refusal={refusal} /> : <Sentence explanation={explanation} values={values} />}
      <Compared values={refusal.compared} />
      <section>
        <h3>{t('journal.remedy')}</h3>
        {explanation === null ? (
          <p lang="en">{refusal.mend}</p>
        ) : (
          <Fixes refusal={refusal} explanation={explanation} values={values} />
        )}
      </section>
      <section>
        <div className="row">
          <h3 className="grow">{t('journal.way')}</h3>
          <RepeatsChip refusal={refusal} />
        </div>
        <RequestSteps refusal={refusal} />
      </section>
      <RefusedAt refusal={refusal} />
    </>
  );
}

function Sentence({ explanation, values }: { explanation: Explanation; values: Record<string, string> }) {
  const { t } = useTranslation();
  return (
    <p className="say">
      <b>
        <Coded text={t(`errors.refusals.${explanation}.lead`, { ...values, defaultValue: explanation })} />
      </b>{' '}
      <Coded text={t(`errors.refusals.${explanation}.rest`, { ...values, defaultValue: '' })} />
    </p>
  );
}

/** A code of a later version: its title, and the advice in the words of the gateway. */
function Unknown({ refusal: { code } }: { refusal: Refusal }) {
  const { t } = useTranslation();
  const title = isErrorCode(code) ? t(`errors.codes.${code}`) : code;
  return (
    <p className="say">
      <b>{title}.</b>
    </p>
  );
}

function RefusedAt({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation();
  const { step, status, code, cause, time } = refusal;
  const name = isStep(step) ? t(`journalPage.steps.s${step}`) : '';
  return (
    <p className="t2">
      {t('journalPage.refusedAt', { step, name, status, code })}{' '}
      {cause !== undefined && cause !== code && t('journal.trueCause', { cause })}{' '}
      {time !== undefined && (
        <span className="nowrap">
          <Ago iso={time} />
        </span>
      )}
    </p>
  );
}

/** The values for the sentences; a fault of the request in the language of the UI. */
function wordedValues(t: TFunction, locale: string, refusal: Refusal): Record<string, string> {
  const words = {
    someone: t('errors.words.someone'),
    otherMethod: t('errors.words.otherMethod'),
    nothing: t('errors.words.nothing'),
    // Filled in later.
    and: t('errors.words.and', { skipInterpolation: true }),
  };
  return { ...valuesOf(refusal, words, locale), ...(refusal.compared['cause'] === undefined && faultOf(t, refusal)) };
}

function faultOf(t: TFunction, { cause = '' }: Refusal): { cause: string } {
  const fault = requestFaultOf(cause);
  return { cause: fault === null ? cause : t(`errors.requestFaults.${fault}`) };
}

function RepeatsChip({ refusal }: { refusal: Refusal }) {
  const { t, i18n } = useTranslation();
  const repeats = useRepeats(refusal).data;
  const today = useNow().toDateString();
  if (!repeats || repeats.count < 2) return null;
  const { count } = repeats;
  const shown = count.toLocaleString(i18n.language);
  const since = new Date(repeats.since);
  const isToday = since.toDateString() === today;
  const time = `${isToday ? '' : `${shortDate(since, i18n.language)} `}${clockTime(since).slice(0, 5)}`;
  return (
    <Chip shape="warning">
      {repeats.more ? t('journalPage.repeatsMore', { shown, time }) : t('journalPage.repeats', { count, shown, time })}
    </Chip>
  );
}
