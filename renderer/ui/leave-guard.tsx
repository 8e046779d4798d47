import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { holdPage, type WayOut } from './held-page.ts';
import { guardUnsaved } from './unsaved.ts';

/** The texts of the question: title, lead, keep, submit. */
type Words = 'shell.leave' | 'keys.leave' | 'tokens.leave';

/**
 * Protects unsaved input: leaving the page is confirmed first, whether by `leave`, a link of the UI or the browser
 * (Back, Forward, reload, close).
 */
export function useLeaveGuard(
  active: boolean,
  words: Words = 'shell.leave',
): { leave: (go: () => void) => void; question: React.ReactNode } {
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<WayOut | null>(null);
  useEffect(() => {
    if (!active) return undefined;
    // Before the link itself handles the event.
    const hear = (event: MouseEvent) => {
      const href = addressOf(event);
      if (href === null) return;
      event.preventDefault();
      setAsked(wayTo(() => navigate(href)));
    };
    const release = holdPage(setAsked);
    const stop = guardUnsaved(() => true);
    document.addEventListener('click', hear, { capture: true });
    return () => {
      release();
      // Saved in the meantime: no question is needed.
      setAsked(null);
      stop();
      document.removeEventListener('click', hear, { capture: true });
    };
  }, [active, navigate]);
  const answer = (act: () => void) => () => {
    setAsked(null);
    act();
  };
  return {
    leave: (go) => (active ? setAsked(wayTo(go)) : go()),
    question: asked && <LeaveDialog words={words} onLeave={answer(asked.go)} onStay={answer(asked.stay)} />,
  };
}

/** The navigation has not begun: staying needs no action. */
const wayTo = (go: () => void): WayOut => ({ go, stay: () => undefined });

/** The destination of a plain click in this window; null: none, or another window. */
function addressOf(event: MouseEvent): string | null {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download') || link.target !== '') return null;
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return null;
  return link.origin === location.origin ? link.pathname + link.search : null;
}

interface DialogProps {
  words: Words;
  onLeave: () => void;
  onStay: () => void;
}

function LeaveDialog({ words, onLeave, onStay }: DialogProps) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t(`${words}.title`)}
      keep={t(`${words}.keep`)}
      act={t(`${words}.submit`)}
      onConfirm={onLeave}
      onClose={onStay}
    >
      <p>{t(`${words}.lead`)}</p>
    </ConfirmDialog>
  );
}
