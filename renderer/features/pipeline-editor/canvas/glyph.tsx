import { LineIcon } from '#ui/icon.tsx';

/** The drawing of a node's category, on a 24 px grid; it takes the text's colour. */
const PATHS: Record<string, string> = {
  http: 'M9 8V6a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-2M3 12h13l-3-3M13 15l3-3',
  reply: 'M15 8V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h7a2 2 0 0 0 2-2v-2M21 12H8l3-3M11 15l-3-3',
  calls: 'M10 14L21 3M21 3l-6.5 18a.55.55 0 0 1-1 0L10 14l-7-3.5a.55.55 0 0 1 0-1L21 3',
  flow: 'M21 17h-5.4a4 4 0 0 1-3.4-2L9.8 11a4 4 0 0 0-3.4-2H3M21 7h-5.4a4 4 0 0 0-3.4 2l-.6 1M18 10l3-3-3-3M18 20l3-3-3-3',
  timer: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 3',
  message: 'M8 9h8M8 13h6M18 4a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3h-5l-5 3v-3H6a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3z',
  plant:
    'M7.5 7.5h.01M3 6v5.2a2 2 0 0 0 .6 1.4l7.8 7.8a2 2 0 0 0 2.8 0l6.2-6.2a2 2 0 0 0 0-2.8l-7.8-7.8A2 2 0 0 0 11.2 3H6a3 3 0 0 0-3 3',
  database: 'M4 6a8 3 0 1 0 16 0 8 3 0 1 0-16 0M4 6v6a8 3 0 0 0 16 0V6M4 12v6a8 3 0 0 0 16 0v-6',
  schema: 'M9 11l3 3 8-8M20 12v6a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h9',
  data: 'M8 4c-4 2-4 14 0 16M16 4c4 2 4 14 0 16M9.5 9l5 6M14.5 9l-5 6',
  file: 'M14 3v4a1 1 0 0 0 1 1h4M17 21H7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h7l5 5v11a2 2 0 0 1-2 2',
  script: 'M7 8l-4 4 4 4M17 8l4 4-4 4M14 4l-4 16',
  diagnostics: 'M3 12h4l3 8 4-16 3 8h4',
  other:
    'M4 7h3a1 1 0 0 0 1-1V5a2 2 0 0 1 4 0v1a1 1 0 0 0 1 1h3a1 1 0 0 1 1 1v3a1 1 0 0 0 1 1h1a2 2 0 0 1 0 4h-1a1 1 0 0 0-1 1v3a1 1 0 0 1-1 1h-3a1 1 0 0 1-1-1v-1a2 2 0 0 0-4 0v1a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-3a1 1 0 0 1 1-1h1a2 2 0 0 0 0-4H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1',
};

/** Some kinds are better known by a sign of their own than by their category's. */
const OF_KIND: Record<string, string> = {
  'http-response': 'reply',
  validate: 'schema',
  timer: 'timer',
  delay: 'timer',
  'message-in': 'message',
  'message-out': 'message',
  'file-read': 'file',
  'file-write': 'file',
};

/** `category`: of the kind, or of its mode in the palette. */
export function Glyph({ kind, category }: { kind: string; category: string }) {
  return <LineIcon path={PATHS[OF_KIND[kind] ?? category] ?? PATHS['other']} />;
}
