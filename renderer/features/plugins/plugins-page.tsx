import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlugins, type PluginRecord } from '#api/plugins-queries.ts';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { NoticeLine, type Notice } from '#ui/notice-line.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { permittedPage } from '#ui/permitted-page.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { SettingsTabs } from '#ui/settings-tabs.tsx';
import { AddPluginButton } from './add-plugin-button.tsx';
import { PluginDialog } from './plugin-dialog.tsx';
import { PluginTable } from './plugin-table.tsx';
import { stateOf } from './plugin-view.ts';
import { RemovePluginDialog } from './remove-plugin-dialog.tsx';
import './plugins.css';

type Open = { kind: 'none' } | { kind: 'look' | 'remove'; plugin: PluginRecord };

export const PluginsPage = permittedPage('access_settings', Plugins, {
  title: (t) => t('settingsTabs.plugins'),
  only: (t) => t('plugins.only'),
});

function Plugins() {
  const { t } = useTranslation();
  const plugins = usePlugins();
  const [open, setOpen] = useState<Open>({ kind: 'none' });
  const [notice, setNotice] = useState<Notice | null>(null);
  const close = () => setOpen({ kind: 'none' });
  const add = (
    <AddPluginButton
      onNotice={setNotice}
      onAdded={(plugin) => {
        setNotice({ kind: 'done', text: t('plugins.added', { name: plugin.name }) });
        setOpen({ kind: 'look', plugin });
      }}
    />
  );
  return (
    <>
      <PageHead
        title={t('settingsTabs.plugins')}
        answer={plugins.data && <Answer plugins={plugins.data} />}
        actions={plugins.data && plugins.data.length > 0 && add}
      />
      <SettingsTabs />
      <NoticeLine notice={notice} onClose={() => setNotice(null)} />
      <LoadingRows of={plugins} />
      {plugins.data?.length === 0 && (
        <Panel>
          <Empty title={t('plugins.empty')} help={t('plugins.emptyHelp')}>
            {add}
          </Empty>
        </Panel>
      )}
      {plugins.data && plugins.data.length > 0 && (
        <PluginTable
          plugins={plugins.data}
          onLook={(plugin) => setOpen({ kind: 'look', plugin })}
          onRemove={(plugin) => setOpen({ kind: 'remove', plugin })}
        />
      )}
      {open.kind === 'look' && (
        <PluginDialog
          plugin={
            plugins.data?.find(({ id, digest }) => id === open.plugin.id && digest === open.plugin.digest) ??
            open.plugin
          }
          onNotice={setNotice}
          onClose={close}
        />
      )}
      {open.kind === 'remove' && (
        <RemovePluginDialog plugin={open.plugin} plugins={plugins.data ?? []} onNotice={setNotice} onClose={close} />
      )}
    </>
  );
}

function Answer({ plugins }: { plugins: PluginRecord[] }) {
  const { t } = useTranslation();
  const count = (wanted: string) => plugins.filter((plugin) => stateOf(plugin) === wanted).length;
  const waiting = count('waits');
  const broken = count('notLoaded');
  const ids = new Set(plugins.map(({ id }) => id));
  return (
    <>
      {t('plugins.answer', { count: ids.size })} {broken > 0 && <b>{t('plugins.broken', { count: broken })} </b>}
      {waiting > 0 && <b>{t('plugins.waiting', { count: waiting })}</b>}
    </>
  );
}
