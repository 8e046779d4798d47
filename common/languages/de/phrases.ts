import type { PhraseTexts } from '../language.ts';

export const phrases: PhraseTexts = {
  message: 'Meldung: „{{message}}“',
  quoted: '„{{text}}“',
  more: '{{count}} weitere',
  unknown: 'unbekannt',

  outage_silent: 'Das Gateway antwortete nicht',
  outage_refused: 'Das Gateway hat eine Änderung nicht rechtzeitig übernommen',
  outage_ended: 'Das Gateway ist abgestürzt',

  writes_stopped: 'Schreibsperre im Projekt „{{project}}“',
  device_stopped: 'Schreibsperre für das Gerät „{{device}}“ im Projekt „{{project}}“',
  key_revoked: 'Widerruf des Schlüssels „{{key}}“ im Projekt „{{project}}“',
  key_limited: 'engere Grenzen des Schlüssels „{{key}}“ im Projekt „{{project}}“',
  token_revoked: 'Widerruf des Service-Tokens „{{token}}“',
  key_paused: 'das Pausieren des Schlüssels „{{key}}“ im Projekt „{{project}}“',
  pipeline_stopped: 'Stopp der Pipeline „{{pipeline}}“ im Projekt „{{project}}“',
  user_deactivated: 'Deaktivierung von „{{user}}“',
  fewer_roles: 'weniger Rollen für „{{user}}“',
  fewer_permissions: 'weniger Berechtigungen der Rolle „{{role}}“',

  anchors_log: 'den Vermerk, dass es ein Anker-Protokoll gibt',
  rights_taken: 'die seit dem älteren Tresor entzogenen Rechte',
  restore_rows: 'die Journalzeilen einer zurückgespielten Sicherung',
  stores_lost: 'die Liste der verlorenen Dateien',

  in_project: '{{project}} ({{writer}})',
  in_pipeline: '{{project}}, Pipeline {{pipeline}} ({{writer}})',
  files: 'Dateien',
  database: 'Datenbank',
  variables: 'Variablen',
  tags: 'Tag-Werte',
  history: 'Verlauf',
  outbox: 'ausgehende Aufrufe',
  journal: 'Journal',
  uploads: 'Uploads von Benutzern',
};
