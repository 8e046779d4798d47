import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSetKiosk } from '#api/desktop-queries.ts';
import { useStatus } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { Panel } from '#ui/panel.tsx';

/** The desktop window of Sluice, if there is one: whether it fills the screen of a panel, and how to leave that. */
export function WindowPanel() {
  const { t } = useTranslation();
  const desktop = useStatus().data?.desktop;
  const may = usePermission('access_settings');
  const set = useSetKiosk();
  if (desktop === undefined) return null;
  const { kiosk } = desktop;
  return (
    <Panel title={t('shell.window.title')}>
      <div className="body stack">
        <p>{t(kiosk ? 'shell.window.kiosk' : 'shell.window.free')}</p>
        {may ? (
          <div>
            <Button loading={set.isPending} onClick={() => set.mutate(!kiosk)}>
              {t(kiosk ? 'shell.window.leave' : 'shell.window.fill')}
            </Button>
          </div>
        ) : (
          <p className="t2">{t('shell.window.needs')}</p>
        )}
        {set.isError && <ErrorNote error={set.error} />}
      </div>
    </Panel>
  );
}
