import { useTranslation } from 'react-i18next';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { LastCaller } from './last-caller.tsx';
import { Panel } from './panel.tsx';
import { RouteName } from './route-name.tsx';
import { routesOf } from './routes-of.ts';
import { TableHead } from './table-head.tsx';

interface Props {
  pipeline: PipelineDefinition & { project: string };
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Shows which routes will no longer respond and the last caller of each. */
export function StopDialog({ pipeline, pending, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('pipelines.stopTitle', { name: pipeline.name })}
      keep={t('pipelines.stopKeep')}
      act={t('pipelines.stopNamed', { name: pipeline.name })}
      call={{ isPending: pending, error: null }}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{t('pipelines.stopText')}</p>
      <CallerTable title={t('pipelines.stopRoutes')} pipeline={pipeline} />
    </ConfirmDialog>
  );
}

/** Each route with its last caller. */
export function CallerTable({
  title,
  pipeline,
}: {
  title: string;
  pipeline: PipelineDefinition & { project: string };
}) {
  const { t } = useTranslation();
  const routes = routesOf(pipeline);
  if (routes.length === 0) return null;
  return (
    <Panel>
      <table className="read">
        <TableHead columns={[title, t('pipelines.stopCaller')]} />
        <tbody>
          {routes.map((route) => (
            <tr key={route.method + route.pattern}>
              <td>
                <RouteName method={route.method} pattern={route.pattern} />
              </td>
              <td>
                <LastCaller route={route} project={pipeline.project} pipeline={pipeline.id} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
