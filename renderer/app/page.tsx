import { lazy, useState, type ComponentType } from 'react';

/**
 * A page whose code comes when it is first opened. One that was fetched before (`preload`) is drawn at once: React
 * would otherwise keep "Loading" on the screen for a third of a second, however soon the code is there.
 */
export function page<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> & { preload: () => void } {
  let there: ComponentType<Props> | null = null;
  const fetched = async () => {
    there = await load();
    return { default: there };
  };
  const Late: ComponentType<Props> = lazy(() => fetched().catch(readAnew));
  function Page(props: Props) {
    // Once and for all: another component in this place would lose what was typed.
    const [Shown] = useState(() => there ?? Late);
    return <Shown {...props} />;
  }
  return Object.assign(Page, { preload: () => void fetched().catch(() => undefined) });
}

const READ_ANEW = 'sluice.read-anew';
const READ_ANEW_MS = 10_000;

/**
 * A part that cannot be had belongs to a version that is no longer installed: the window is read anew, once. When that
 * does not help either, the error stands.
 */
function readAnew(error: unknown): never {
  const last = Number(sessionStorage.getItem(READ_ANEW));
  if (Date.now() - last > READ_ANEW_MS) {
    sessionStorage.setItem(READ_ANEW, String(Date.now()));
    location.reload();
  }
  throw error;
}
