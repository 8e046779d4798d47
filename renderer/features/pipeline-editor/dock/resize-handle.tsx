import type { KeyboardEvent, PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { HEIGHT_MIN, heightMax, STEP_PX } from './use-kept-dock.ts';

/** The dock's upper edge: dragged, or moved with Up and Down. */
export function ResizeHandle({ height, onResize }: { height: number; onResize: (height: number) => void }) {
  const { t } = useTranslation();
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) onResize(window.innerHeight - event.clientY);
  };
  const step = (event: KeyboardEvent) => {
    const change = event.key === 'ArrowUp' ? STEP_PX : event.key === 'ArrowDown' ? -STEP_PX : 0;
    if (change === 0) return;
    event.preventDefault();
    onResize(height + change);
  };
  return (
    <div
      className="dock-edge"
      role="separator"
      aria-orientation="horizontal"
      aria-label={t('editorDock.dock.height')}
      aria-valuenow={height}
      aria-valuemin={HEIGHT_MIN}
      aria-valuemax={heightMax()}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={step}
    />
  );
}
