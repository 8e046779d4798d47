import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProjectRecord } from '#common/model/records.ts';
import { useChosenProject } from '#api/chosen-project.ts';
import { useRoutesOpenApi } from '#api/routes-queries.ts';
import { CodeEditor } from '#ui/code/code-editor.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { DialogFoot } from '#ui/dialog-foot.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { Icon } from '#ui/icon.tsx';
import { Loading } from '#ui/loading.tsx';
import { ProjectPicker } from '#ui/project-picker.tsx';
import { saveFile } from '#ui/save-file.ts';

const ROWS = 18;

export function OpenApiDialog({ onClose }: { onClose: () => void }) {
  const { project, projects } = useChosenProject();
  const [picked, setPicked] = useState<string | null>(null);
  const shown = projects?.find(({ id }) => id === picked) ?? project;
  if (shown === null || projects === undefined) return null;
  return <Document project={shown} projects={projects} onPick={setPicked} onClose={onClose} />;
}

interface Props {
  project: ProjectRecord;
  projects: readonly ProjectRecord[];
  onPick: (id: string) => void;
  onClose: () => void;
}

/** The document of one project, to read here or to download. */
function Document({ project, projects, onPick, onClose }: Props) {
  const { t } = useTranslation();
  const [drafts, setDrafts] = useState(false);
  const document = useRoutesOpenApi(project.id, drafts);
  const file = `${project.id}-openapi.json`;
  const text = document.data === undefined ? null : JSON.stringify(document.data, null, 2);
  return (
    <Dialog
      wide
      title={t('routes.api.title', { project: project.name })}
      onDismiss={onClose}
      foot={
        <DialogFoot keep={t('common.close')} onKeep={onClose}>
          {' '}
          <Button
            variant="filled"
            disabled={text === null}
            onClick={() => text !== null && saveFile(file, new Blob([text], { type: 'application/json' }))}
            leftSection={<Icon name="save" />}
          >
            {t('routes.api.download', { file })}
          </Button>
        </DialogFoot>
      }
    >
      <p className="t2">{t('routes.api.help')}</p>
      <div className="row wrap">
        <ProjectPicker project={project} projects={projects} choose={onPick} />
        <Checkbox
          label={t('routes.api.drafts')}
          checked={drafts}
          onChange={(event) => setDrafts(event.currentTarget.checked)}
        />
      </div>
      <Loading of={document} />
      {document.isError && <ErrorNote error={document.error} />}
      {text !== null && (
        <div className="openapi-text">
          <CodeEditor label={t('routes.api.document')} language="json" value={text} rows={ROWS} />
        </div>
      )}
    </Dialog>
  );
}
