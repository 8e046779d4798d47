import { useTranslation } from 'react-i18next';
import { Link, Redirect, Route, Switch } from 'wouter';
import { ApiKeysPage } from '../features/api-keys/api-keys-page.tsx';
import { JournalPage } from '../features/journal/journal-page.tsx';
import { OverviewPage } from '../features/overview/overview-page.tsx';
import { NewPipelinePage } from '../features/pipelines/new-pipeline-page.tsx';
import { PipelinePage } from '../features/pipelines/pipeline-page.tsx';
import { PipelinesPage } from '../features/pipelines/pipelines-page.tsx';
import { NewProjectPage } from '../features/projects/new-project-page.tsx';
import { StoreForwardPage } from '../features/store-forward/store-forward-page.tsx';
import { PageHead } from '../ui/page-head.tsx';

export function Pages() {
  return (
    <Switch>
      <Route path="/" component={OverviewPage} />
      <Route path="/pipelines" component={PipelinesPage} />
      <Route path="/pipelines/new" component={NewPipelinePage} />
      <Route path="/pipelines/:project/:pipeline">
        {({ project, pipeline }) => <PipelinePage key={`${project}/${pipeline}`} project={project} id={pipeline} />}
      </Route>
      <Route path="/projects/new" component={NewProjectPage} />
      <Route path="/store-forward" component={StoreForwardPage} />
      <Route path="/journal" component={JournalPage} />
      <Route path="/audit">
        <Redirect to="/journal" replace />
      </Route>
      <Route path="/settings/api-keys" component={ApiKeysPage} />
      <Route path="/settings">
        <Redirect to="/settings/api-keys" replace />
      </Route>
      <Route component={NoPage} />
    </Switch>
  );
}

function NoPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={t('common.notFound')} answer={t('common.notFoundMend')} />
      <Link href="/">{t('common.toOverview')}</Link>
    </>
  );
}
