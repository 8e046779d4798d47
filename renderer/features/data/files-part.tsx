import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { base64Of } from '#api/base64-of.ts';
import { isFile, useFiles, useWriteFile, type FileEntry } from '#api/data-queries.ts';
import { usePermission } from '#api/session.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { NoticeLine, type Notice } from '#ui/notice-line.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { bytesText } from '#ui/quantity.ts';
import { TextButton } from '#ui/text-button.tsx';
import { useAddress } from '#ui/use-address.ts';
import { DataHead } from './data-head.tsx';
import { DeleteFileDialog } from './delete-dialog.tsx';
import { FileDialog } from './file-dialog.tsx';
import { foldersOf, inFolder, type OpenFile } from './file-kind.ts';
import { FileTable } from './file-table.tsx';
import { NewFileDialog } from './new-file-dialog.tsx';
import { PickFile } from '#ui/pick-file.tsx';

/** A file of a workspace in the form that the gateway accepts. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;

/** The workspace of a project, folder by folder. */
export function FilesPart({ project }: { project: string }) {
  const { t } = useTranslation();
  const { read, change } = useAddress();
  const folder = read('folder');
  const files = useFiles(project, folder);
  const mayEdit = usePermission('edit_pipelines');
  const [open, setOpen] = useState<OpenFile>({ kind: 'none' });
  const [notice, setNotice] = useState<Notice | null>(null);
  const close = () => setOpen({ kind: 'none' });
  const upload = useUpload(project, folder, setNotice);
  return (
    <>
      <DataHead
        answer={t('data.files.answer')}
        actions={
          mayEdit && (
            <>
              <Button onClick={() => setOpen({ kind: 'new' })}>{t('data.files.create')}</Button>
              <PickFile primary label={t('data.files.upload')} pending={upload.pending} onPick={upload.begin} />
            </>
          )
        }
      />
      <Way folder={folder} onGo={(path) => change({ folder: path })} />
      <LoadingRows of={files} />
      <NoticeLine notice={notice} onClose={() => setNotice(null)} />
      {files.data?.length === 0 && (
        <Panel>
          <Empty title={t('data.files.empty')} help={t('data.files.emptyHelp')} />
        </Panel>
      )}
      {files.data && files.data.length > 0 && (
        <FileTable
          files={inOrder(files.data)}
          folder={folder}
          onFolder={(name) => change({ folder: inFolder(folder, name) })}
          project={project}
          onOpen={setOpen}
          onNotice={setNotice}
        />
      )}
      {upload.asked && <ReplaceDialog {...upload.asked} pending={upload.pending} onClose={upload.dismiss} />}
      {open.kind === 'new' && <NewFileDialog project={project} folder={folder} onNotice={setNotice} onClose={close} />}
      {open.kind === 'show' && <FileDialog project={project} {...open} onNotice={setNotice} onClose={close} />}
      {open.kind === 'delete' && (
        <DeleteFileDialog project={project} name={open.path} onNotice={setNotice} onClose={close} />
      )}
    </>
  );
}

/** Folders first, sorted by name. */
function inOrder(files: readonly FileEntry[]): FileEntry[] {
  return files.toSorted((a, b) => Number(b.folder) - Number(a.folder) || a.name.localeCompare(b.name));
}

function Way({ folder, onGo }: { folder: string; onGo: (path: string) => void }) {
  const { t } = useTranslation();
  const folders = foldersOf(folder);
  return (
    <nav className="row wrap way-back" aria-label={t('data.files.way')}>
      <TextButton onClick={() => onGo('')}>{t('data.files.workspace')}</TextButton>
      {folders.map(({ name, path }) => (
        <span key={path} className="row">
          <span className="t3">/</span>
          <TextButton onClick={() => onGo(path)}>
            <span className="mono">{name}</span>
          </TextButton>
        </span>
      ))}
    </nav>
  );
}

function useUpload(project: string, folder: string, onNotice: (notice: Notice) => void) {
  const { t, i18n } = useTranslation();
  const write = useWriteFile(project);
  const [asked, setAsked] = useState<{ path: string; onConfirm: () => void } | null>(null);
  const refuse = (error: Error) => onNotice({ kind: 'failed', text: t('data.files.notUploaded'), error });
  const send = async (file: File, path: string) => {
    const size = bytesText(file.size, i18n.language);
    try {
      await write.mutateAsync({ path, content: { base64: await base64Of(file) }, format: 'bytes' });
      onNotice({ kind: 'done', text: t('data.files.uploaded', { path, size }) });
    } catch (error) {
      refuse(error instanceof Error ? error : new Error(String(error)));
    }
    setAsked(null);
  };
  const begin = async (file: File) => {
    const sizes = { size: bytesText(file.size, i18n.language), max: bytesText(FILE_BYTES_MAX, i18n.language) };
    if (file.size > FILE_BYTES_MAX) return refuse(new Error(t('data.files.tooLarge', sizes)));
    const path = inFolder(folder, file.name);
    if (!(await isFile(project, path))) return send(file, path);
    setAsked({ path, onConfirm: () => void send(file, path) });
  };
  return { begin: (file: File) => void begin(file), pending: write.isPending, asked, dismiss: () => setAsked(null) };
}

interface ReplaceProps {
  path: string;
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** A file with that name already exists. */
function ReplaceDialog({ path, pending, ...rest }: ReplaceProps) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('data.files.replaceTitle', { path })}
      keep={t('data.files.keep')}
      act={t('data.files.replace')}
      call={{ isPending: pending, error: null }}
      {...rest}
    >
      <p>{t('data.files.replaceWhat')}</p>
    </ConfirmDialog>
  );
}
