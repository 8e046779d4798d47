import { useTranslation } from 'react-i18next';
import { Link, Redirect, Route, Switch } from 'wouter';
import { PageHead } from '../ui/page-head.tsx';
import { useFirstSettingsPage } from '../ui/settings-tabs.tsx';
import { page, wordyPage } from './page.tsx';

/** Each page is loaded when it is first opened, or a moment before. */
const AlarmsPage = wordyPage(async () => (await import('../features/alarms/alarms-page.tsx')).AlarmsPage);
const ApiKeysPage = wordyPage(async () => (await import('../features/api-keys/api-keys-page.tsx')).ApiKeysPage);
const RotationPage = page(async () => (await import('../features/api-keys/rotation-page.tsx')).RotationPage);
const BackupPage = page(async () => (await import('../features/backup/backup-page.tsx')).BackupPage);
const ConnectionsPage = page(
  async () => (await import('../features/connections/connections-page.tsx')).ConnectionsPage,
);
const DataPage = wordyPage(async () => (await import('../features/data/data-page.tsx')).DataPage);
const EditorPage = wordyPage(async () => (await import('../features/pipeline-editor/editor-page.tsx')).EditorPage);
const FleetPage = wordyPage(async () => (await import('../features/fleet/fleet-page.tsx')).FleetPage);
const GatewayPage = wordyPage(async () => (await import('../features/gateway-settings/gateway-page.tsx')).GatewayPage);
const HelpPage = page(async () => (await import('../features/help/help-page.tsx')).HelpPage);
const JournalPage = wordyPage(async () => (await import('../features/journal/journal-page.tsx')).JournalPage);
const NewPipelinePage = wordyPage(
  async () => (await import('../features/pipelines/new-pipeline-page.tsx')).NewPipelinePage,
);
const NewProjectPage = page(async () => (await import('../features/projects/new-project-page.tsx')).NewProjectPage);
const OverviewPage = page(async () => (await import('../features/overview/overview-page.tsx')).OverviewPage);
const PeoplePage = page(async () => (await import('../features/people/people-page.tsx')).PeoplePage);
const PipelinesPage = wordyPage(async () => (await import('../features/pipelines/pipelines-page.tsx')).PipelinesPage);
const PluginsPage = page(async () => (await import('../features/plugins/plugins-page.tsx')).PluginsPage);
const ProjectsPage = wordyPage(async () => (await import('../features/projects/projects-page.tsx')).ProjectsPage);
const RoutesPage = page(async () => (await import('../features/routes/routes-page.tsx')).RoutesPage);
const ServiceTokensPage = wordyPage(
  async () => (await import('../features/service-tokens/service-tokens-page.tsx')).ServiceTokensPage,
);
const StoreForwardPage = page(
  async () => (await import('../features/store-forward/store-forward-page.tsx')).StoreForwardPage,
);

/** The page for a path, used to load it a moment before it is opened. */
const AT: readonly [RegExp, { preload: () => void }][] = [
  [/^\/$/, OverviewPage],
  [/^\/pipelines$/, PipelinesPage],
  [/^\/pipelines\/new$/, NewPipelinePage],
  [/^\/pipelines\/[^/]+\/[^/]+$/, EditorPage],
  [/^\/projects$/, ProjectsPage],
  [/^\/projects\/new$/, NewProjectPage],
  [/^\/routes$/, RoutesPage],
  [/^\/store-forward$/, StoreForwardPage],
  [/^\/journal$/, JournalPage],
  [/^\/data(\/|$)/, DataPage],
  [/^\/alarms$/, AlarmsPage],
  [/^\/settings(\/api-keys)?$/, ApiKeysPage],
  [/^\/settings\/api-keys\/.+\/rotation$/, RotationPage],
  [/^\/settings\/people$/, PeoplePage],
  [/^\/settings\/service-tokens$/, ServiceTokensPage],
  [/^\/settings\/fleet$/, FleetPage],
  [/^\/settings\/gateway$/, GatewayPage],
  [/^\/settings\/connections$/, ConnectionsPage],
  [/^\/settings\/plugins$/, PluginsPage],
  [/^\/settings\/backup$/, BackupPage],
  [/^\/help$/, HelpPage],
];

function preload(path: string): void {
  AT.find(([pattern]) => pattern.test(path))?.[1].preload();
}

/** The first page is loaded together with the session, and the next one when the user points at a link to it. */
function preloadPointedAt({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a') : null;
  if (link?.origin === location.origin) preload(link.pathname);
}
preload(location.pathname);
for (const moment of ['pointerover', 'focusin']) document.addEventListener(moment, preloadPointedAt, { passive: true });

export function Pages() {
  return (
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
      <Route path="/settings/service-tokens" component={ServiceTokensPage} />
      <Route path="/settings/fleet" component={FleetPage} />
      <Route path="/settings/gateway" component={GatewayPage} />
      <Route path="/settings/connections" component={ConnectionsPage} />
      <Route path="/settings/plugins" component={PluginsPage} />
      <Route path="/settings/backup" component={BackupPage} />
      <Route path="/settings" component={SettingsHome} />
      <Route path="/alarms" component={AlarmsPage} />
      <Route path="/help" component={HelpPage} />
      <Route component={NoPage} />
    </Switch>
  );
}

function SettingsHome() {
  return <Redirect to={useFirstSettingsPage()} replace />;
}

function NoPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={t('common.notFound')} answer={t('common.notFoundHelp')} />
      <Link href="/">{t('common.toOverview')}</Link>
    </>
  );
}
