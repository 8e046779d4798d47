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
  texts: {
    'accept-orders': {
      title: 'Aufträge annehmen',
      about: 'Eine Route mit Schlüssel, die ihr JSON prüft und mit 201 antwortet, sonst mit 400 und den Fehlern.',
    },
    'read-tags': { title: 'Tags über HTTP lesen', about: 'Liefert Wert, Qualität und Zeit eines Tags als JSON.' },
    'write-tag': {
      title: 'Tag mit Prüfung schreiben',
      about: 'Prüft eine Zahl und schreibt sie in ein Tag; 400 bei falschem Wert, 503, wenn die Quelle ihn ablehnt.',
    },
    'store-measurement': {
      title: 'Messungen in einer Datenbank speichern',
      about: 'Prüft ein Gewicht und trägt es in eine Tabelle der eingebetteten Datenbank ein.',
    },
    'recipe-by-id': {
      title: 'Rezept nach ID abfragen',
      about: 'Führt eine benannte Abfrage mit der ID aus dem Pfad aus; 404, wenn es keine Zeile gibt.',
    },
    'forward-events': {
      title: 'Ereignisse zwischenspeichern und weiterleiten',
      about:
        'Sendet jedes Ereignis an ein MES. Ist es nicht erreichbar, bleibt das Ereignis auf dem Datenträger, und die Antwort ist 202.',
    },
    'two-targets': {
      title: 'Anfrage an zwei Ziele senden',
      about: 'Legt jede Anfrage nacheinander für zwei Systeme ab und antwortet mit 202.',
    },
    'record-values': {
      title: 'Wert jede Minute aufzeichnen',
      about: 'Ein Zeitgeber liest ein Tag und schreibt den Wert in ein Tag mit Verlauf, das der Historian aufzeichnet.',
    },
    'tag-change-call': {
      title: 'MES bei Tag-Änderung aufrufen',
      about: 'Sendet Tag, Wert und Zeit jeder Änderung; bei Ausfall des MES bleiben sie auf dem Datenträger.',
    },
    'drop-file': {
      title: 'Anfragen als Dateien ablegen',
      about: 'Schreibt den Body jeder Anfrage in eine eigene JSON-Datei im Arbeitsbereich.',
    },
    'serve-files': {
      title: 'Dateien nach Namen ausliefern',
      about: 'Liefert eine JSON-Datei des Arbeitsbereichs nach ihrem Namen im Pfad; 404, wenn es sie nicht gibt.',
    },
    'count-calls': {
      title: 'Mit einer Variable zählen',
      about: 'Erhöht eine Variable bei jedem Aufruf um 1 und liefert den Stand.',
    },
    webhook: {
      title: 'Webhook mit Token empfangen',
      about: 'Eine Route ohne API-Schlüssel, die einen Header mit einer Variable vergleicht; 401 bei Abweichung.',
    },
    'script-call': {
      title: 'Bibliotheksskript aufrufen',
      about: 'Übergibt den Body der Anfrage an ein Skript des Projekts und liefert dessen Ergebnis.',
    },
  },
};
