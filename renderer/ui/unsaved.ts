/** Holders of input that would be lost if this window were reloaded. */
const holders = new Set<() => boolean>();

/** `holds` is called before the window is reloaded automatically. A holder is registered once. */
export function trackUnsaved(holds: () => boolean): void {
  holders.add(holds);
}

/** The browser asks before leaving, too, until the returned function is called. */
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
