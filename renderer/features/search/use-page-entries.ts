import { useTranslation } from 'react-i18next';
import { STORE_FORWARD } from '#api/alarm-kind.ts';
import { usePermission } from '#api/session.ts';
import { useSettingsTabs } from '#ui/settings-tabs.tsx';
import type { Entry } from './entries.ts';

const DATA = ['tags', 'trend', 'queries', 'variables', 'files', 'scripts'] as const;

/** The pages that the user may open. */
export function usePageEntries(): Entry[] {
  const { t } = useTranslation();
  const mayAudit = usePermission('view_audit');
  const mayEdit = usePermission('edit_pipelines');
  const settings = useSettingsTabs();
  const page = (href: string, label: string, note = ''): Entry => ({ id: href, label, note, href });
  return [
    page('/', t('nav.overview')),
    page('/pipelines', t('nav.pipelines')),
    ...(mayEdit ? [page('/pipelines/new', t('pipelines.create'), t('nav.pipelines'))] : []),
    page('/projects', t('projectFiles.title'), t('nav.pipelines')),
    page('/routes', t('nav.routes')),
    page(STORE_FORWARD, t('nav.storeForward')),
    ...(mayAudit ? [page('/journal', t('nav.journal'))] : []),
    page('/alarms', t('alarms.history.title')),
    ...DATA.map((name) => page(`/data/${name}`, t(`data.tab.${name}`), t('nav.data'))),
    ...settings.map(({ name, href }) => page(href, t(`settingsTabs.${name}`), t('nav.settings'))),
    page('/help', t('nav.help')),
  ];
}
