import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { EgressBuffer, EgressTarget } from '#common/model/egress.ts';
import { exportPath, useBacklog } from '#api/egress-queries.ts';
import { usePipelines } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { Chip } from '#ui/chip.tsx';
import { Icon } from '#ui/icon.tsx';
import { useNow } from '#ui/now.ts';
import { Panel } from '#ui/panel.tsx';
import { ProgressLine } from '#ui/progress-line.tsx';
import { bytesText, durationText, numberText } from '#ui/quantity.ts';
import type { ShapeName } from '#ui/shape.tsx';
import { utcTime } from '#ui/format.ts';
import type { Notice } from '#ui/notice-line.tsx';
import { ListTable } from '#ui/list-table.tsx';
import { useDownload } from '#ui/use-download.ts';
import { RehearseDialog } from './rehearse-dialog.tsx';
import { ShareGauge } from './share-gauge.tsx';
import { callersOf, conditionOf, drainOf, targetName, type Condition } from './target-view.ts';
import { TargetLines } from './target-lines.tsx';
import { useEventAddress } from './use-event-address.ts';
import { useTargetActs } from './use-target-acts.ts';

interface Props {
  targets: EgressTarget[];
  buffer: EgressBuffer;
  /** The ID of the target in the panel above. */
  urgent: string | undefined;
  onNotice: (notice: Notice) => void;
}

export function TargetTable({ targets, buffer, urgent, onNotice }: Props) {
  const { t } = useTranslation();
  return (
    <Panel title={t('egress.targets')} side={<BufferLine buffer={buffer} />}>
      <ListTable
        className="targets"
        columns={[
          t('egress.state'),
          t('egress.target'),
          { text: t('egress.waiting'), className: 'number-cell' },
          t('egress.share'),
          { text: t('egress.oldest'), className: 'number-cell' },
          { text: t('egress.out'), className: 'number-cell wide' },
          t('egress.nextTry'),
        ]}
        actions={t('egress.actions')}
      >
        {targets.map((target) => (
          <TargetRow
            key={target.id}
            target={target}
            buffer={buffer}
            selected={target.id === urgent}
            onNotice={onNotice}
          />
        ))}
      </ListTable>
    </Panel>
  );
}

function BufferLine({ buffer }: { buffer: EgressBuffer }) {
  const { t, i18n } = useTranslation();
  const locale = i18n.language;
  return (
    <span className="t2 xs">
      {t('egress.buffer', {
        bytes: bytesText(buffer.bytes, locale),
        bytesMax: bytesText(buffer.bytesMax, locale),
        events: numberText(buffer.events, locale),
        eventsMax: numberText(buffer.eventsMax, locale),
      })}
    </span>
  );
}

interface RowProps {
  target: EgressTarget;
  buffer: EgressBuffer;
  selected: boolean;
  onNotice: (notice: Notice) => void;
}

function TargetRow({ target, buffer, selected, onNotice }: RowProps) {
  const { i18n, t } = useTranslation();
  const { host, port, scheme } = targetName(target.target);
  const callers = callersOf(target.target, usePipelines().data ?? []);
  const detail = callers.map((pipeline) => pipeline.name).join(', ');
  const stopped = conditionOf(target) === 'stopped';
  return (
    <tr className={`${stopped ? 'abnormal' : ''} ${selected ? 'selected' : ''}`}>
      <td>
        <ConditionChip target={target} />
      </td>
      <td>
        <TargetLines name={host} detail={`${port}, ${detail === '' ? scheme : detail}`} />
      </td>
      <td className="number-cell strong">{numberText(target.queued, i18n.language)}</td>
      <td>
        <ShareGauge target={target} buffer={buffer} />
      </td>
      <td className="number-cell">
        <Oldest at={target.oldestAt} />
      </td>
      <td className="number-cell wide">
        {numberText(target.deliveredPerMinute, i18n.language)} <span className="t3">{t('egress.perMinute')}</span>
      </td>
      <td className="next">
        <NextTry target={target} />
      </td>
      <td className="number-cell tight-cell">
        <RowActs target={target} onNotice={onNotice} />
      </td>
    </tr>
  );
}

const SHAPES: Record<Condition, ShapeName> = {
  stopped: 'alarm',
  tried: 'paused',
  paused: 'paused',
  blocked: 'paused',
  retrying: 'starting',
  delivering: 'running',
  ready: 'running',
};

function ConditionChip({ target }: { target: EgressTarget }) {
  const { t } = useTranslation();
  const condition = conditionOf(target);
  const status = target.lastAnswer?.status ?? null;
  const word =
    condition === 'stopped' && status !== null
      ? t('egress.condition.stoppedStatus', { status })
      : t(`egress.condition.${condition}`, { name: target.pausedBy ?? '' });
  return (
    <Chip shape={SHAPES[condition]} quiet={condition === 'paused'}>
      {word}
    </Chip>
  );
}

