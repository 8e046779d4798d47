import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FileEntry } from '#api/data-queries.ts';
import { usePermission } from '#api/session.ts';
import type { Notice } from '#ui/notice-line.tsx';
import { Panel } from '#ui/panel.tsx';
import { bytesText } from '#ui/quantity.ts';
import { Ago } from '#ui/time.tsx';
import { VirtualTable, type Column } from '#ui/virtual-table.tsx';
import { RowMenu } from '#ui/row-menu.tsx';
import { downloadFile } from './download.ts';
import { inFolder, type OpenFile } from './file-kind.ts';

interface Props {
  project: string;
  folder: string;
  files: readonly FileEntry[];
  onFolder: (name: string) => void;
  onOpen: (open: OpenFile) => void;
  onNotice: (notice: Notice) => void;
}

export function FileTable(props: Props) {
  const { t, i18n } = useTranslation();
  const { folder, onFolder, onOpen } = props;
  const openOne = ({ name, folder: isFolder, bytes }: FileEntry) =>
    isFolder ? onFolder(name) : onOpen({ kind: 'show', path: inFolder(folder, name), bytes });
  const columns: Column<FileEntry>[] = [
    {
      key: 'name',
      head: t('data.files.name'),
      least: 220,
      grow: 2,
      renderCell: (file) => (
        <button type="button" className="row-link" onClick={() => openOne(file)}>
          <b className="mono cut">
            {file.name}
            {file.folder && '/'}
          </b>
        </button>
      ),
    },
    {
      key: 'size',
      head: t('data.files.size'),
      least: 120,
      grow: 0.6,
      number: true,
      renderCell: (file) => !file.folder && bytesText(file.bytes, i18n.language),
    },
    {
      key: 'time',
      head: t('data.files.changedAt'),
      least: 160,
      grow: 1.4,
      renderCell: (file) => <Ago iso={file.modifiedAt} />,
    },
    {
      key: 'acts',
      head: <span className="visually-hidden">{t('data.actions')}</span>,
      least: 72,
      number: true,
      card: 'acts',
      renderCell: (file) => !file.folder && <FileMenu {...props} file={file} />,
    },
  ];
  return (
    <Panel className="fill data-list">
      <VirtualTable label={t('data.tab.files')} columns={columns} rows={props.files} keyOf={({ name }) => name} />
    </Panel>
  );
}

function FileMenu({ project, folder, file, onOpen, onNotice }: Props & { file: FileEntry }) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  const path = inFolder(folder, file.name);
  const keep = () =>
    downloadFile(project, path).catch((error: unknown) => {
      const failure = error instanceof Error ? error : new Error(String(error));
      onNotice({ kind: 'failed', text: t('data.files.notDownloaded'), error: failure });
    });
  return (
    <RowMenu label={t('data.actionsOf', { name: file.name })}>
      <Menu.Item onClick={() => void keep()}>{t('data.files.download')}</Menu.Item>
      {mayEdit && (
        <Menu.Item onClick={() => onOpen({ kind: 'delete', path, bytes: file.bytes })}>
          {t('data.files.delete')}
        </Menu.Item>
      )}
    </RowMenu>
  );
}
