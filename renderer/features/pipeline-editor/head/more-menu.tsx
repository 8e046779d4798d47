import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { exportPipelinePath } from '#api/pipeline-queries.ts';
import { Icon } from '#ui/icon.tsx';
import { useDownload } from '#ui/use-download.ts';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import { tidyUp } from '../canvas/edit-acts.ts';
import { useEditorActions } from '../canvas/editor-actions.ts';

/** Rarely used actions. */
export function MoreMenu({ onDelete }: { onDelete: () => void }) {
  const { t } = useTranslation();
  const download = useDownload();
  const desk = useEditorActions();
  const { record, running, store, mayEdit } = useEditorContext();
  const showsRunning = useEditor((state) => state.showsRunning);
  const runs = record.state !== 'stopped';
  return (
    <Menu>
      <Menu.Target>
        <Button className="square" aria-label={t('editorDock.more')}>
          <Icon name="dots" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {running !== null && (
          <Menu.Item onClick={() => store.showRunning(!showsRunning)} rightSection={<kbd>R</kbd>}>
            {showsRunning ? t('editorDock.showDraft') : t('editorDock.showRunning')}
          </Menu.Item>
        )}
        {mayEdit && (
          <Menu.Item onClick={() => tidyUp(desk)} disabled={showsRunning}>
            {t('editorDock.tidy')}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => store.showPipeline()}>{t('editorDock.settings')}</Menu.Item>
        <Menu.Item onClick={() => download(exportPipelinePath(record.project, record.id))}>
          {t('editorDock.export')}
        </Menu.Item>
        {mayEdit && (
          <Menu.Item onClick={onDelete} disabled={runs}>
            {runs ? t('editorDock.deleteRuns') : t('editorDock.delete')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
