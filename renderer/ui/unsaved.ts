/** Who may hold something that is gone when this window is read anew. */
const holders = new Set<() => boolean>();

/** `holds` is asked before the window is read anew by itself. Once, however often it is told. */
export function tellUnsaved(holds: () => boolean): void {
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
