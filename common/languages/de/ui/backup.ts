import type { backup as english } from '#common/languages/en/ui/backup.ts';

export const backup: typeof english = {
  only: 'Nur wer die Berechtigung „Einstellungen ändern“ hat, kann Sicherungen erstellen. Einen Administrator fragen.',
  last: 'Letzte Sicherung: {{time}}, von {{name}}.',
  never: 'Laut Journal noch keine Sicherung.',
  neverSeen: 'Keine Sicherung unter den letzten 1.000 Änderungen im Journal.',
  unknown: 'Vor und nach jeder Änderung an der Linie eine erstellen.',
  make: {
    title: 'Sicherung erstellen',
    lead: 'Eine einzige Datei, mit der ein Ersatz-PC diesen PC ersetzen kann. Alle aktuellen Schlüssel gelten weiter.',
    passphrase: 'Passphrase',
    passphraseHelp:
      'Mindestens 12 Zeichen. Ohne die Passphrase ist die Datei unbrauchbar: aufschreiben und getrennt aufbewahren.',
    short: 'Die Passphrase hat {{count}} Zeichen. Mindestens 12 eingeben.',
    again: 'Passphrase wiederholen',
    differs: 'Die Passphrasen stimmen nicht überein. Noch einmal eingeben.',
    submit: 'Sicherung erstellen',
    running: 'Wird gepackt: bisher {{bytes}}.',
    cancel: 'Sicherung abbrechen',
    done: 'Die Sicherung {{name}} ({{bytes}}) liegt in den Downloads Ihres Browsers.',
    failed: 'Es wurde keine Sicherung erstellt.',
  },
  parts: {
    title: 'Enthalten',
    vault: 'Schlüssel, Benutzer, Rollen, Einstellungen, Passwörter von Verbindungen',
    projects: 'Projekte mit Pipelines, Revisionen, Verbindungen, Abfragen, Tags, Skripten, Variablen und Dateien',
    outbox: 'Ereignisse, die in Store & Forward warten, und unzustellbare Ereignisse',
    plugins: 'Plugins mit ihren Freigaben',
    notTitle: 'Nicht enthalten',
    journal: 'Das Journal und der Historian. In der Befehlszeile sichert --with-journal beides mit.',
    secret: 'Die Passphrase. Sie ist nirgends gespeichert.',
  },
  command: 'Dasselbe in der Befehlszeile',
  restore: {
    title: 'Sicherung zurückspielen',
    lead: 'Auf dem PC, auf dem Sluice laufen soll; dort muss Sluice beendet sein. Der bisherige Inhalt des Datenordners bleibt in einem Ordner daneben erhalten.',
    first: 'Sluice dort beenden. Solange es läuft, bricht der Befehl ab.',
    second: 'Diesen Befehl mit dem Pfad der Datei ausführen, dann die Passphrase eingeben:',
    third:
      'Sluice starten. Jeder Schlüssel der Sicherung gilt wieder; Widerrufe, die das Journal kennt, gelten weiter.',
    code: 'Zurückspielen',
    file: 'DATEI',
    folder: 'Wurde Sluice mit --data gestartet, hier denselben Ordner angeben: --data ORDNER.',
  },
};
