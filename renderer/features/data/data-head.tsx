import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { useChosenProject } from '#api/chosen-project.ts';
import { usePermission } from '#api/session.ts';
import { PageHead } from '#ui/page-head.tsx';
import { ProjectPicker } from '#ui/project-picker.tsx';
import { useAddress } from '#ui/use-address.ts';

const TABS = ['tags', 'trend', 'queries', 'variables', 'files', 'scripts'] as const;

/** The head of each part of Data: its summary, its actions, and links to the other parts. */
export function DataHead({ answer, actions }: { answer?: ReactNode; actions?: ReactNode }) {
  const { t } = useTranslation();
  const [path] = useLocation();
  const { project, projects, choose } = useChosenProject();
  const chosen = useAddress().read('project');
  const search = chosen === '' ? '' : `?project=${encodeURIComponent(chosen)}`;
  const mayEdit = usePermission('edit_pipelines');
  return (
    <>
      <PageHead title={t('nav.data')} answer={answer} actions={actions} />
      <div className="row wrap">
        <nav className="segments" aria-label={t('data.parts')}>
          {TABS.map((tab) => (
            <Link
              key={tab}
              href={`/data/${tab}${search}`}
              aria-current={path.startsWith(`/data/${tab}`) ? 'page' : undefined}
            >
              {t(`data.tab.${tab}`)}
            </Link>
          ))}
        </nav>
        {project && projects && <ProjectPicker {...{ project, projects, choose }} />}
        {!mayEdit && <span className="t3">{t('data.readOnly')}</span>}
      </div>
    </>
  );
}
