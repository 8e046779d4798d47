import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { ProjectRecord } from '#common/model/records.ts';
import { projectExportPath } from '#api/project-file-queries.ts';
import { usePermission } from '#api/session.ts';
import { RowMenu } from '#ui/row-menu.tsx';
import { useDownload } from '#ui/use-download.ts';

export interface ProjectAct {
  kind: 'apply' | 'rename' | 'delete';
  project: ProjectRecord;
}

/** The actions that this user may perform on a project; deleting it needs `access_settings` too. */
export function ProjectMenu({ project, onAct }: { project: ProjectRecord; onAct: (act: ProjectAct) => void }) {
  const { t } = useTranslation();
  const download = useDownload();
  const [, go] = useLocation();
  const mayEdit = usePermission('edit_pipelines');
  const mayDelete = usePermission('access_settings') && mayEdit;
  return (
    <RowMenu label={t('projectFiles.actionsFor', { name: project.name })}>
      <Menu.Item onClick={() => go(`/pipelines?project=${project.id}`)}>{t('projectFiles.open')}</Menu.Item>
      <Menu.Item onClick={() => download(projectExportPath(project.id))}>{t('projectFiles.export')}</Menu.Item>
      {mayEdit && <Menu.Item onClick={() => onAct({ kind: 'apply', project })}>{t('projectApply.menu')}</Menu.Item>}
      {mayEdit && <Menu.Item onClick={() => onAct({ kind: 'rename', project })}>{t('projectFiles.rename')}</Menu.Item>}
      {mayDelete && (
        <Menu.Item onClick={() => onAct({ kind: 'delete', project })}>{t('projectFiles.delete')}</Menu.Item>
      )}
    </RowMenu>
  );
}
