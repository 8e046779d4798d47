import { Button } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  PROOF_PATH,
  useJournalUsage,
  useLastVerification,
  type useVerify,
  useVerified,
  type Verification,
} from '#api/journal-queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { clockTime, dayAndTime } from '#ui/format.ts';
import { Icon } from '#ui/icon.tsx';
import { Note } from '#ui/note.tsx';
import { useNow } from '#ui/now.ts';
import { bytesText } from '#ui/quantity.ts';
import { useDownload } from '#ui/use-download.ts';

type Verify = ReturnType<typeof useVerify>;

const PROGRESS_AFTER_MS = 1_000;
const FINDINGS_MAX = 20;

/** The summary of the page: is the journal intact, as far as is known? */
export function VerifyAnswer({ verify }: { verify: Verify }) {
  const { t, i18n } = useTranslation();
  const last = useLastVerification().data;
  const today = useNow().toDateString();
  if (verify.isPending) return t('journalPage.verify.running');
  if (last === undefined) return '';
  if (last === null) return t('journalPage.verify.never');
  const { by, findingCount } = last;
  const at = new Date(last.at);
  const time = at.toDateString() === today ? clockTime(at) : dayAndTime(at, i18n.language);
  if (!last.ok) return <b>{t('journalPage.verify.bad', { time, by, count: findingCount })}</b>;
  return t('journalPage.verify.good', { time, by });
}

/** Downloads the proof of the last verification. */
export function SaveProof() {
  const { t } = useTranslation();
  const download = useDownload();
  const { data: last } = useLastVerification();
  return (
    <Button
      leftSection={<Icon name="save" />}
      disabled={last === undefined || last === null}
      onClick={() => download(PROOF_PATH)}
    >
      {t('journalPage.verify.proof')}
    </Button>
  );
}

/** The result of the verification as text; its progress while it runs. */
export function VerifyNote({ verify }: { verify: Verify }) {
  const { t } = useTranslation();
  const done = useVerified();
  const [closed, setClosed] = useState('');
  if (verify.isPending) return <Progress key={verify.submittedAt} since={verify.submittedAt} />;
  if (verify.isError) return <ErrorNote error={verify.error} title={t('journalPage.verify.failed')} />;
  if (done === null || (done.ok && verify.data === undefined) || closed === done.at) return null;
  const close = (
    <Button variant="subtle" className="square" aria-label={t('common.close')} onClick={() => setClosed(done.at)}>
      <Icon name="close" />
    </Button>
  );
  return done.ok ? <Whole done={done} close={close} /> : <Findings done={done} />;
}

function Progress({ since }: { since: number }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const usage = useJournalUsage(true).data;
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), PROGRESS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!shown) return null;
  const seconds = Math.max(1, Math.round((now.getTime() - since) / 1000));
  const size = usage === undefined ? '…' : bytesText(usage.bytes, i18n.language);
  return (
    <Note>
      <output>{t('journalPage.verify.progress', { size })}</output>
      <p className="t2">{t('journalPage.verify.elapsed', { seconds })}</p>
    </Note>
  );
}

function Whole({ done, close }: { done: Verification; close: ReactNode }) {
  const { t, i18n } = useTranslation();
  const rows = done.chains.reduce((sum, chain) => sum + chain.rows, 0).toLocaleString(i18n.language);
  const stops = done.uncleanStops.length;
  return (
    <Note title={t('journalPage.verify.whole')} action={close}>
      <p className="t2">
        {t('journalPage.verify.wholeHelp', { rows })} {stops > 0 && t('journalPage.verify.unclean', { count: stops })}
      </p>
      {stops > 0 && <UncleanStops done={done} />}
      <Unproven done={done} />
    </Note>
  );
}

/** Rows after the last anchor of an unclean stop: whether they are genuine or forged, a user has to check. */
function Unproven({ done }: { done: Verification }) {
  const { t, i18n } = useTranslation();
  const count = done.unproven.reduce((sum, { rows }) => sum + rows, 0);
  if (count === 0) return null;
  const listed = done.unproven.flatMap(({ chain, listed: rows }) => rows.map((row) => ({ chain, ...row })));
  return (
    <>
      <p className="t2">{t('journalPage.verify.unproven', { count })}</p>
      <ul>
        {listed.slice(-FINDINGS_MAX).map(({ chain, batch, time, type, requestId, act }) => (
          <li key={`${chain} ${batch} ${time} ${requestId ?? act ?? type}`}>
            {[
              t(`journalPage.verify.chains.${chain}`),
              dayAndTime(new Date(time), i18n.language),
              requestId ?? act ?? type,
            ].join(', ')}
          </li>
        ))}
      </ul>
    </>
  );
}

function UncleanStops({ done }: { done: Verification }) {
  const { t, i18n } = useTranslation();
  return (
    <ul>
      {done.uncleanStops.slice(-FINDINGS_MAX).map(({ chain, from, to, bytesDropped }) => (
        <li key={`${chain} ${from}`}>
          {t('journalPage.verify.uncleanStop', {
            chain: t(`journalPage.verify.chains.${chain}`),
            from: dayAndTime(new Date(from), i18n.language),
            to: dayAndTime(new Date(to), i18n.language),
            size: bytesText(bytesDropped, i18n.language),
          })}
        </li>
      ))}
    </ul>
  );
}

function Findings({ done }: { done: Verification }) {
  const { t } = useTranslation();
  const { findings } = done;
  return (
    <Note kind="error" title={t('journalPage.verify.notWhole', { count: findings.length })}>
      <p className="t2">{t('journalPage.verify.notWholeHelp')}</p>
      <ul lang="en">
        {findings.slice(0, FINDINGS_MAX).map((finding) => (
          <li key={finding}>{finding}</li>
        ))}
      </ul>
      {findings.length > FINDINGS_MAX && (
        <p>{t('journalPage.verify.more', { count: findings.length - FINDINGS_MAX })}</p>
      )}
    </Note>
  );
}
