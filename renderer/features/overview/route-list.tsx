import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { PipelineRecord } from '#common/model/records.ts';
import { usePipelines } from '#api/queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { PipelineStateChip } from '#ui/pipeline-state.tsx';
import { RouteName } from '#ui/route-name.tsx';
import { routesOf, type RouteView } from '#ui/routes-of.ts';
import { Tags } from '#ui/tags.tsx';

/** Every route that a pipeline publishes or would publish, running ones first. */
export function RouteList() {
  const { t } = useTranslation();
  const pipelines = usePipelines();
  const rows = (pipelines.data ?? [])
    .toSorted((a, b) => Number(b.state === 'running') - Number(a.state === 'running'))
    .flatMap((pipeline) => routesOf(pipeline).map((route) => ({ pipeline, route })));
  return (
    <Panel title={t('overview.routes')} side={<Link href="/pipelines">{t('overview.toPipelines')}</Link>}>
      {pipelines.isError && <ErrorNote error={pipelines.error} />}
      {pipelines.data && rows.length === 0 && <Empty title={t('overview.noRoutes')} help={t('pipelines.emptyHelp')} />}
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>{t('overview.route')}</th>
              <th>{t('overview.pipeline')}</th>
              <th>{t('overview.access')}</th>
              <th>{t('overview.stateColumn')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ pipeline, route }) => (
              <RouteRow
                key={`${pipeline.project}/${pipeline.id}/${route.method}${route.pattern}`}
                pipeline={pipeline}
                route={route}
              />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function RouteRow({ pipeline, route }: { pipeline: PipelineRecord; route: RouteView }) {
  const { t } = useTranslation();
  const none = route.isPublic ? t('overview.public') : t('overview.anyKey', { project: pipeline.project });
  return (
    <tr className={pipeline.state === 'failed' ? 'abnormal' : pipeline.state === 'stopped' ? 'dim' : ''}>
      <td>
        <RouteName method={route.method} pattern={route.pattern} />
      </td>
      <td>
        <Link href={`/pipelines/${pipeline.project}/${pipeline.id}`} className="touch">
          {pipeline.name}
        </Link>
      </td>
      <td>{route.isPublic ? <span className="t2">{none}</span> : <Tags names={route.scopes} none={none} />}</td>
      <td>
        <PipelineStateChip state={pipeline.state} />
      </td>
    </tr>
  );
}
