import { NodeToolbar, Position, useStore } from '@xyflow/react';
import { useTranslation } from 'react-i18next';
import { Icon } from '#ui/icon.tsx';
import { useEditor } from '../editor-context.tsx';
import { useCanvas, useCanvasStore } from './canvas-context.ts';
import { bandHeight } from './view-acts.ts';
import { buttonOffset } from './view-limits.ts';

/** All keyboard actions, for users without a keyboard. Shown beside the card, at the same size at any zoom. */
export function MoreButton({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation();
  const canvas = useCanvasStore();
  const alone = useEditor((state) => state.nodes.size === 1);
  const busy = useCanvas((state) => state.wiring !== null || state.moving !== null);
  const showsRunning = useEditor((state) => state.showsRunning);
  const covered = useCanvas((state) => bandHeight(state, showsRunning));
  const offset = useStore(({ nodeLookup, transform: [, y, zoom] }) =>
    buttonOffset((nodeLookup.get(id)?.internals.positionAbsolute.y ?? 0) * zoom + y - covered),
  );
  if (!alone || busy) return null;
  return (
    <NodeToolbar isVisible position={Position.Top} align="start" offset={offset}>
      <button
        type="button"
        className="flow-button"
        aria-label={t('editor.act.menuOf', { name })}
        aria-haspopup="menu"
        onClick={({ clientX: x, clientY: y }) =>
          canvas.set({ popup: { kind: 'menu', node: id, at: { x, y } }, current: id })
        }
      >
        <Icon name="dots" />
      </button>
    </NodeToolbar>
  );
}
