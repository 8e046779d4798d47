import type { projectApply as english } from '#common/languages/en/ui/project-apply.ts';

export const projectApply: typeof english = {
  menu: 'Datei anwenden',
  title: 'Datei auf {{name}} anwenden',
  lead: 'Das Projekt wird einer exportierten Datei (.sluice.json) angeglichen, ganz oder gar nicht. Zuerst wird der Plan angezeigt. Laufende Pipelines laufen mit ihren Revisionen weiter; Schlüssel und gespeicherte Geheimnisse bleiben.',
  planning: 'Datei und Projekt werden verglichen…',
  planFailed: 'Die Datei wurde nicht verglichen.',
  none: 'Projekt und Datei sind gleich.',
  changes_one: '{{count}} Änderung',
  changes_other: '{{count}} Änderungen',
  create: 'Neu',
  change: 'Geändert',
  delete: 'Gelöscht',
  needs: 'Nötige Berechtigungen, damit es wirksam wird: {{permissions}}',
  refused: 'Die Datei lässt sich nicht anwenden',
  open_one: '{{count}} Geheimnis hat danach keinen Wert. In der Verbindung oder im Knoten eingeben.',
  open_other: '{{count}} Geheimnisse haben danach keinen Wert. In den Verbindungen und Knoten eingeben.',
  submit: 'Plan anwenden',
  failed: 'Der Plan wurde nicht angewendet.',
  done_one: '{{count}} Änderung wurde auf {{name}} angewendet.',
  done_other: '{{count}} Änderungen wurden auf {{name}} angewendet.',
};