function Oldest({ at }: { at: string | null }) {
  const { t } = useTranslation();
  const now = useNow();
  if (at === null) return <span className="t3">{t('egress.none')}</span>;
  return (
    <time dateTime={at} title={utcTime(new Date(at))}>
      {durationText((now.getTime() - Date.parse(at)) / 1000)}
    </time>
  );
}

function NextTry({ target }: { target: EgressTarget }) {
  const { t } = useTranslation();
  const now = useNow();
  const condition = conditionOf(target);
  if (condition === 'stopped' || condition === 'paused' || condition === 'blocked')
    return t(`egress.next.${condition}`);
  const { nextTryAt } = target;
  if (condition === 'delivering' && target.queued > 0) return <Draining target={target} />;
  const seconds = nextTryAt === null ? 0 : (Date.parse(nextTryAt) - now.getTime()) / 1000;
  if (nextTryAt === null || target.queued === 0 || seconds < 1)
    return <span className="t3">{t('egress.next.now')}</span>;
  return (
    <time dateTime={nextTryAt} title={utcTime(new Date(nextTryAt))}>
      {t('egress.next.in', { time: durationText(seconds) })}
    </time>
  );
}

/** The peak of the last 15 min is what there was to send. */
function Draining({ target }: { target: EgressTarget }) {
  const { t, i18n } = useTranslation();
  const backlog = useBacklog(target.target, '15m').data;
  const drain = backlog === undefined ? null : drainOf(target, backlog.waiting);
  if (drain === null) return <span className="t3">{t('egress.next.now')}</span>;
  const number = (value: number) => numberText(value, i18n.language);
  const text = t('egress.drained', { done: number(drain.done), of: number(drain.of), left: number(target.queued) });
  return <ProgressLine label={targetName(target.target).name} done={drain.done} of={drain.of} text={text} />;
}

function RowActs({ target, onNotice }: Pick<RowProps, 'target' | 'onNotice'>) {
  const { t } = useTranslation();
  const mayRun = usePermission('run_pipelines');
  const maySettings = usePermission('access_settings');
  const { begin, retryDead, pending } = useTargetActs(target, onNotice);
  const [asking, setAsking] = useState(false);
  const { name } = targetName(target.target);
  const act = target.state === 'paused' ? 'resume' : 'pause';
  const isRehearsed = target.rehearsal !== null && target.rehearsal.state !== 'done';
  return (
    <span className="row run-controls">
      {maySettings && target.state === 'open' && !isRehearsed && (
        <Button variant="subtle" onClick={() => setAsking(true)} aria-label={t('egress.rehearseNamed', { name })}>
          {t('egress.rehearse')}
        </Button>
      )}
      {mayRun && (
        <Button
          variant="subtle"
          loading={pending === act}
          onClick={() => begin(act)}
          aria-label={t(`egress.${act}Named`, { name })}
        >
          {t(`egress.${act}`)}
        </Button>
      )}
      <RowMenu target={target} onRetryDead={retryDead} />
      {asking && (
        <RehearseDialog
          target={target}
          pending={pending === 'rehearse'}
          onConfirm={() => begin('rehearse', () => setAsking(false))}
          onClose={() => setAsking(false)}
        />
      )}
    </span>
  );
}

function RowMenu({ target, onRetryDead }: { target: EgressTarget; onRetryDead: () => void }) {
  const { t } = useTranslation();
  const download = useDownload();
  const [, go] = useLocation();
  const mayRun = usePermission('run_pipelines');
  const mayEdit = usePermission('edit_pipelines');
  const { change } = useEventAddress();
  const callers = callersOf(target.target, usePipelines().data ?? []);
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="subtle"
          className="square"
          aria-label={t('egress.more', { name: targetName(target.target).name })}
        >
          <Icon name="dots" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => change({ state: 'queued', target: target.id })}>{t('egress.showWaiting')}</Menu.Item>
        <Menu.Item onClick={() => change({ state: 'dead', target: target.id })}>{t('egress.showDead')}</Menu.Item>
        {mayRun && target.dead > 0 && <Menu.Item onClick={onRetryDead}>{t('egress.retryDead')}</Menu.Item>}
        {mayEdit && target.dead > 0 && (
          <Menu.Item onClick={() => download(exportPath(target.id))}>{t('egress.exportDead')}</Menu.Item>
        )}
        {callers.map(({ project, id, name }) => (
          <Menu.Item key={`${project}/${id}`} onClick={() => go(`/pipelines/${project}/${id}`)}>
            {t('egress.toPipeline', { name })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
