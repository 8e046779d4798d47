import { LineIcon } from '#ui/icon.tsx';

/** Icons of the canvas's own buttons. */
const PATHS = {
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  fit: 'M4 8V6a2 2 0 0 1 2-2h2M4 16v2a2 2 0 0 0 2 2h2M16 4h2a2 2 0 0 1 2 2v2M16 20h2a2 2 0 0 0 2-2v-2',
  canvasOnly: 'M9 4H4v5M4 4l6 6M15 4h5v5M20 4l-6 6M9 20H4v-5M4 20l6-6M15 20h5v-5M20 20l-6-6',
  panels: 'M4 10h6V4M10 10L4 4M20 10h-6V4M14 10l6-6M4 14h6v6M10 14l-6 6M20 14h-6v6M14 14l6 6',
  tidy: 'M4 6h6v4H4zM4 14h6v4H4zM14 10h6v4h-6zM10 8h2v8h-2M12 12h2',
  bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  note: 'M5 4h14v10l-5 6H5zM14 20v-6h5M8 9h8M8 13h3',
  keys: 'M4 6h16a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2M6 10h.01M10 10h.01M14 10h.01M18 10h.01M8 14h8',
} as const;

export function CanvasIcon({ name }: { name: keyof typeof PATHS }) {
  return <LineIcon path={PATHS[name]} />;
}
