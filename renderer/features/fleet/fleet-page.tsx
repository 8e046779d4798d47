import { useTranslation } from 'react-i18next';
import type { FleetRecord, HubFleet } from '#common/contract/fleet.ts';
import { useFleet } from '#api/fleet-queries.ts';
import { LoadError } from '#ui/load-error.tsx';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { permittedPage } from '#ui/permitted-page.tsx';
import { SettingsTabs } from '#ui/settings-tabs.tsx';
import { EdgePanel } from './edge-panel.tsx';
import { HubPanel } from './hub-panel.tsx';
import { isTroubled } from './edge-state.ts';

export const FleetPage = permittedPage('manage_keys', Fleet, {
  title: (t) => t('settingsTabs.fleet'),
  only: (t) => t('fleet.only'),
});

/** On a hub its edges, on an edge its hub. */
function Fleet() {
  const { t } = useTranslation();
  const fleet = useFleet();
  return (
    <>
      <PageHead title={t('settingsTabs.fleet')} answer={fleet.data && <Answer fleet={fleet.data} />} />
      <SettingsTabs />
      <LoadingRows of={fleet} />
      {fleet.isError && <LoadError error={fleet.error} />}
      {fleet.data && <Body fleet={fleet.data} />}
    </>
  );
}

function Body({ fleet }: { fleet: FleetRecord }) {
  const { t } = useTranslation();
  switch (fleet.role) {
    case 'hub':
      return <HubPanel fleet={fleet} />;
    case 'edge':
      return <EdgePanel fleet={fleet} />;
    case 'none':
      return (
        <Panel>
          <Empty title={t('fleet.noFleet')} help={t('fleet.noFleetHelp')} />
        </Panel>
      );
  }
}

function Answer({ fleet }: { fleet: FleetRecord }) {
  const { t } = useTranslation();
  if (fleet.role === 'none') return t('fleet.answer.no');
  if (fleet.role === 'edge') return t('fleet.answer.edge', { edge: fleet.edge });
  return <HubAnswer edges={fleet.edges} />;
}

function HubAnswer({ edges }: Pick<HubFleet, 'edges'>) {
  const { t } = useTranslation();
  const total = edges.length;
  if (total === 0) return t('fleet.answer.none');
  const connected = edges.filter(({ contact }) => contact === 'connected').length;
  const troubled = edges.filter(isTroubled).length;
  return (
    <>
      {connected === total ? t('fleet.answer.all', { count: total }) : t('fleet.answer.some', { connected, total })}{' '}
      {troubled > 0 && <b>{t('fleet.answer.troubled', { count: troubled })}</b>}
    </>
  );
}
