import type { pipelineList as english } from '#common/languages/en/ui/pipeline-list.ts';

export const pipelineList: typeof english = {
  name: 'Pipeline',
  state: 'Zustand',
  routes: 'Route',
  perSecond: 'Aufrufe/s',
  course: '15 min',
  errors: 'Fehler',
  lastCall: 'Zuletzt',
  revision: 'Revision',
  changed: 'Geändert',
  running: '{{running}} von {{count}} laufen',
  actionsFor: 'Aktionen für {{name}}',
  open: 'Pipeline öffnen',
  startDraft: 'Entwurf {{revision}} starten',
  duplicate: 'Pipeline duplizieren',
  duplicateTitle: '{{name}} duplizieren',
  duplicateLead:
    'Die Kopie enthält die neueste Revision mit ihren gespeicherten Tests, aber keine Geheimnisse. Sie läuft nicht.',
  duplicateSubmit: 'Kopie anlegen',
  copyOf: '{{name}} (Kopie)',
  copied: '{{name}} wurde angelegt',
};
