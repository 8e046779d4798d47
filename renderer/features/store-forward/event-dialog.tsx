import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { EgressEvent, EgressEventDetail, EgressPayload } from '#common/model/egress.ts';
import { useEgressEvent } from '#api/egress-queries.ts';
import { isApiError } from '#api/problem.ts';
import { usePermission } from '#api/session.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { DialogFoot } from '#ui/dialog-foot.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { Fact } from '#ui/fact.tsx';
import { Loading } from '#ui/loading.tsx';
import { Note } from '#ui/note.tsx';
import { bytesText, numberText } from '#ui/quantity.ts';
import { Moment } from '#ui/time.tsx';
import { usePipelineName } from './event-table.tsx';
import { targetName } from './target-view.ts';
import { TriesList } from './tries-list.tsx';
import { LastAnswer } from './urgent-panel.tsx';

interface Props {
  event: EgressEvent;
  onEdit: () => void;
  onRetry: () => void;
  onClose: () => void;
}

/** All data of one event, and its content for users who may see it. */
export function EventDialog({ event, onEdit, onRetry, onClose }: Props) {
  const { t } = useTranslation();
  const mayRun = usePermission('run_pipelines');
  const mayEdit = usePermission('edit_pipelines');
  const detail = useEgressEvent(event.id);
  const dead = (detail.data ?? event).state === 'dead';
  return (
    <Dialog
      wide
      title={t('egress.event.title', { name: targetName(event.origin).name })}
      onDismiss={onClose}
      foot={
        <DialogFoot keep={t('common.close')} onKeep={onClose}>
          {' '}
          {mayEdit && mayRun && dead && <Button onClick={onEdit}>{t('egress.edit')}</Button>}
          {mayRun && dead && (
            <Button variant="filled" onClick={onRetry}>
              {t('egress.retry')}
            </Button>
          )}
        </DialogFoot>
      }
    >
      <Facts event={detail.data ?? event} />
      <Loading of={detail} />
      {detail.isError &&
        (isApiError(detail.error, 'unknown') ? (
          <Note>{t('egress.event.gone')}</Note>
        ) : (
          <ErrorNote error={detail.error} />
        ))}
      {detail.data && <TriesList event={detail.data} />}
      {detail.data && <Sent detail={detail.data} />}
    </Dialog>
  );
}

function Facts({ event }: { event: EgressEvent }) {
  const { t } = useTranslation();
  const pipeline = usePipelineName(event);
  const dead = event.state === 'dead';
  const said = event.lastAnswer?.text ?? '';
  const why = ownReason(event);
  return (
    <dl className="facts">
      <Fact name={t('egress.event.state')}>{dead ? t('egress.event.isDead') : t('egress.event.isQueued')}</Fact>
      {why !== '' && <Fact name={t('egress.event.why')}>{t('common.reason', { reason: why })}</Fact>}
      <Fact name={t('egress.event.lastAnswer')}>
        <LastAnswer answer={event.lastAnswer} />
        {said !== '' && <small className="said t2">{said}</small>}
      </Fact>
      <Fact name={t('egress.event.from')}>
        <Link href={`/pipelines/${event.project}/${event.pipeline}`}>
          {t('egress.event.fromNode', { pipeline, node: event.node })}
        </Link>
      </Fact>
      <Fact name={t('egress.event.accepted')}>
        <Moment iso={event.acceptedAt} />
      </Fact>
      {event.diedAt !== null && (
        <Fact name={t('egress.event.died')}>
          <Moment iso={event.diedAt} />
        </Fact>
      )}
      <Fact name={t('egress.event.attempts')}>{event.attempts}</Fact>
      <Fact name={t('egress.event.id')}>
        <span className="mono">{event.id}</span>
      </Fact>
    </dl>
  );
}

/** A reason of Sluice, which is in English; '': none, or the last response contains it. */
function ownReason({ reason, lastAnswer }: EgressEvent): string {
  return reason === null || reason === `it answered ${lastAnswer?.status}` ? '' : reason;
}

function Sent({ detail }: { detail: EgressEventDetail }) {
  const { t } = useTranslation();
  const { payload, method, bodyBytes, origin } = detail;
  if (payload === null) return <Note>{t('egress.event.notAllowed')}</Note>;
  const none = <span className="t3">{t('egress.event.none')}</span>;
  return (
    <>
      <dl className="facts">
        <Fact name={t('egress.event.call')}>
          <span className="mono">
            {method} {origin}
            {payload.path}
          </span>
        </Fact>
        <Fact name={t('egress.event.contentType')}>
          {payload.contentType === null ? none : <span className="mono">{payload.contentType}</span>}
        </Fact>
        <Fact name={t('egress.event.idempotencyKey')}>
          <span className="mono">{payload.idempotencyKey}</span>
        </Fact>
        <Fact name={t('egress.event.orderingKey')}>
          {payload.orderingKey === null ? none : <span className="mono">{payload.orderingKey}</span>}
        </Fact>
      </dl>
      <Body payload={payload} bytes={bodyBytes} />
    </>
  );
}

/** Maximum number of displayed characters; the rest is in an export. */
const SHOWN_MAX = 20_000;

function Body({ payload, bytes }: { payload: EgressPayload; bytes: number }) {
  const { t, i18n } = useTranslation();
  const size = bytesText(bytes, i18n.language);
  const whole = payload.text ?? payload.base64;
  if (whole === null || whole === '') return <p className="t2">{t('egress.event.bodyNone')}</p>;
  const shown = numberText(SHOWN_MAX, i18n.language);
  const title =
    whole.length > SHOWN_MAX
      ? t('egress.event.bodyCut', { size, shown })
      : payload.text === null
        ? t('egress.event.bodyBytes', { size })
        : t('egress.event.body', { size });
  return <CodeBlock title={title} code={whole.slice(0, SHOWN_MAX)} />;
}
