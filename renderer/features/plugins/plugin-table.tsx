import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PluginRecord } from '#api/plugins-queries.ts';
import { Chip } from '#ui/chip.tsx';
import { Panel } from '#ui/panel.tsx';
import type { ShapeName } from '#ui/shape.tsx';
import { ListTable } from '#ui/list-table.tsx';
import { TwoLines } from '#ui/two-lines.tsx';
import { RowMenu } from '#ui/row-menu.tsx';
import { stateOf, type PluginState } from './plugin-view.ts';
import { useAbilities } from './use-abilities.ts';

interface Props {
  plugins: PluginRecord[];
  onLook: (plugin: PluginRecord) => void;
  onRemove: (plugin: PluginRecord) => void;
}

export function PluginTable({ plugins, onLook, onRemove }: Props) {
  const { t } = useTranslation();
  return (
    <Panel>
      <ListTable
        columns={[t('plugins.name'), t('plugins.brings'), t('plugins.asks'), t('plugins.state')]}
        actions={t('plugins.actionsShort')}
      >
        {plugins.map((plugin) => (
          <PluginRow key={plugin.id + plugin.digest} {...{ plugin, onLook, onRemove }} />
        ))}
      </ListTable>
    </Panel>
  );
}

const SHAPES: Record<PluginState, ShapeName> = { waits: 'advisory', loaded: 'running', notLoaded: 'alarm' };

function PluginRow({ plugin, onLook, onRemove }: Omit<Props, 'plugins'> & { plugin: PluginRecord }) {
  const { t } = useTranslation();
  const state = stateOf(plugin);
  return (
    <tr className={state === 'notLoaded' ? 'abnormal' : ''}>
      <td>
        <TwoLines name={plugin.name} id={`${plugin.id} ${plugin.version}`} />
      </td>
      <td>{plugin.kinds.map(({ title }) => title).join(', ')}</td>
      <td className="break">{useAbilities(plugin).join(', ') || t('plugins.nothing')}</td>
      <td>
        <span className="plugin-state">
          <Chip shape={SHAPES[state]}>{t(`plugins.${state}`)}</Chip>
          {plugin.trusted && (
            <Chip shape="warning">{state === 'waits' ? t('plugins.wantsTrust') : t('plugins.trustedCode')}</Chip>
          )}
          {state === 'notLoaded' && plugin.reason !== null && (
            <small className="t2 break">{t('common.reason', { reason: plugin.reason })}</small>
          )}
        </span>
      </td>
      <td className="number-cell tight-cell">
        <span className="row run-controls">
          {state === 'waits' && (
            <Button
              variant="subtle"
              aria-label={t('plugins.approveNamed', { name: plugin.name })}
              onClick={() => onLook(plugin)}
            >
              {t('plugins.approve')}
            </Button>
          )}
          <RowMenu label={t('plugins.actions', { name: plugin.name })}>
            <Menu.Item onClick={() => onLook(plugin)}>{t('plugins.details')}</Menu.Item>
            <Menu.Item onClick={() => onRemove(plugin)}>{t('plugins.remove')}</Menu.Item>
          </RowMenu>
        </span>
      </td>
    </tr>
  );
}
