/** Outline icons, drawn on a 24 px grid; they have the colour of the text and are decoration only. */
const PATHS = {
  overview: 'M4 4h7v9H4zM13 4h7v5h-7zM13 13h7v7h-7zM4 17h7v3H4z',
  pipelines: 'M9 3h6v6H9zM3 15h6v6H3zM15 15h6v6h-6zM12 9v3M6 15v-3h12v3',
  routes: 'M6 15a3 3 0 1 0 0 6 3 3 0 0 0 0-6M18 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6M9 18h6a4 4 0 0 0 0-8H9a4 4 0 0 1 0-8h6',
  data: 'M4 19h16M4 15l4-6 4 3 4-7 4 5',
  help: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M9.5 9a2.5 2.5 0 1 1 3.5 2.5c-.7.3-1 .9-1 1.7M12 17h.01',
  store: 'M6 10l-2 1l8 4l8 -4l-2 -1M4 15l8 4l8 -4M12 4v7M15 8l-3 3l-3 -3',
  key: 'M16.6 3.8l3.6 3.6a2.9 2.9 0 0 1 0 4.1l-2.6 2.6a2.9 2.9 0 0 1-4.1 0l-.3-.3-6.6 6.6a2 2 0 0 1-1.4.6H4a1 1 0 0 1-1-1v-1.2a2 2 0 0 1 .6-1.4L4 17h2v-2h2v-2l2.1-2.1-.3-.3a2.9 2.9 0 0 1 0-4.1l2.6-2.6a2.9 2.9 0 0 1 4.2 0M15 9h.01',
  upload: 'M12 16V5M7 9l5-5 5 5M5 20h14',
  journal: 'M4 6h16M4 11h6M4 16h5M15.5 12a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M18 18l3 3',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4M9 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M5 21v-1a5 5 0 0 1 5-5h4a5 5 0 0 1 5 5v1',
  theme: 'M12 4v16M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8h6M12 12h8M12 16h6',
  plus: 'M12 5v14M5 12h14',
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12l5 5L20 7',
  copy: 'M8 8h12v12H8zM16 8V4H4v12h4',
  save: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  down: 'M6 9l6 6 6-6',
  left: 'M15 6l-6 6 6 6',
  right: 'M9 6l6 6-6 6',
  dots: 'M5 12h.01M12 12h.01M19 12h.01',
  zoomIn: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5L21 21M10.5 7.5v6M7.5 10.5h6',
  zoomOut: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5L21 21M7.5 10.5h6',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5L21 21',
  rotate: 'M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5',
  start: 'M7 4v16l13-8z',
  stop: 'M6 6h12v12H6z',
  height: 'M12 4v16M8 8l4-4 4 4M8 16l4 4 4-4',
  undo: 'M9 14l-5-5 5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  flask: 'M9 3h6M10 3v6L4.6 18.2A2 2 0 0 0 6.3 21h11.4a2 2 0 0 0 1.7-2.8L14 9V3M7.5 14h9',
  shield: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, small = false }: { name: IconName; small?: boolean }) {
  return <LineIcon path={PATHS[name]} small={small} stroke={name === 'dots' ? 3 : 1.75} />;
}

/** A separate outline, on the same grid. */
export function LineIcon({
  path,
  small,
  stroke = 1.75,
}: {
  path: string | undefined;
  small?: boolean;
  stroke?: number;
}) {
  return (
    <svg
      className={small ? 'icon small' : 'icon'}
      viewBox="0 0 24 24"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} />
    </svg>
  );
}

/** The logo of the product: a gate between two posts. */
export function Mark() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 2v20M21 2v20" stroke="currentColor" strokeWidth="2.4" strokeLinecap="square" />
      <path d="M7 4h10v8H7z" fill="currentColor" />
      <path d="M7 16.5h10M7 20.5h10" stroke="currentColor" strokeWidth="1.8" />
    </svg>
  );
}
