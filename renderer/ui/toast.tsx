import { Button } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { CloseButton } from './icon-button.tsx';
import './toast.css';

/** A success, or a failed download: one sentence, at most one action. Other errors remain where they can be fixed. */
export interface Toast {
  text: string;
  action?: { label: string; run: () => void };
  /** How long it is shown; 8 s by default. */
  msShown?: number;
}

const MS_SHOWN = 8_000;
/** More would cover the page; the oldest is removed. */
const TOASTS_MAX = 3;

interface Shown extends Toast {
  id: number;
}
let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(toasts: readonly Shown[]): void {
  shown = toasts;
  for (const listener of listeners) listener();
}

export function showToast(toast: Toast): void {
  set([...shown, { ...toast, id: ++lastId }].slice(-TOASTS_MAX));
}

const hide = (id: number) => set(shown.filter((toast) => toast.id !== id));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Exists once in the window, on every page: a toast outlives its page. */
export function ToastHost() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <output className="toasts">
      {toasts.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </output>
  );
}

function ToastLine({ toast }: { toast: Shown }) {
  const { id, text, action, msShown = MS_SHOWN } = toast;
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => hide(id), msShown);
    return () => clearTimeout(timer);
  }, [id, held, msShown]);
  const act = () => {
    hide(id);
    action?.run();
  };
  return (
    <div
      className="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="grow">{text}</span>
      {action && (
        <Button variant="subtle" onClick={act}>
          {action.label}
        </Button>
      )}
      <CloseButton onClick={() => hide(id)} />
    </div>
  );
}
