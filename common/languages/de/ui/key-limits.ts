import type { keyLimits as english } from '#common/languages/en/ui/key-limits.ts';

export const keyLimits: typeof english = {
  limited: 'Begrenzt',
  menu: 'Grenzen ändern',
  title: 'Grenzen des Schlüssels von {{name}}',
  intro:
    'Grenzen beschränken einen Scope auf einzelne Objekte und den Schlüssel auf Adressen. Neue Grenzen gelten sofort, auch für schon begonnene Läufe.',
  heading: 'Grenzen',
  noScopes: 'Dieser Schlüssel hat keine Scopes. Nur seine Adressen lassen sich begrenzen.',
  addresses: 'Adressen',
  anyAddress: 'Jede Adresse',
  every: 'Alles',
  only: 'Nur diese',
  entries: 'Einträge für {{name}}',
  oneEach: 'Ein Eintrag je Zeile, etwa {{example}}. Ohne Einträge ist nichts erlaubt.',
  add: 'Tag oder Ordner zu {{name}} hinzufügen',
  addFirst: 'Tag oder Ordner hinzufügen…',
  covers_one: 'Umfasst {{covered}} von {{count}} Tag: {{names}}',
  covers_other: 'Umfasst {{covered}} von {{count}} Tags: {{names}}',
  coversNone_one: 'Umfasst das einzige Tag nicht.',
  coversNone_other: 'Umfasst keines von {{count}} Tags.',
  nothing: 'nichts',
  save: 'Grenzen speichern',
};
