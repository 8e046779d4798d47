/** Holders of input that would be lost by a reload of this window. */
const holders = new Set<() => boolean>();

/** `holds` is called before the window is reloaded automatically. A holder is registered once. */
export function trackUnsaved(holds: () => boolean): void {
  holders.add(holds);
}

/** The browser asks before it leaves, too. Until the function that it gives is called. */
export function guardUnsaved(holds: () => boolean): () => void {
  const ask = (event: BeforeUnloadEvent) => holds() && event.preventDefault();
  holders.add(holds);
  window.addEventListener('beforeunload', ask);
  return () => {
    holders.delete(holds);
    window.removeEventListener('beforeunload', ask);
  };
}

export function holdsUnsaved(): boolean {
  return [...holders].some((holds) => holds());
}
