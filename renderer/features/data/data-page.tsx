import { useTranslation } from 'react-i18next';
import { Redirect, Route, Switch } from 'wouter';
import { useChosenProject } from '#api/chosen-project.ts';
import { usePermission } from '#api/session.ts';
import { LoadError } from '#ui/load-error.tsx';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { EmptyPanel } from '#ui/empty-panel.tsx';
import { FilesPart } from './files-part.tsx';
import { QueriesPart } from './queries-part.tsx';
import { ScriptsPart } from './scripts-part.tsx';
import { TagsPart } from './tags-part.tsx';
import { TrendPart } from './trend-part.tsx';
import { VariablesPart } from './variables-part.tsx';
import './data.css';

/** The resources of a project other than pipelines. */
export function DataPage() {
  const { t } = useTranslation();
  const { project, projects, error, query } = useChosenProject();
  if (error !== null) return <LoadError error={error} alone />;
  if (projects === undefined)
    return (
      <>
        <PageHead title={t('nav.data')} />
        <LoadingRows of={query} />
      </>
    );
  if (project === null) return <NoProject />;
  const { id } = project;
  return (
    <Switch>
      <Route path="/data/tags">
        <TagsPart key={id} project={id} />
      </Route>
      <Route path="/data/trend">
        <TrendPart key={id} project={id} />
      </Route>
      <Route path="/data/queries">
        <QueriesPart key={id} project={id} />
      </Route>
      <Route path="/data/variables">
        <VariablesPart key={id} project={id} />
      </Route>
      <Route path="/data/files">
        <FilesPart key={id} project={id} />
      </Route>
      <Route path="/data/scripts">
        <ScriptsPart key={id} project={id} />
      </Route>
      <Route>
        <Redirect to="/data/tags" replace />
      </Route>
    </Switch>
  );
}

function NoProject() {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  return (
    <>
      <PageHead title={t('nav.data')} />
      <EmptyPanel
        title={t('data.noProject')}
        help={t('data.noProjectHelp')}
        href="/projects/new"
        link={mayEdit ? t('data.makeProject') : null}
      />
    </>
  );
}
