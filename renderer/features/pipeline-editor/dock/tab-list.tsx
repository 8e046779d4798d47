import { useRef, type KeyboardEvent } from 'react';

export interface Tab<T extends string> {
  name: T;
  label: string;
  /** Shown after the label, unless it is 0. */
  count?: number;
}

interface Props<T extends string> {
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  /** The ID of the panel of the tabs; null while it is closed. */
  panel: string | null;
  /** Tabs are named after it. */
  id: string;
  onChange: (value: T) => void;
  /** F6 moves the focus to the tab list, the start of the region. */
  startsRegion?: boolean;
}

/** Panels of which one is shown; the arrow keys select them. */
export function TabList<T extends string>({ label, tabs, value, panel, id, onChange, startsRegion = false }: Props<T>) {
  const list = useRef<HTMLDivElement>(null);
  const walk = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const place = tabs.findIndex(({ name }) => name === value);
    const next = tabs[(place + step + tabs.length) % tabs.length];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onChange(next.name);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <div className="dock-tabs" role="tablist" tabIndex={-1} ref={list} aria-label={label} onKeyDown={walk}>
      {tabs.map(({ name, label: text, count = 0 }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${id}-${name}`}
          data-tab={name}
          data-region-start={startsRegion && name === value ? true : undefined}
          aria-selected={name === value}
          aria-controls={panel !== null && name === value ? panel : undefined}
          tabIndex={name === value ? 0 : -1}
          onClick={() => onChange(name)}
        >
          {text} {count > 0 && <span className="count">{count}</span>}
        </button>
      ))}
    </div>
  );
}
