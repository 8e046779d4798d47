import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TagDefinition, TagValue } from '#common/model/tag.ts';
import { useTagValues } from '#api/data-queries.ts';
import { Icon } from '#ui/icon.tsx';
import { Empty } from '#ui/panel.tsx';
import { Ago } from '#ui/time.tsx';
import { VirtualTable, type Column } from '#ui/virtual-table.tsx';
import { isBad, isUnset, pathsIn, rowsOf, type TagRow } from './tag-rows.ts';
import { Quality, ValueText } from './tag-value.tsx';

interface Props {
  project: string;
  tags: readonly TagDefinition[];
  /** The path of the tag whose details are open. */
  chosen: string;
  onChoose: (path: string) => void;
}

const ROW_HEIGHT = 52;

/** Tags by folder. Values are requested only for visible rows. */
export function TagTable({ project, tags, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => rowsOf(tags, closed), [tags, closed]);
  const [sight, setSight] = useState({ first: 0, last: -1 });
  const onSight = useCallback((first: number, last: number) => setSight({ first, last }), []);
  const values = useTagValues(project, pathsIn(rows.slice(sight.first, sight.last + 1))).data;
  const turn = (folder: string) =>
    setClosed(
      (before) => new Set(before.has(folder) ? [...before].filter((one) => one !== folder) : [...before, folder]),
    );
  const columns = useColumns(values, onChoose);
  if (rows.length === 0) return <Empty title={t('data.tags.noneFound')} help={t('data.tags.noneFoundHelp')} />;
  return (
    <VirtualTable
      label={t('data.tab.tags')}
      columns={columns}
      rows={rows}
      rowHeight={ROW_HEIGHT}
      keyOf={(row) => (row.kind === 'folder' ? `folder ${row.folder}` : row.tag.path)}
      classOf={(row) => classOf(row, chosen, values)}
      whole={{ is: isFolder, render: (row) => isFolder(row) && <Folder row={row} onTurn={() => turn(row.folder)} /> }}
      onSight={onSight}
    />
  );
}

type FolderRow = Extract<TagRow, { kind: 'folder' }>;

function isFolder(row: TagRow): row is FolderRow {
  return row.kind === 'folder';
}

function classOf(row: TagRow, chosen: string, values: ReadonlyMap<string, TagValue> | undefined): string {
  if (row.kind === 'folder') return 'folder';
  if (row.tag.path === chosen) return 'selected';
  const value = values?.get(row.tag.path);
  return value !== undefined && isBad(value) ? 'warning-edge' : '';
}

function Folder({ row, onTurn }: { row: FolderRow; onTurn: () => void }) {
  const { t } = useTranslation();
  return (
    <button type="button" className="row-link row" aria-expanded={row.open} onClick={onTurn}>
      <Icon name={row.open ? 'down' : 'right'} small />
      <b className="mono">{row.folder}/</b>
      <span className="t3">{t('data.tags.count', { count: row.count })}</span>
    </button>
  );
}

function useColumns(
  values: ReadonlyMap<string, TagValue> | undefined,
  onChoose: (path: string) => void,
): Column<TagRow>[] {
  const { t } = useTranslation();
  const valueOf = (row: TagRow) => (row.kind === 'tag' ? values?.get(row.tag.path) : undefined);
  return [
    {
      key: 'name',
      head: t('data.tags.name'),
      least: 180,
      grow: 3,
      renderCell: (row) => row.kind === 'tag' && <Name row={row} onChoose={onChoose} />,
    },
    {
      key: 'value',
      head: t('data.value'),
      least: 170,
      grow: 1.4,
      number: true,
      renderCell: (row) => <ValueText value={valueOf(row)} />,
    },
    {
      key: 'quality',
      head: t('data.quality.title'),
      least: 130,
      grow: 1,
      renderCell: (row) => <QualityCell value={valueOf(row)} />,
    },
    {
      key: 'time',
      head: t('data.time'),
      least: 110,
      renderCell: (row) => <Time value={valueOf(row)} />,
    },
  ];
}

function Name({ row, onChoose }: { row: Extract<TagRow, { kind: 'tag' }>; onChoose: (path: string) => void }) {
  const { path, title } = row.tag;
  return (
    <button
      type="button"
      className="row-link"
      // The folder is shown above; screen readers that read only the row need it here.
      aria-label={title === '' ? path : `${title}, ${path}`}
      onClick={() => onChoose(path)}
    >
      <span className="two">
        {title !== '' && <b className="cut">{title}</b>}
        <small className="mono cut">{row.name}</small>
      </span>
    </button>
  );
}

function QualityCell({ value }: { value: TagValue | undefined }) {
  const reason = value === undefined || isUnset(value) ? null : value.reason;
  return (
    <span className="two quality">
      <Quality value={value} />
      {reason !== null && (
        <small className="cut" title={reason}>
          {reason}
        </small>
      )}
    </span>
  );
}

function Time({ value }: { value: TagValue | undefined }) {
  if (value === undefined || value.time === null) return <span className="t3">–</span>;
  return <Ago iso={value.time} />;
}
