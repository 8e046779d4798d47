import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { PipelineRecord } from '#common/model/records.ts';
import { useRemovePlugin, type PluginRecord } from '#api/plugins-queries.ts';
import { usePipelines } from '#api/queries.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { confirmTexts } from '#ui/confirm-texts.ts';
import { InUseDialog } from '#ui/in-use-dialog.tsx';
import type { NoticeProps } from '#ui/dialog-props.ts';
import { usersOf } from './plugin-view.ts';

interface Props extends NoticeProps {
  plugin: PluginRecord;
  plugins: PluginRecord[];
}

export function RemovePluginDialog({ plugin, plugins, onNotice, onClose }: Props) {
  const { t } = useTranslation();
  const { running, stopped } = usersOf(plugin.id, plugins, usePipelines().data ?? []);
  if (running.length === 0) return <Confirm {...{ plugin, stopped, onNotice, onClose }} />;
  return (
    <InUseDialog
      title={t('plugins.removing.title', { name: plugin.name })}
      text={t('plugins.removing.used')}
      keep={t('plugins.removing.keep')}
      onClose={onClose}
    >
      <PipelineLinks pipelines={running} />
    </InUseDialog>
  );
}

function Confirm({ plugin, stopped, onNotice, onClose }: Omit<Props, 'plugins'> & { stopped: PipelineRecord[] }) {
  const { t } = useTranslation();
  const remove = useRemovePlugin();
  const { id, name } = plugin;
  const confirm = () =>
    remove.mutate(id, {
      onSuccess: () => {
        onNotice({ kind: 'done', text: t('plugins.removed', { name }) });
        onClose();
      },
    });
  return (
    <ConfirmDialog {...confirmTexts(t, 'plugins.removing', name)} call={remove} onConfirm={confirm} onClose={onClose}>
      <p>
        <b>{stopped.length === 0 ? t('plugins.removing.unused') : t('plugins.removing.stopped')}</b>
      </p>
      <PipelineLinks pipelines={stopped} />
      <p>{t('plugins.removing.what')}</p>
    </ConfirmDialog>
  );
}

const LINKS_MAX = 20;

function PipelineLinks({ pipelines }: { pipelines: PipelineRecord[] }) {
  if (pipelines.length === 0) return null;
  return (
    <ul className="pipeline-links">
      {pipelines.slice(0, LINKS_MAX).map(({ project, id, name }) => (
        <li key={`${project}/${id}`}>
          <Link href={`/pipelines/${project}/${id}`}>{name || id}</Link> <span className="t3">{project}</span>
        </li>
      ))}
    </ul>
  );
}
