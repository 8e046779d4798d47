import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { EgressEvent, EgressEventState, EgressTarget } from '#common/model/egress.ts';
import { usePermission } from '#api/session.ts';
import { usePipelines } from '#api/queries.ts';
import { clockTime } from '#ui/format.ts';
import { bytesText } from '#ui/quantity.ts';
import { ListTable } from '#ui/list-table.tsx';
import { Moment } from '#ui/time.tsx';
import { RowMenu } from '#ui/row-menu.tsx';
import type { OpenEvent } from './open-event.ts';
import { statusText } from './http-status.ts';
import { TargetLines } from './target-lines.tsx';
import { targetName } from './target-view.ts';

interface Props {
  events: EgressEvent[];
  state: EgressEventState;
  targets: EgressTarget[];
  onOpen: (open: OpenEvent) => void;
  onRetry: (event: EgressEvent) => void;
}

export function EventTable({ events, state, targets, onOpen, onRetry }: Props) {
  const { t } = useTranslation();
  const pausedTargets = new Set(targets.filter((target) => target.state === 'paused').map(({ id }) => id));
  return (
    <ListTable
      className="events"
      columns={[
        t(state === 'dead' ? 'egress.time' : 'egress.accepted'),
        t('egress.target'),
        t('egress.answer'),
        { text: t('egress.attempts'), className: 'number-cell wide' },
        { text: t('egress.size'), className: 'number-cell wide' },
      ]}
      actions={t('egress.actions')}
    >
      {events.map((event) => (
        <EventRow
          key={event.id}
          event={event}
          targetPaused={pausedTargets.has(event.target)}
          onOpen={onOpen}
          onRetry={onRetry}
        />
      ))}
    </ListTable>
  );
}

export const timeOf = (event: EgressEvent) => event.diedAt ?? event.acceptedAt;

interface RowProps extends Pick<Props, 'onOpen' | 'onRetry'> {
  event: EgressEvent;
  targetPaused: boolean;
}

function EventRow({ event, targetPaused, onOpen, onRetry }: RowProps) {
  const { t, i18n } = useTranslation();
  const pipeline = usePipelineName(event);
  const { name } = targetName(event.origin);
  return (
    <tr>
      <td className="nowrap">
        <Moment iso={timeOf(event)} />
      </td>
      <td>
        <TargetLines name={name} detail={t('egress.from', { pipeline })} />
      </td>
      <td>
        <ItsAnswer event={event} />
      </td>
      <td className="number-cell wide">{event.attempts}</td>
      <td className="number-cell wide">{bytesText(event.bodyBytes, i18n.language)}</td>
      <td className="number-cell tight-cell">
        <EventActs event={event} targetPaused={targetPaused} onOpen={onOpen} onRetry={onRetry} />
      </td>
    </tr>
  );
}

/** The name of a pipeline, or its ID if it was deleted. */
export function usePipelineName({ project, pipeline }: EgressEvent): string {
  const pipelines = usePipelines().data;
  return pipelines?.find((one) => one.project === project && one.id === pipeline)?.name ?? pipeline;
}

function ItsAnswer({ event }: { event: EgressEvent }) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  const { lastAnswer, reason } = event;
  if (lastAnswer === null) {
    return (
      <span className="two">
        <b>{event.attempts === 0 && reason === null ? t('egress.notTried') : t('egress.noAnswer')}</b>
        {reason !== null && <small className="break">{reason}</small>}
      </span>
    );
  }
  // The response is hidden from users without the permission, for whom an empty text has no meaning.
  const none = mayEdit || lastAnswer.status === null ? t('egress.noText') : '';
  const said = lastAnswer.text === '' ? none : lastAnswer.text;
  return (
    <span className="two">
      <b>{lastAnswer.status === null ? t('egress.noAnswer') : statusText(lastAnswer.status)}</b>
      {said !== '' && <small className="break">{said}</small>}
    </span>
  );
}

function EventActs({ event, targetPaused, onOpen, onRetry }: RowProps) {
  const { t } = useTranslation();
  const mayRun = usePermission('run_pipelines');
  const mayEdit = usePermission('edit_pipelines');
  const { name } = targetName(event.origin);
  const time = clockTime(new Date(timeOf(event)));
  const dead = event.state === 'dead';
  return (
    <span className="row run-controls">
      <Button
        variant="subtle"
        onClick={() => onOpen({ kind: 'inspect', event })}
        aria-label={t('egress.inspectNamed', { time, name })}
      >
        {t('egress.inspect')}
      </Button>
      {mayRun && dead && (
        <Button onClick={() => onRetry(event)} aria-label={t('egress.retryNamed', { time, name })}>
          {t('egress.retry')}
        </Button>
      )}
      {mayRun && (dead || targetPaused) && (
        <RowMenu label={t('egress.moreOfEvent', { time, name })}>
          {mayEdit && dead && <Menu.Item onClick={() => onOpen({ kind: 'edit', event })}>{t('egress.edit')}</Menu.Item>}
          <Menu.Item onClick={() => onOpen({ kind: 'discard', event })}>{t('egress.discard')}</Menu.Item>
        </RowMenu>
      )}
    </span>
  );
}
