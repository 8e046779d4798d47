import { Button } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { CATALOGUE } from '#common/errors/catalogue.ts';
import type { Refusal } from '#common/model/audit.ts';
import { useRepeats } from '#api/journal-queries.ts';
import { isApiError } from '#api/problem.ts';
import { useRefusal } from '#api/queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { Chip } from '#ui/chip.tsx';
import { clockTime, shortDate } from '#ui/format.ts';
import { Icon } from '#ui/icon.tsx';
import { Note } from '#ui/note.tsx';
import { useNow } from '#ui/now.ts';
import { Ago } from '#ui/time.tsx';
import { Coded } from './coded.tsx';
import { Compared } from './compared.tsx';
import { Fixes } from './fixes.tsx';
import { listOf, saidOf, type Said } from './refusal-words.ts';
import { isStep, RequestSteps } from './request-steps.tsx';

/** Why a call was refused: in plain words, the values compared, what would let it pass, and its way. */
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
      {/* What scrolls has to be in reach of the arrow keys, also where nothing in it can be pressed. */}
      <div className="scroll body stack" {...FOCUSABLE}>
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

const FOCUSABLE = { tabIndex: 0 };

function Explanation({ refusal }: { refusal: Refusal }) {
  const { t, i18n } = useTranslation();
  const said = saidOf(refusal);
  const values = valuesOf(t, i18n.language, refusal);
  return (
    <>
      {said === null ? <Unknown refusal={refusal} /> : <Sentence said={said} values={values} />}
      <Compared values={refusal.compared} />
      <section>
        <h3>{t('journal.mend')}</h3>
        {said === null ? <p lang="en">{refusal.mend}</p> : <Fixes refusal={refusal} said={said} values={values} />}
      </section>
      <section>
        <div className="row">
          <h3 className="grow">{t('journal.way')}</h3>
          <RepeatsChip refusal={refusal} />
        </div>
        <RequestSteps refusal={refusal} />
      </section>
      <Told refusal={refusal} />
    </>
  );
}

function Sentence({ said, values }: { said: Said; values: Record<string, string> }) {
  const { t } = useTranslation();
  return (
    <p className="say">
      <b>
        <Coded text={t(`journalPage.said.${said}.lead`, { ...values, defaultValue: said })} />
      </b>{' '}
      <Coded text={t(`journalPage.said.${said}.rest`, { ...values, defaultValue: '' })} />
    </p>
  );
}

/** A code of a later version: its title, and the advice as the gateway words it. */
function Unknown({ refusal: { code } }: { refusal: Refusal }) {
  const title = Object.entries(CATALOGUE).find(([name]) => name === code)?.[1].title ?? code;
  return (
    <p className="say">
      <b>{title}.</b>
    </p>
  );
}

function Told({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation();
  const { step, status, code, cause, time } = refusal;
  const name = isStep(step) ? t(`journalPage.steps.s${step}`) : '';
  return (
    <p className="t2">
      {t('journalPage.told', { step, name, status, code })}{' '}
      {cause !== undefined && cause !== code && t('journal.trueCause', { cause })}{' '}
      {time !== undefined && (
        <span className="nowrap">
          <Ago iso={time} />
        </span>
      )}
    </p>
  );
}

/** What the sentences name: numbers grouped, scopes as code. */
function valuesOf(t: TFunction, locale: string, refusal: Refusal): Record<string, string> {
  const { compared, keyName, ip, method = '', path = '', route = '', cause = '' } = refusal;
  const values = Object.fromEntries(
    Object.entries(compared).map(([name, value]) => [
      name,
      typeof value === 'number' ? value.toLocaleString(locale) : String(value ?? ''),
    ]),
  );
  const scopes = Object.fromEntries(
    ['required', 'held', 'missing'].map((name) => [name, scopesText(t, listOf(compared[name]))]),
  );
  const timeout = Number(compared['timeoutMs'] ?? 0) / 1000;
  return {
    ip: ip ?? '',
    method,
    path,
    route,
    cause,
    keyId: refusal.keyId ?? '',
    accepted: t('journalPage.otherMethod'),
    ...values,
    ...scopes,
    who: keyName ?? ip ?? t('journalPage.someone'),
    call: `${method} ${path || route}`.trim(),
    timeoutS: timeout.toLocaleString(locale),
  };
}

function scopesText(t: TFunction, scopes: readonly string[]): string {
  const coded = scopes.map((scope) => `\`${scope}\``);
  const last = coded.pop();
  if (last === undefined) return t('journalPage.nothing');
  return coded.length === 0 ? last : t('journalPage.and', { list: coded.join(', '), last });
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
