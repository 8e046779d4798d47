import { useTranslation } from 'react-i18next';
import { useSession } from '../api/session.ts';
import { LogInPage } from '../features/log-in/log-in-page.tsx';
import { SetupPage } from '../features/setup/setup-page.tsx';
import { Button } from '@mantine/core';
import { ErrorNote } from '../ui/error-note.tsx';
import { FrontBar } from './front-bar.tsx';
import { Shell } from './shell.tsx';

/** Decides which of three windows stands: set-up, log-in, or the appliance itself. */
export function SessionGate() {
  const { t } = useTranslation();
  const session = useSession();
  if (session.isPending) return <FrontBar />;
  if (session.isError) {
    return (
      <>
        <FrontBar />
        <div className="empty">
          <ErrorNote error={session.error} />
          <Button variant="filled" onClick={() => void session.refetch()}>
            {t('common.again')}
          </Button>
        </div>
      </>
    );
  }
  if (session.data.kind === 'setup') return <SetupPage bar={<FrontBar />} hint={session.data.detail} />;
  if (session.data.kind === 'out') return <LogInPage bar={<FrontBar />} />;
  return <Shell user={session.data.user} />;
}
