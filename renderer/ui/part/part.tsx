import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useAway } from '#api/answers.ts';
import { PartRows } from '../loading-rows.tsx';
import { fetchPart } from './fetch-part.ts';
import { PartBoundary, type FrameProps } from './part-boundary.tsx';
import { WaitNote } from './part-notes.tsx';

interface Options<Props> {
  Frame?: ComponentType<FrameProps<Props>>;
  /** It is the only content of the page. */
  isPage?: boolean;
}

/**
 * A part of the window whose code is loaded when it is first rendered, and waits for Sluice if that does not respond.
 * Its errors do not affect the rest of the page. A part that was loaded before (`preload`) is rendered immediately:
 * React would otherwise show "Loading" for a third of a second, however fast the code is loaded.
 */
export function part<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { Frame = Reading, isPage = false }: Options<Props> = {},
): ComponentType<Props> & { preload: () => void } {
  let there: ComponentType<Props> | null = null;
  let coming: Promise<{ default: ComponentType<Props> }> | null = null;
  const fetched = async () => {
    there = await fetchPart(load);
    return { default: there };
  };
  const fetchedOnce = () => (coming ??= fetched().finally(() => (coming = null)));
  const shown = (): ComponentType<Props> => there ?? lazy(fetchedOnce);

  function Part(props: Props) {
    // Until it fails: another component in this place would lose unsaved input.
    const [Shown, setShown] = useState(shown);
    const [at] = useLocation();
    return (
      <PartBoundary Frame={Frame} of={props} isPage={isPage} at={at} onAgain={() => setShown(shown)}>
        <Suspense fallback={<Coming Frame={Frame} of={props} />}>
          <Shown {...props} />
        </Suspense>
      </PartBoundary>
    );
  }
  return Object.assign(Part, { preload: () => void fetchedOnce().catch(() => undefined) });
}

function Coming<Props>({ Frame, of }: { Frame: ComponentType<FrameProps<Props>>; of: Props }) {
  return <Frame of={of} note={useAway() ? <WaitNote /> : null} />;
}

function Reading({ note }: { note: ReactNode }) {
  return note ?? <PartRows />;
}
