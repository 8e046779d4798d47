import { Button } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Note } from './note.tsx';

/** A value that loads faster needs no indicator. */
const QUIET_MS = 200;
/** After this time the user may send the request again. The call itself ends after 30 s. */
const SLOW_MS = 6_000;

interface Props {
  of: { isPending: boolean; refetch: (options: { cancelRefetch: boolean }) => unknown };
  /** Instead of the sentence, until the answer is late. */
  children?: ReactNode;
}

/** In place of a value that is loaded for the first time. If the service takes long, it shows a message and offers a retry. */
export function Loading({ of, children }: Props) {
  const [round, setRound] = useState(0);
  if (!of.isPending) return null;
  const again = () => {
    setRound((before) => before + 1);
    of.refetch({ cancelRefetch: true });
  };
  return (
    <Waiting key={round} onAgain={again}>
      {children}
    </Waiting>
  );
}

function Waiting({ onAgain, children }: { onAgain: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  const phase = useLoadPhase();
  if (phase === 'quiet') return null;
  if (phase === 'loading') return children ?? <p className="t3">{t('common.loading')}</p>;
  return <Note title={t('error.slow')} action={<Button onClick={onAgain}>{t('common.again')}</Button>} />;
}

export function useLoadPhase(): 'quiet' | 'loading' | 'slow' {
  const [phase, setPhase] = useState<'quiet' | 'loading' | 'slow'>('quiet');
  useEffect(() => {
    const quiet = setTimeout(() => setPhase('loading'), QUIET_MS);
    const slow = setTimeout(() => setPhase('slow'), SLOW_MS);
    return () => {
      clearTimeout(quiet);
      clearTimeout(slow);
    };
  }, []);
  return phase;
}
