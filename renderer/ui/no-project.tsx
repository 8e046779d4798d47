import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Empty, Panel } from './panel.tsx';

/** Where a page needs a project and there is none. */
export function NoProject() {
  const { t } = useTranslation();
  return (
    <Panel>
      <Empty title={t('pipelines.noProject')} help={t('pipelines.noProjectHelp')}>
        <Button component={Link} href="/projects/new" variant="filled">
          {t('pipelines.createProject')}
        </Button>
      </Empty>
    </Panel>
  );
}
