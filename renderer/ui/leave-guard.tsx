import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { ConfirmDialog } from './confirm-dialog.tsx';

/**
 * Keeps what was not saved: a way out of the page is asked about first, be it `leave`, a link of the window or the
 * browser's own.
 */
export function useLeaveGuard(active: boolean): { leave: (go: () => void) => void; question: React.ReactNode } {
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<{ go: () => void } | null>(null);
  useEffect(() => {
    if (!active) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    // Before the link itself hears of it.
    const hear = (event: MouseEvent) => {
      const href = addressOf(event);
      if (href === null) return;
      event.preventDefault();
      setAsked({ go: () => navigate(href) });
    };
    window.addEventListener('beforeunload', ask);
    document.addEventListener('click', hear, { capture: true });
    return () => {
      window.removeEventListener('beforeunload', ask);
      document.removeEventListener('click', hear, { capture: true });
    };
  }, [active, navigate]);
  return {
    leave: (go) => (active ? setAsked({ go }) : go()),
    question: asked && <LeaveDialog onLeave={asked.go} onClose={() => setAsked(null)} />,
  };
}

/** Where a plain click leads within this window; null: nowhere, or to another one. */
function addressOf(event: MouseEvent): string | null {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download') || link.target !== '') return null;
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return null;
  return link.origin === location.origin ? link.pathname + link.search : null;
}

function LeaveDialog({ onLeave, onClose }: { onLeave: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('shell.leave.title')}
      keep={t('shell.leave.keep')}
      act={t('shell.leave.submit')}
      pending={false}
      error={null}
      onConfirm={() => {
        onClose();
        onLeave();
      }}
      onClose={onClose}
    >
      <p>{t('shell.leave.lead')}</p>
    </ConfirmDialog>
  );
}
