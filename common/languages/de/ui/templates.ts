export const templates = {
  list: 'Ausgangspunkt',
  find: 'Vorlagen suchen',
  none: 'Keine Vorlage enthält diese Wörter.',
  empty: 'Leere Zeichenfläche',
  emptyHelp: 'Knotenarten aus der Palette ziehen oder A drücken.',
  open_one: '{{count}} Einstellung auszufüllen',
  open_other: '{{count}} Einstellungen auszufüllen',
  title: 'Mit einer Vorlage beginnen',
  insert: 'Einfügen',
};
