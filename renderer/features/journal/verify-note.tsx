import { Button } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useJournalUsage, type useVerify, useVerified, type Verification } from '#api/journal-queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { clockTime, dayAndTime } from '#ui/format.ts';
import { Icon } from '#ui/icon.tsx';
import { Note } from '#ui/note.tsx';
import { useNow } from '#ui/now.ts';
import { bytesText } from '#ui/quantity.ts';

type Verify = ReturnType<typeof useVerify>;

/** Data of the previous verification, stored in this browser. */
const STORED = 'sluice.journal-verified';
const PROGRESS_AFTER_MS = 1_000;
const FINDINGS_MAX = 20;

interface Remembered {
  at: string;
  findings: number;
}

function remembered(): Remembered | null {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(STORED) ?? 'null');
    if (typeof read !== 'object' || read === null || !('at' in read) || !('findings' in read)) return null;
    const { at, findings } = read;
    return typeof at === 'string' && !Number.isNaN(Date.parse(at)) && typeof findings === 'number'
      ? { at, findings }
      : null;
  } catch {
    return null;
  }
}

/** For the next session in this browser: when it was asked, and how it came out. */
export function rememberVerification({ at, findings }: Verification): void {
  localStorage.setItem(STORED, JSON.stringify({ at, findings: findings.length } satisfies Remembered));
}

/** The page's answer: is the journal whole, as far as is known here? */
export function VerifyAnswer({ verify }: { verify: Verify }) {
  const { t, i18n } = useTranslation();
  const done = useVerified();
  const [before] = useState(remembered);
  const today = useNow().toDateString();
  if (verify.isPending) return t('journalPage.verify.running');
  const last = done === null ? before : { at: done.at, findings: done.findings.length };
  if (last === null) return t('journalPage.verify.never');
  const at = new Date(last.at);
  const isToday = at.toDateString() === today;
  const time = isToday ? clockTime(at) : dayAndTime(at, i18n.language);
  if (last.findings > 0) return <b>{t('journalPage.verify.bad', { time, count: last.findings })}</b>;
  return t(done === null ? 'journalPage.verify.goodBefore' : 'journalPage.verify.good', { time });
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

/** Rows after the last anchor of an unclean stop: genuine or forged, a user has to check. */
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
