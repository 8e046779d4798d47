import { lazy, Suspense, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Redirect, Route, Switch } from 'wouter';
import { PageHead } from '../ui/page-head.tsx';

/** Each page comes when it is first opened. */
const ApiKeysPage = page(async () => (await import('../features/api-keys/api-keys-page.tsx')).ApiKeysPage);
const RotationPage = page(async () => (await import('../features/api-keys/rotation-page.tsx')).RotationPage);
const BackupPage = page(async () => (await import('../features/backup/backup-page.tsx')).BackupPage);
const ConnectionsPage = page(
  async () => (await import('../features/connections/connections-page.tsx')).ConnectionsPage,
);
const DataPage = page(async () => (await import('../features/data/data-page.tsx')).DataPage);
const EditorPage = page(async () => (await import('../features/pipeline-editor/editor-page.tsx')).EditorPage);
const GatewayPage = page(async () => (await import('../features/gateway-settings/gateway-page.tsx')).GatewayPage);
const HelpPage = page(async () => (await import('../features/help/help-page.tsx')).HelpPage);
const JournalPage = page(async () => (await import('../features/journal/journal-page.tsx')).JournalPage);
const NewPipelinePage = page(async () => (await import('../features/pipelines/new-pipeline-page.tsx')).NewPipelinePage);
const NewProjectPage = page(async () => (await import('../features/projects/new-project-page.tsx')).NewProjectPage);
const OverviewPage = page(async () => (await import('../features/overview/overview-page.tsx')).OverviewPage);
const PeoplePage = page(async () => (await import('../features/people/people-page.tsx')).PeoplePage);
const PipelinesPage = page(async () => (await import('../features/pipelines/pipelines-page.tsx')).PipelinesPage);
const PluginsPage = page(async () => (await import('../features/plugins/plugins-page.tsx')).PluginsPage);
const ProjectsPage = page(async () => (await import('../features/projects/projects-page.tsx')).ProjectsPage);
const RoutesPage = page(async () => (await import('../features/routes/routes-page.tsx')).RoutesPage);
const StoreForwardPage = page(
  async () => (await import('../features/store-forward/store-forward-page.tsx')).StoreForwardPage,
);

function page<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await load().catch(readAnew) }));
}

const READ_ANEW = 'sluice.read-anew';
const READ_ANEW_MS = 10_000;

/**
 * A part that cannot be had belongs to a version that is no longer installed: the window is read anew, once. When that
 * does not help either, the error stands.
 */
function readAnew(error: unknown): never {
  const last = Number(sessionStorage.getItem(READ_ANEW));
  if (Date.now() - last > READ_ANEW_MS) {
    sessionStorage.setItem(READ_ANEW, String(Date.now()));
    location.reload();
  }
  throw error;
}

export function Pages() {
  const { t } = useTranslation();
  return (
    <Suspense fallback={<p className="t3">{t('common.loading')}</p>}>
      <Switch>
        <Route path="/" component={OverviewPage} />
        <Route path="/pipelines" component={PipelinesPage} />
        <Route path="/pipelines/new" component={NewPipelinePage} />
        <Route path="/pipelines/:project/:pipeline">
          {({ project, pipeline }) => <EditorPage key={`${project}/${pipeline}`} project={project} id={pipeline} />}
        </Route>
        <Route path="/projects" component={ProjectsPage} />
        <Route path="/projects/new" component={NewProjectPage} />
        <Route path="/routes" component={RoutesPage} />
        <Route path="/store-forward" component={StoreForwardPage} />
        <Route path="/journal" component={JournalPage} />
        <Route path="/audit">
          <Redirect to="/journal" replace />
        </Route>
        <Route path="/data/*?" component={DataPage} />
        <Route path="/settings/api-keys" component={ApiKeysPage} />
        <Route path="/settings/api-keys/:project/:key/rotation">
          {({ project, key }) => <RotationPage project={project} keyId={key} />}
        </Route>
        <Route path="/settings/people" component={PeoplePage} />
        <Route path="/settings/gateway" component={GatewayPage} />
        <Route path="/settings/connections" component={ConnectionsPage} />
        <Route path="/settings/plugins" component={PluginsPage} />
        <Route path="/settings/backup" component={BackupPage} />
        <Route path="/settings">
          <Redirect to="/settings/api-keys" replace />
        </Route>
        <Route path="/help" component={HelpPage} />
        <Route component={NoPage} />
      </Switch>
    </Suspense>
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
