import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answered } from '#api/answers.ts';
import { Note } from '../note.tsx';
import { holdsUnsaved } from '../unsaved.ts';
import { PartGone } from './fetch-part.ts';

/** In place of a part that is loaded as soon as Sluice responds. */
export function WaitNote() {
  const { t } = useTranslation();
  return (
    <Note kind="warning" title={t('error.unreachable')}>
      <p className="t2">{t('shell.part.waits')}</p>
    </Note>
  );
}

interface Props {
  error: unknown;
  again: () => void;
  isPage: boolean;
}

/** In place of a part that failed. */
export function FallenNote({ error, again, isPage }: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  if (error instanceof PartGone) return <GoneNote isPage={isPage} />;
  const tryAgain = () => {
    // The error may be caused by the loaded data, with which it would be rendered again.
    client.removeQueries({ type: 'inactive' });
    again();
  };
  return (
    <Note
      kind="error"
      title={t('shell.part.failed')}
      action={<Button onClick={tryAgain}>{t('common.again')}</Button>}
    />
  );
}

/** Reloads the window, automatically if no input would be lost. */
function GoneNote({ isPage }: { isPage: boolean }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [reading, setReading] = useState(false);
  useEffect(() => {
    if (isPage && client.isMutating() === 0 && !isHeld()) readAnewOnce();
  }, [isPage, client]);
  const readAnew = async () => {
    setReading(true);
    // Without a response the browser would show its own error page permanently.
    await answered();
    location.reload();
    // The user may have chosen to stay.
    setReading(false);
  };
  return (
    <Note
      kind="error"
      title={t('shell.part.gone')}
      action={
        <Button loading={reading} onClick={() => void readAnew()}>
          {t('shell.part.reload')}
        </Button>
      }
    >
      <p className="t2">{t('shell.part.goneHelp')}</p>
    </Note>
  );
}

/** A dialog contains input, and has no guard. */
const isHeld = () => holdsUnsaved() || document.querySelector('[role=dialog]') !== null;

const READ_ANEW = 'sluice.read-anew';
const READ_ANEW_MS = 10_000;

/** If that does not help, the note remains. */
function readAnewOnce(): void {
  const last = Number(sessionStorage.getItem(READ_ANEW));
  if (Date.now() - last <= READ_ANEW_MS) return;
  sessionStorage.setItem(READ_ANEW, String(Date.now()));
  location.reload();
}
