import { useTranslation } from 'react-i18next';
import { EmptyPanel } from './empty-panel.tsx';

/** For a page that needs a project if there is none. */
export function NoProject() {
  const { t } = useTranslation();
  return (
    <EmptyPanel
      title={t('pipelines.noProject')}
      help={t('pipelines.noProjectHelp')}
      href="/projects/new"
      link={t('pipelines.createProject')}
    />
  );
}
