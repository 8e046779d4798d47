import { Button } from '@mantine/core';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '#ui/icon.tsx';
import { STEP_PX } from './use-kept-dock.ts';

/** Half of the handle: the pointer stays on it. */
const GRIP_PX = 22;

/** Drag it, or press Up and Down, to set the height of the dock. Large enough for touch. */
export function ResizeHandle({ height, onResize }: { height: number; onResize: (height: number) => void }) {
  const { t } = useTranslation();
  const drag = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) onResize(window.innerHeight - event.clientY + GRIP_PX);
  };
  const step = (event: KeyboardEvent) => {
    const change = event.key === 'ArrowUp' ? STEP_PX : event.key === 'ArrowDown' ? -STEP_PX : 0;
    if (change === 0) return;
    event.preventDefault();
    onResize(height + change);
  };
  return (
    <Button
      variant="subtle"
      className="square dock-grip"
      aria-label={t('editorDock.dock.height')}
      title={t('editorDock.dock.heightHelp')}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={step}
    >
      <Icon name="height" />
    </Button>
  );
}
