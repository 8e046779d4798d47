import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFile, useWriteFile } from '#api/data-queries.ts';
import { usePermission } from '#api/session.ts';
import { CodeEditor } from '#ui/code/code-editor.tsx';
import { Dialog } from '#ui/dialog.tsx';
import type { NoticeProps } from '#ui/dialog-props.ts';
import { DialogFoot } from '#ui/dialog-foot.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { Loading } from '#ui/loading.tsx';
import { bytesText } from '#ui/quantity.ts';
import { Segments } from '#ui/segments.tsx';
import { ThingAccess } from '#ui/thing-access.tsx';
import { downloadFile } from './download.ts';
import { fileKind } from './file-kind.ts';
import { ResultTable } from './result-table.tsx';

interface Props extends NoticeProps {
  project: string;
  path: string;
  bytes: number;
}

/** One file with its content, as far as it can be displayed; texts can be edited. */
export function FileDialog(props: Props) {
  const { t, i18n } = useTranslation();
  const { path, bytes } = props;
  const kind = fileKind(path, bytes);
  if (kind === 'bytes' || kind === 'large')
    return (
      <Frame {...props}>
        <p>{t(`data.files.cannotShow.${kind}`, { size: bytesText(bytes, i18n.language) })}</p>
      </Frame>
    );
  return <TextFile {...props} kind={kind} />;
}

function Frame({ project, path, onNotice, onClose, act, children }: FrameProps) {
  const { t } = useTranslation();
  const keep = () =>
    downloadFile(project, path).catch((error: unknown) => {
      const failure = error instanceof Error ? error : new Error(String(error));
      onNotice({ kind: 'failed', text: t('data.files.notDownloaded'), error: failure });
    });
  return (
    <Dialog
      wide
      title={path}
      onDismiss={onClose}
      foot={
        <DialogFoot
          side={
            <Button variant="subtle" onClick={() => void keep()}>
              {t('data.files.download')}
            </Button>
          }
          keep={t('common.close')}
          onKeep={onClose}
        >
          {' '}
          {act}
        </DialogFoot>
      }
    >
      {children}
      <ThingAccess project={project} name={path} uses={['writeFiles', 'readFiles']} />
    </Dialog>
  );
}

type FrameProps = Props & { act?: React.ReactNode; children: React.ReactNode };
type Kind = 'json' | 'csv' | 'text';

function TextFile({ kind, ...props }: Props & { kind: Kind }) {
  const { t } = useTranslation();
  const { project, path, onNotice, onClose } = props;
  const [view, setView] = useState<'table' | 'text'>(kind === 'csv' ? 'table' : 'text');
  const file = useFile(project, path, 'text');
  const write = useWriteFile(project);
  const mayEdit = usePermission('edit_pipelines');
  const [edited, setEdited] = useState<string | null>(null);
  const text = edited ?? (typeof file.data === 'string' ? file.data : '');
  const save = () =>
    write.mutate(
      { path, content: text, format: 'text' },
      {
        onSuccess: () => {
          onNotice({ kind: 'done', text: t('data.files.saved', { path }) });
          onClose();
        },
      },
    );
  return (
    <Frame
      {...props}
      act={
        mayEdit && (
          <Button variant="filled" disabled={edited === null} loading={write.isPending} onClick={save}>
            {t('data.files.save')}
          </Button>
        )
      }
    >
      {kind === 'csv' && (
        <Segments
          label={t('data.files.view')}
          value={view}
          options={[
            { value: 'table', label: t('data.files.asTable') },
            { value: 'text', label: t('data.files.asText') },
          ]}
          onChange={setView}
        />
      )}
      <Loading of={file} />
      {file.isError && <ErrorNote error={file.error} />}
      {write.isError && <ErrorNote error={write.error} title={t('data.files.notSaved')} />}
      {file.data !== undefined && view === 'table' && <CsvTable project={project} path={path} />}
      {file.data !== undefined && view === 'text' && (
        <CodeEditor
          label={t('data.files.content')}
          language={kind === 'json' ? 'json' : 'text'}
          value={text}
          rows={FILE_ROWS}
          {...(mayEdit && { onChange: setEdited })}
        />
      )}
    </Frame>
  );
}

const FILE_ROWS = 18;

/** As parsed by the gateway: the table shows the values that a pipeline gets. */
function CsvTable({ project, path }: { project: string; path: string }) {
  const file = useFile(project, path, 'csv');
  if (file.data === undefined && file.isError) return <LoadError error={file.error} alone />;
  if (!Array.isArray(file.data)) return null;
  return <ResultTable label={path} rows={file.data.filter(isRow)} />;
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
