import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { AuditRow } from '#common/model/audit.ts';
import { isErrorCode } from '#common/errors/catalogue.ts';
import { useRuns } from '#api/pipeline-queries.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Fact } from '#ui/fact.tsx';
import { dayAndTime, utcTime } from '#ui/format.ts';
import { CloseButton } from '#ui/icon-button.tsx';
import { bytesText } from '#ui/quantity.ts';
import { actText, decisionOf, isRefusal } from './row-text.ts';
import { NO_FILTERS, type JournalAddress } from './use-journal-address.ts';

interface Props {
  row: AuditRow;
  change: JournalAddress['change'];
  onClose: () => void;
}

/** All data of one row, with links. */
export function RowPanel({ row, change, onClose }: Props) {
  const { t } = useTranslation();
  const { requestId, act } = row;
  return (
    <section className="panel details" aria-label={t('journalPage.row.title')}>
      <header>
        <h2>{t('journalPage.row.title')}</h2>
        <CloseButton onClick={onClose} />
      </header>
      <div className="scroll body stack" {...FOCUSABLE}>
        <p className="say">
          <b>{decisionOf(t, row)}</b>
        </p>
        <div className="row wrap">
          {isRefusal(row) && requestId !== undefined && (
            <Button onClick={() => change({ why: requestId })}>{t('journal.whyShort')}</Button>
          )}
          <OtherCalls row={row} change={change} />
          <RunLink row={row} />
        </div>
        <dl className="facts">
          <Facts row={row} />
        </dl>
        {act !== undefined && <p>{actText(t, row)}</p>}
        {requestId !== undefined && <CopyButton text={requestId} label={t('journalPage.row.copy')} />}
      </div>
    </section>
  );
}

/** A scrollable element must be reachable with the arrow keys. */
const FOCUSABLE = { tabIndex: 0 };

function Facts({ row }: { row: AuditRow }) {
  const { t, i18n } = useTranslation();
  const { keyId, keyName, user, ip, method = '', path, route, project, pipeline, status, code, why } = row;
  const { requestId, clientRequestId, durationMs, bytesIn, bytesOut, count, target } = row;
  const { kind, thing, device, node, trigger, run, from, first, to, failed } = row;
  const time = new Date(row.time);
  const title = code !== undefined && isErrorCode(code) ? `${t(`errors.codes.${code}`)} (${code})` : code;
  return (
    <>
      <Line name="time" value={dayAndTime(time, i18n.language)} />
      <Line name="utc" value={utcTime(time)} />
      <Line name="user" value={user} />
      <Line name="consumer" value={keyName} />
      <Line name="key" value={keyId && `slc_${keyId}`} code />
      <Line name="address" value={ip} code />
      <Line name="call" value={path && `${method} ${path}`} code />
      <Line name="route" value={route === path ? undefined : route} code />
      <Line name="project" value={project} />
      <Line name="pipeline" value={pipeline} />
      <Line name="kind" value={kind && t(`journalPage.write.kinds.${kind}`)} />
      <Line name="thing" value={thing} code />
      <Line name="device" value={device} code />
      <Line name="from" value={from} code />
      <Line name="first" value={first} code />
      <Line name="to" value={to} code />
      <Line name="failed" value={failed?.toLocaleString(i18n.language)} />
      <Line name="node" value={node} code />
      <Line name="trigger" value={trigger} code />
      <Line name="run" value={run} code />
      <Line name="status" value={status?.toString()} />
      <Line name="code" value={title} />
      <Line name="cause" value={why?.cause === code ? undefined : why?.cause} code />
      <Line name="count" value={count?.toLocaleString(i18n.language)} />
      <Line
        name="duration"
        value={durationMs === undefined ? undefined : `${durationMs.toLocaleString(i18n.language)} ms`}
      />
      <Line name="bytesIn" value={bytesIn === undefined ? undefined : bytesText(bytesIn, i18n.language)} />
      <Line name="bytesOut" value={bytesOut === undefined ? undefined : bytesText(bytesOut, i18n.language)} />
      <Line name="target" value={target} />
      <Line name="requestId" value={requestId} code />
      <Line name="clientRequestId" value={clientRequestId} code />
    </>
  );
}

type FactName =
  | 'time'
  | 'utc'
  | 'user'
  | 'consumer'
  | 'key'
  | 'address'
  | 'call'
  | 'route'
  | 'project'
  | 'pipeline'
  | 'kind'
  | 'thing'
  | 'device'
  | 'from'
  | 'first'
  | 'to'
  | 'failed'
  | 'node'
  | 'trigger'
  | 'run'
  | 'status'
  | 'code'
  | 'cause'
  | 'count'
  | 'duration'
  | 'bytesIn'
  | 'bytesOut'
  | 'target'
  | 'requestId'
  | 'clientRequestId';

/** Nothing for a field that is missing in the row. */
function Line({ name, value, code = false }: { name: FactName; value: string | undefined; code?: boolean }) {
  const { t } = useTranslation();
  if (value === undefined || value === '') return null;
  return <Fact name={t(`journalPage.row.${name}`)}>{code ? <code>{value}</code> : value}</Fact>;
}

/** By key if there is one: several callers may share an address. */
function OtherCalls({ row: { keyId, ip }, change }: { row: AuditRow; change: JournalAddress['change'] }) {
  const { t } = useTranslation();
  if (keyId !== undefined)
    return <Button onClick={() => change({ ...NO_FILTERS, keyId })}>{t('journalPage.row.otherCalls')}</Button>;
  if (ip === undefined) return null;
  return <Button onClick={() => change({ ...NO_FILTERS, address: ip })}>{t('journalPage.row.otherOfAddress')}</Button>;
}

/** While the gateway still keeps the run. */
function RunLink({ row }: { row: AuditRow }) {
  const { project, pipeline, type } = row;
  const mayHaveRun = type === 'outcome' || type === 'use' || type === 'test';
  if (project === undefined || pipeline === undefined || row.requestId === undefined || !mayHaveRun) return null;
  return <KeptRun project={project} pipeline={pipeline} requestId={row.requestId} />;
}

function KeptRun({ project, pipeline, requestId }: { project: string; pipeline: string; requestId: string }) {
  const { t } = useTranslation();
  const run = useRuns(project, pipeline, false).data?.find((one) => one.requestId === requestId);
  if (run === undefined) return null;
  return (
    <Button component={Link} href={`/pipelines/${project}/${pipeline}?run=${run.id}`}>
      {t('journalPage.row.openRun')}
    </Button>
  );
}
