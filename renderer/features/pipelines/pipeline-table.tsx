import { useMediaQuery } from '@mantine/hooks';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { PipelineRecord } from '#common/model/records.ts';
import { Chip } from '#ui/chip.tsx';
import { PipelineStateChip } from '#ui/pipeline-state.tsx';
import { RouteName } from '#ui/route-name.tsx';
import { routesOf } from '#ui/routes-of.ts';
import { ruleText } from '#api/rule-text.ts';
import { Ago } from '#ui/time.tsx';
import { TwoLines } from '#ui/two-lines.tsx';
import { VirtualTable, type Column } from '#ui/virtual-table.tsx';
import { revisionText } from './revision-text.ts';
import { draftWaits, RunControls } from './run-controls.tsx';
import type { RunFaultState } from './run-fault.tsx';

interface Props {
  list: readonly PipelineRecord[];
  onFault: (fault: RunFaultState | null) => void;
}

const ROW_HEIGHT = 56;
const WIDE = '(min-width: 1600px)';
/** Touch panels. */
const NARROW = '(max-width: 1100px)';
const keyOf = ({ project, id }: PipelineRecord) => `${project}/${id}`;
const classOf = ({ state, triggerFaults, errorsWith200 }: PipelineRecord) =>
  state === 'failed' ? 'abnormal' : triggerFaults.length + errorsWith200.length > 0 ? 'warning-edge' : '';

export function PipelineTable({ list, onFault }: Props) {
  const { t } = useTranslation();
  const wide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  return (
    <VirtualTable
      label={t('pipelines.title')}
      columns={columnsOf(t, { wide, narrow, drafts: list.some(draftWaits) }, onFault)}
      rows={list}
      keyOf={keyOf}
      rowHeight={ROW_HEIGHT}
      classOf={classOf}
    />
  );
}

interface Room {
  wide: boolean;
  narrow: boolean;
  /** A button more, which says the revision that it starts. */
  drafts: boolean;
}

function columnsOf(t: TFunction, { wide, narrow, drafts }: Room, onFault: Props['onFault']): Column<PipelineRecord>[] {
  const revision: Column<PipelineRecord> = {
    key: 'revision',
    head: t('pipelines.revision'),
    least: 120,
    grow: 1,
    renderCell: (pipeline) => revisionText(t, pipeline),
  };
  const changed: Column<PipelineRecord> = {
    key: 'changed',
    head: t('pipelines.changed'),
    least: 160,
    grow: 1,
    renderCell: (pipeline) => <Changed pipeline={pipeline} />,
  };
  return [
    {
      key: 'name',
      head: t('pipelines.name'),
      least: narrow ? 180 : 190,
      grow: 2,
      renderCell: (pipeline) => <Name pipeline={pipeline} />,
    },
    {
      key: 'state',
      head: t('pipelines.state'),
      least: 196,
      grow: 2.4,
      renderCell: (pipeline) => <State pipeline={pipeline} />,
    },
    {
      key: 'routes',
      head: t('pipelines.routes'),
      least: narrow ? 190 : 230,
      grow: 2,
      renderCell: (pipeline) => <Routes pipeline={pipeline} />,
    },
    ...(narrow ? [] : [revision]),
    ...(wide ? [changed] : []),
    {
      key: 'actions',
      head: <span className="visually-hidden">{t('pipelines.actions')}</span>,
      least: drafts ? 326 : 172,
      number: true,
      renderCell: (pipeline) => <RunControls pipeline={pipeline} onFault={onFault} />,
    },
  ];
}

function Name({ pipeline: { project, id, name } }: { pipeline: PipelineRecord }) {
  return (
    <Link href={`/pipelines/${project}/${id}`} className="row-link">
      <TwoLines name={name} id={`${project} / ${id}`} />
    </Link>
  );
}

/**
 * A started pipeline whose trigger failed, or that answers errors as 200, is not just "Running": the first reason is
 * shown below, all of them in its title.
 */
function State({ pipeline: { state, triggerFaults, errorsWith200 } }: { pipeline: PipelineRecord }) {
  const { t, i18n } = useTranslation();
  const reasons = [
    ...triggerFaults.map(({ node, ...sentence }) => `${node}: ${ruleText(sentence, i18n).text}`),
    ...errorsWith200.map(({ node, count }) => `${node}: ${t('pipelines.errorWith200', { count })}`),
  ];
  if (reasons.length === 0) return <PipelineStateChip state={state} />;
  return (
    <span className="two" title={reasons.join('\n')}>
      <Chip shape="warning">{t(triggerFaults.length > 0 ? 'pipelines.triggerFaults' : 'pipelines.errorsWith200')}</Chip>
      <small className="cut">{reasons[0]}</small>
    </span>
  );
}

/** The first route, and how many more there are: rows are equally high. */
function Routes({ pipeline }: { pipeline: PipelineRecord }) {
  const { t } = useTranslation();
  const [first, ...more] = routesOf(pipeline);
  if (first === undefined) return <span className="t3">{t('pipelines.noRoute')}</span>;
  return (
    <span className="two">
      <RouteName method={first.method} pattern={first.pattern} />
      {more.length > 0 && <small>{t('common.andMore', { count: more.length })}</small>}
    </span>
  );
}

function Changed({ pipeline: { updatedAt, updatedBy } }: { pipeline: PipelineRecord }) {
  return (
    <span className="two">
      <Ago iso={updatedAt} />
      <small>{updatedBy}</small>
    </span>
  );
}
