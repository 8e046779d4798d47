import { useMediaQuery } from '@mantine/hooks';
import type { TFunction } from 'i18next';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PipelineRecord } from '#common/model/records.ts';
import { useIsCurrent, useProjects } from '#api/queries.ts';
import { useTraffic } from '#api/traffic-queries.ts';
import { Sparkline } from '#ui/sparkline.tsx';
import { VirtualTable, type Column } from '#ui/virtual-table.tsx';
import {
  ChangedCell,
  ErrorsCell,
  isImpaired,
  LastCallCell,
  NameCell,
  RateCell,
  RoutesCell,
  StateCell,
} from './pipeline-cells.tsx';
import { figuresOf, type PipelineFigures } from './pipeline-figures.ts';
import { PipelineMenu, type PipelineAct } from './pipeline-menu.tsx';
import { rowsByProject, type PipelineRow } from './pipeline-view.ts';
import { revisionText } from './revision-text.ts';
import { RunControls } from './run-controls.tsx';
import type { RunFaultState } from './run-fault.tsx';

interface Props {
  list: readonly PipelineRecord[];
  onAct: (act: PipelineAct) => void;
  onFault: (fault: RunFaultState | null) => void;
}

const ROW_HEIGHT = 56;
const RANGE = '15m';
const WIDER = '(min-width: 1920px)';
const WIDE = '(min-width: 1600px)';
/** Touch panels. */
const NARROW = '(max-width: 1199px)';
const keyOf = (row: PipelineRow) =>
  row.kind === 'project' ? `project ${row.id}` : `${row.pipeline.project}/${row.pipeline.id}`;

function classOf(row: PipelineRow): string {
  if (row.kind === 'project') return 'folder';
  if (row.pipeline.state === 'failed') return 'abnormal';
  return isImpaired(row.pipeline) ? 'warning-edge' : '';
}

export function PipelineTable({ list, onAct, onFault }: Props) {
  const { t } = useTranslation();
  const room = useRoom();
  const isCurrent = useIsCurrent();
  const projects = useProjects().data ?? NO_PROJECTS;
  const rows = useMemo(() => rowsByProject(list, projects), [list, projects]);
  const figures = figuresOf(useTraffic(RANGE).data?.routes ?? []);
  const columns = columnsOf(t, { ...room, state: stateWidth(list, isCurrent) }, figures);
  return (
    <VirtualTable
      label={t('pipelines.title')}
      columns={[...columns, actionsOf(t, { iconOnly: room.narrow, onAct, onFault })]}
      rows={rows}
      keyOf={keyOf}
      rowHeight={ROW_HEIGHT}
      classOf={classOf}
      whole={WHOLE}
    />
  );
}

const AT_ONCE = { getInitialValueInEffect: false };

function useRoom() {
  const wider = useMediaQuery(WIDER, undefined, AT_ONCE);
  const wide = useMediaQuery(WIDE, undefined, AT_ONCE);
  const narrow = useMediaQuery(NARROW, undefined, AT_ONCE);
  return { wider, wide, narrow };
}

/** Pixels. "Running" and "Stopped" need little space; a warning with its reason needs more. */
function stateWidth(list: readonly PipelineRecord[], isCurrent: boolean): number {
  if (list.some(isImpaired)) return 184;
  return isCurrent && list.every(({ state }) => state !== 'failed') ? 120 : 152;
}

type OfProject = Extract<PipelineRow, { kind: 'project' }>;

function isProject(row: PipelineRow): row is OfProject {
  return row.kind === 'project';
}

const NO_PROJECTS: Parameters<typeof rowsByProject>[1] = [];

const WHOLE = { is: isProject, render: (row: PipelineRow) => isProject(row) && <ProjectRow {...row} /> };

function ProjectRow({ id, name, running, count }: OfProject) {
  const { t } = useTranslation();
  return (
    <span className="row">
      <b>{name}</b>
      <span className="mono t3">{id}</span>
      <span className="t2">{t('pipelineList.running', { running, count })}</span>
    </span>
  );
}

interface Room extends ReturnType<typeof useRoom> {
  /** Pixels of the column. */
  state: number;
}

/** The route gets most of the remaining width. */
function columnsOf(
  t: TFunction,
  { wider, wide, narrow, state }: Room,
  figures: ReadonlyMap<string, PipelineFigures>,
): Column<PipelineRow>[] {
  type Cell = (pipeline: PipelineRecord, figures: PipelineFigures | undefined) => ReactNode;
  const column = (key: ColumnKey, least: number, cell: Cell, more: Partial<Column<PipelineRow>> = {}) => ({
    key,
    head: t(`pipelineList.${key}`),
    least,
    renderCell: (row: PipelineRow) => row.kind === 'pipeline' && cell(row.pipeline, figures.get(keyOf(row))),
    ...more,
  });
  const figure = { number: true };
  return [
    column('name', narrow ? 170 : 190, (pipeline) => <NameCell pipeline={pipeline} />, narrow ? {} : { grow: 1 }),
    column('state', state, (pipeline) => <StateCell pipeline={pipeline} />),
    column('routes', 190, (pipeline) => <RoutesCell pipeline={pipeline} />, { grow: 3 }),
    column('perSecond', 84, (_, of) => <RateCell figures={of} />, figure),
    ...(narrow ? [] : [column('course', 108, (_, of) => of && <Sparkline series={of.series} />)]),
    column('errors', 72, (_, of) => <ErrorsCell figures={of} />, figure),
    column('lastCall', narrow ? 96 : 104, (_, of) => <LastCallCell figures={of} />),
    ...(wide ? [column('revision', 150, (pipeline) => revisionText(t, pipeline))] : []),
    ...(wider ? [column('changed', 160, (pipeline) => <ChangedCell pipeline={pipeline} />)] : []),
  ];
}

type ColumnKey = 'name' | 'state' | 'routes' | 'perSecond' | 'course' | 'errors' | 'lastCall' | 'revision' | 'changed';

interface Actions extends Omit<Props, 'list'> {
  iconOnly: boolean;
}

function actionsOf(t: TFunction, { iconOnly, onAct, onFault }: Actions): Column<PipelineRow> {
  return {
    key: 'actions',
    head: <span className="visually-hidden">{t('pipelines.actions')}</span>,
    least: iconOnly ? 122 : 182,
    number: true,
    card: 'acts',
    renderCell: (row) =>
      row.kind === 'pipeline' && (
        <>
          <RunControls pipeline={row.pipeline} iconOnly={iconOnly} onFault={onFault} />
          <PipelineMenu pipeline={row.pipeline} onAct={onAct} onFault={onFault} />
        </>
      ),
  };
}
