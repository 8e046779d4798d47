import { useStore } from '@xyflow/react';
import type { KeyboardEvent } from 'react';
import { Icon } from '#ui/icon.tsx';
import { CanvasIcon } from './canvas-icon.tsx';

/** On a note or group that has the focus, for touch. The same size at any zoom. */
export function RemoveButton({ icon, label, remove }: { icon: 'bin' | 'close'; label: string; remove: () => void }) {
  const zoom = useStore(({ transform }) => transform[2]);
  // The canvas would delete the selected nodes.
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    event.stopPropagation();
    remove();
  };
  return (
    <button
      type="button"
      className="flow-button canvas-remove nopan"
      style={{ transform: `scale(${1 / zoom})` }}
      aria-label={label}
      title={label}
      // In Safari, a pressed button does not get the focus: the note would lose it, and the button would disappear.
      onMouseDown={(event) => event.preventDefault()}
      onKeyDown={pressed}
      onClick={remove}
    >
      {icon === 'bin' ? <CanvasIcon name="bin" /> : <Icon name="close" />}
    </button>
  );
}
