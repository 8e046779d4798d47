import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PipelineRecord } from '#common/model/records.ts';
import { useRecentRows } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Panel } from '#ui/panel.tsx';
import { RouteName } from '#ui/route-name.tsx';
import { routesOf, type RouteView } from '#ui/routes-of.ts';
import { Ago } from '#ui/time.tsx';

interface Props {
  pipeline: PipelineRecord;
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Says which routes stop answering and who called each of them last. */
export function StopDialog({ pipeline, pending, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const routes = routesOf(pipeline);
  return (
    <Dialog
      title={t('pipelines.stopTitle', { name: pipeline.name })}
      onDismiss={onClose}
      foot={
        <>
          <span className="grow" />
          <Button data-autofocus onClick={onClose}>
            {t('pipelines.stopKeep')}
          </Button>
          <Button variant="danger" loading={pending} onClick={onConfirm}>
            {t('pipelines.stopNamed', { name: pipeline.name })}
          </Button>
        </>
      }
    >
      <p>{t('pipelines.stopText')}</p>
      {routes.length > 0 && (
        <Panel>
          <table className="read">
            <thead>
              <tr>
                <th>{t('pipelines.stopRoutes')}</th>
                <th>{t('pipelines.stopCaller')}</th>
              </tr>
            </thead>
            <tbody>
              {routes.map((route) => (
                <StopRow key={route.method + route.pattern} route={route} pipeline={pipeline} />
              ))}
            </tbody>
          </table>
        </Panel>
      )}
    </Dialog>
  );
}

function StopRow({ route, pipeline }: { route: RouteView; pipeline: PipelineRecord }) {
  const { t } = useTranslation();
  const mayAudit = usePermission('view_audit');
  const rows = useRecentRows({ route: route.pattern, type: 'outcome' }, 20, mayAudit).data;
  const last = rows?.find((row) => row.project === pipeline.project && row.pipeline === pipeline.id);
  return (
    <tr>
      <td>
        <RouteName method={route.method} pattern={route.pattern} />
      </td>
      <td>
        {last ? (
          <>
            {last.keyName ?? last.ip}, <Ago iso={last.time} />
          </>
        ) : (
          <span className="t3">{rows ? t('pipelines.stopNobody') : '–'}</span>
        )}
      </td>
    </tr>
  );
}
