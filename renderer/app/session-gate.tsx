import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession, useSessionElsewhere } from '../api/session.ts';
import { useSetupProgress } from '../api/setup-progress.ts';
import { LogInPage } from '../features/log-in/log-in-page.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { part } from '../ui/part/part.tsx';
import { FrontBar } from './front-bar.tsx';
import { addLaterTexts } from './i18n.ts';
import { Shell } from './shell.tsx';

/** Used once in the life of an appliance, so it is not part of the first download. */
const SetupPage = part(
  async () => (await Promise.all([import('../features/setup/setup-page.tsx'), addLaterTexts()]))[0].SetupPage,
  { Frame: Front, isPage: true },
);

/** Decides which of three windows is shown: set-up, log-in, or the appliance itself. */
export function SessionGate() {
  const { t } = useTranslation();
  const session = useSession();
  useSessionElsewhere();
  const user = session.data?.kind === 'in' ? session.data.user : null;
  const progress = useSetupProgress(user?.name ?? null);
  if (session.isPending) return <FrontBar />;
  // If the session cannot be read for a moment, the page and its input are kept.
  if (session.data === undefined) {
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
  if (session.data.kind === 'out') return <LogInPage bar={<FrontBar />} ended={session.data.ended === true} />;
  const mayGoOn = session.data.kind === 'in' && session.data.permissions.includes('access_settings');
  if (session.data.kind === 'setup' || (mayGoOn && progress?.later === false))
    return <SetupPage bar={<FrontBar />} progress={progress} />;
  return <Shell user={session.data.user} />;
}

function Front({ note }: { note: ReactNode }) {
  return (
    <>
      <FrontBar />
      {note !== null && <div className="empty">{note}</div>}
    </>
  );
}
