import { Button } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ProjectRecord } from '#common/model/records.ts';
import { projectExportPath, useDeleteProject } from '#api/project-file-queries.ts';
import { useKeys, usePipelines } from '#api/queries.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Dialog } from '#ui/dialog.tsx';
import type { DoneProps } from '#ui/dialog-props.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { Note } from '#ui/note.tsx';
import { TextButton } from '#ui/text-button.tsx';
import { useDownload } from '#ui/use-download.ts';

interface Props extends DoneProps {
  project: ProjectRecord;
}

/**
 * Asks if nothing of the project is in use; otherwise shows the necessary steps. The server also refuses it in that
 * case.
 */
export function DeleteDialog(props: Props) {
  const { project, onClose } = props;
  const pipelines = usePipelines();
  const keys = useKeys(project.id);
  const error = pipelines.error ?? keys.error;
  if (error !== null) return <Blocked {...props} error={error} running={[]} valid={[]} />;
  if (pipelines.data === undefined || keys.data === undefined) return null;
  const own = pipelines.data.filter((pipeline) => pipeline.project === project.id);
  const running = own.filter((pipeline) => pipeline.state !== 'stopped').map(({ name }) => name);
  const valid = keys.data.filter((key) => key.revokedAt === null).map(({ name }) => name);
  if (running.length + valid.length > 0)
    return <Blocked {...props} error={null} running={running} valid={valid} onClose={onClose} />;
  return <Question {...props} pipelines={own.length} />;
}

function Question({ project, pipelines, onDone, onClose }: Props & { pipelines: number }) {
  const { t } = useTranslation();
  const remove = useDeleteProject();
  const download = useDownload();
  const { id, name } = project;
  return (
    <ConfirmDialog
      title={t('projectFiles.deleteTitle', { name })}
      tick={t('projectFiles.deleteTick', { name })}
      keep={t('projectFiles.keep')}
      act={t('projectFiles.deleteSubmit')}
      call={remove}
      onConfirm={() => remove.mutate(id, { onSuccess: () => onDone(t('projectFiles.deleted', { name })) })}
      onClose={onClose}
    >
      <p>
        <b>{t('projectFiles.deleteWhat', { count: pipelines })}</b> {t('projectFiles.deleteAlso')}
      </p>
      <Note>
        <p>
          <Trans
            t={t}
            i18nKey="projectFiles.deleteGentle"
            components={{ a: <TextButton onClick={() => download(projectExportPath(id))} /> }}
          />
        </p>
      </Note>
    </ConfirmDialog>
  );
}

const NAMES_LISTED_MAX = 5;

function Blocked({
  project,
  error,
  running,
  valid,
  onClose,
}: Props & { error: Error | null; running: string[]; valid: string[] }) {
  const { t } = useTranslation();
  const counted = (names: string[]) => {
    const more = names.length - NAMES_LISTED_MAX;
    const rest = more > 0 ? ` ${t('common.andMore', { count: more })}` : '';
    return { count: names.length, names: names.slice(0, NAMES_LISTED_MAX).join(', ') + rest };
  };
  return (
    <Dialog
      title={t('projectFiles.blockedTitle', { name: project.name })}
      onDismiss={onClose}
      foot={
        <>
          {running.length > 0 && (
            <Button component={Link} href={`/pipelines?project=${project.id}`}>
              {t('projectFiles.toPipelines')}
            </Button>
          )}
          {valid.length > 0 && (
            <Button component={Link} href={`/settings/api-keys?project=${project.id}`}>
              {t('projectFiles.toKeys')}
            </Button>
          )}
          <span className="grow" />
          <Button data-autofocus variant="filled" onClick={onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      {error !== null && <ErrorNote error={error} />}
      {running.length > 0 && <p>{t('projectFiles.blockedRunning', counted(running))}</p>}
      {valid.length > 0 && <p>{t('projectFiles.blockedKeys', counted(valid))}</p>}
    </Dialog>
  );
}
