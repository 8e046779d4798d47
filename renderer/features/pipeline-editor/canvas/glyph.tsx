import { LineIcon } from '#ui/icon.tsx';

/** The icon of a node's category, on a 24 px grid; it has the colour of the text. */
const PATHS: Record<string, string> = {
  http: 'M9 8V6a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-2M3 12h13l-3-3M13 15l3-3',
  reply: 'M15 8V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h7a2 2 0 0 0 2-2v-2M21 12H8l3-3M11 15l-3-3',
  calls: 'M10 14L21 3M21 3l-6.5 18a.55.55 0 0 1-1 0L10 14l-7-3.5a.55.55 0 0 1 0-1L21 3',
  flow: 'M21 17h-5.4a4 4 0 0 1-3.4-2L9.8 11a4 4 0 0 0-3.4-2H3M21 7h-5.4a4 4 0 0 0-3.4 2l-.6 1M18 10l3-3-3-3M18 20l3-3-3-3',
  timer: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 3',
  plant:
    'M7.5 7.5h.01M3 6v5.2a2 2 0 0 0 .6 1.4l7.8 7.8a2 2 0 0 0 2.8 0l6.2-6.2a2 2 0 0 0 0-2.8l-7.8-7.8A2 2 0 0 0 11.2 3H6a3 3 0 0 0-3 3',
  database: 'M4 6a8 3 0 1 0 16 0 8 3 0 1 0-16 0M4 6v6a8 3 0 0 0 16 0V6M4 12v6a8 3 0 0 0 16 0v-6',
  schema: 'M9 11l3 3 8-8M20 12v6a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h9',
  data: 'M8 4c-4 2-4 14 0 16M16 4c4 2 4 14 0 16M9.5 9l5 6M14.5 9l-5 6',
  script: 'M7 8l-4 4 4 4M17 8l4 4-4 4M14 4l-4 16',
  diagnostics: 'M3 12h4l3 8 4-16 3 8h4',
  other:
    'M4 7h3a1 1 0 0 0 1-1V5a2 2 0 0 1 4 0v1a1 1 0 0 0 1 1h3a1 1 0 0 1 1 1v3a1 1 0 0 0 1 1h1a2 2 0 0 1 0 4h-1a1 1 0 0 0-1 1v3a1 1 0 0 1-1 1h-3a1 1 0 0 1-1-1v-1a2 2 0 0 0-4 0v1a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-3a1 1 0 0 1 1-1h1a2 2 0 0 0 0-4H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1',
};

/** An arrow to the right: it reads a value. To the left: it writes one. Both in the lower right corner. */
const GETS = 'M13 19h8M18 16l3 3-3 3';
const GIVES = 'M21 19h-8M16 16l-3 3 3 3';
const STORE = 'M3 5a6 2.2 0 1 0 12 0 6 2.2 0 1 0-12 0M3 5v10.5c0 1.2 2.7 2.2 6 2.2M15 5v5M3 10.2c0 1.2 2.7 2.2 6 2.2';
const LABEL =
  'M7 7h.01M3 5v4.6a2 2 0 0 0 .6 1.4l5.9 5.9M16.5 11.5L10.4 5.4A2 2 0 0 0 9 4.8M3 5a2 2 0 0 1 2-2h3a2 2 0 0 1 1.4.6l8 8';
const BRACES = 'M6 4c-4 2-4 12 0 14M13 4c2 1 3 4 3 7M7 8l5 6M12 8l-5 6';
const PAPER = 'M11 3v4h4M15 11V7l-4-4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h3';
const BUBBLE = 'M7 8h8M7 12h4M18 12V7a3 3 0 0 0-3-3H6a3 3 0 0 0-3 3v6a3 3 0 0 0 3 3v3l4-3';

/** Kinds whose icon differs from that of their category. */
const OF_KIND: Record<string, string> = {
  'http-response': PATHS['reply'] ?? '',
  validate: PATHS['schema'] ?? '',
  timer: PATHS['timer'] ?? '',
  delay: 'M7 3h10M7 21h10M8 3c0 5 3 6 4 9M16 3c0 5-3 6-4 9M12 12c-1 3-4 4-4 9M12 12c1 3 4 4 4 9',
  set: 'M4 20h4L19.5 8.5a2.1 2.1 0 0 0-4-4L4 16zM13.5 6.5l4 4',
  script: 'M4 4h4.5v16H4zM9.5 4H14v16H9.5zM15.5 5.5l3.5-1 3.5 14.5-3.5 1z',
  'tag-read': `${LABEL}${GETS}`,
  'tag-write': `${LABEL}${GIVES}`,
  'tag-change': `${LABEL}M18.5 13l-4 5h4.5l-3.5 4.5`,
  'history-read': 'M4 4v16h16M7.5 15l3.5-5 3 3 5-7',
  'named-query': `${STORE}M13 16.5a3 3 0 1 0 6 0 3 3 0 1 0-6 0M18.2 18.7L21.5 22`,
  sql: `${STORE}M12.5 14l3.5 3.5-3.5 3.5M17.5 21h4.5`,
  transaction: `${STORE}M15 13.5h-2v8h2M20 13.5h2v8h-2M17.5 16v3`,
  'stored-procedure': `${STORE}M14 13.5v8l7-4z`,
  'variable-read': `${BRACES}${GETS}`,
  'variable-write': `${BRACES}${GIVES}`,
  'file-read': `${PAPER}${GETS}`,
  'file-write': `${PAPER}${GIVES}`,
  'message-in': `${BUBBLE}${GIVES}`,
  'message-out': `${BUBBLE}${GETS}`,
};

/** `category`: of the kind, or of its mode in the palette. */
export function Glyph({ kind, category }: { kind: string; category: string }) {
  return <LineIcon path={OF_KIND[kind] ?? PATHS[category] ?? PATHS['other']} />;
}
