import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import { Dialog } from './dialog.tsx';
import { LastCaller } from './last-caller.tsx';
import { Panel } from './panel.tsx';
import { RouteName } from './route-name.tsx';
import { routesOf } from './routes-of.ts';

interface Props {
  pipeline: PipelineDefinition & { project: string };
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Says which routes stop answering and who called each of them last. */
export function StopDialog({ pipeline, pending, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
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
      <CallerTable title={t('pipelines.stopRoutes')} pipeline={pipeline} />
    </Dialog>
  );
}

/** Each route with who called it last. */
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
        <thead>
          <tr>
            <th>{title}</th>
            <th>{t('pipelines.stopCaller')}</th>
          </tr>
        </thead>
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
