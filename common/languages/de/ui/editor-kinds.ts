import type { editorKinds as english } from '#common/languages/en/ui/editor-kinds.ts';

/** Knotenarten in Palette und Suche: je eine Zeile, und Wörter, nach denen jemand sie sucht; auch die englischen. */
export const editorKinds: typeof english = {
  line: {
    'rest-api': 'Startet mit der HTTP-Anfrage eines Aufrufers',
    'rest-api egress': 'Ruft ein HTTP-Ziel auf, etwa ein MES',
    'http-response': 'Antwortet dem Aufrufer',
    transform: 'Berechnet neue Nutzdaten in JavaScript',
    validate: 'Prüft Werte gegen ein JSON-Schema',
    switch: 'Wählt nach einem Wert einen Port',
    set: 'Schreibt, kopiert und entfernt Werte',
    log: 'Schreibt eine Zeile ins Gateway-Protokoll',
    delay: 'Hält eine Nachricht eine Zeit lang zurück',
    'tag-read': 'Holt aktuelle Werte der Anlage',
    'tag-write': 'Sendet Werte an die Anlage',
    'tag-change': 'Startet, wenn sich ein Wert der Anlage ändert',
    'named-query': 'Führt eine gespeicherte Abfrage aus',
    sql: 'Führt eine SQL-Anweisung aus',
    transaction: 'Führt SQL-Anweisungen aus, alle oder keine',
    'stored-procedure': 'Ruft eine Prozedur der Datenbank auf',
    'history-read': 'Holt aufgezeichnete Werte von Tags',
    'variable-read': 'Holt eine Variable des Projekts',
    'variable-write': 'Speichert einen Wert für spätere Läufe',
    'file-read': 'Holt eine Datei des Projekts',
    'file-write': 'Speichert eine Datei im Projekt',
    script: 'Führt ein Skript des Projekts aus',
    'message-out': 'Gibt die Nutzdaten an andere Pipelines weiter',
    'message-in': 'Startet, wenn eine andere Pipeline sendet',
    timer: 'Startet zu festen Zeiten',
  },
  words: {
    'rest-api':
      'Anfrage Schnittstelle empfangen Eingang Auslöser webhook http endpoint url api request route ingress receive post get listen server trigger start',
    'rest-api egress':
      'senden aufrufen weiterleiten Ziel ausgehend http request webhook send call post fetch forward client url egress mes erp store outbound',
    'http-response': 'Antwort antworten zurückgeben Ergebnis Ende reply answer respond return status result end',
    transform:
      'umrechnen berechnen Funktion Zuordnung Ausdruck code function javascript js map mapping expression compute convert calculate format',
    validate: 'prüfen Schema Pflichtfeld filtern schema check json verify filter type required',
    switch:
      'wenn Verzweigung Bedingung Fall sonst filtern entscheiden if branch condition case else route decide filter choose when',
    set: 'setzen zuweisen Zuordnung ändern umbenennen Felder Vorlage assign map mapping change edit rename fields template constant copy remove',
    log: 'Protokoll ausgeben debug print trace console inspect',
    delay: 'warten Pause verzögern wait sleep pause hold throttle',
    'tag-read': 'SPS Anlage Wert Sensor lesen opc ua opcua mqtt modbus s7 plc siemens plant value sensor get input',
    'tag-write':
      'SPS Anlage Sollwert Aktor schreiben opc ua opcua mqtt modbus s7 plc siemens plant setpoint actuator set output',
    'tag-change':
      'SPS Anlage abonnieren Ereignis Auslöser überwachen opc ua opcua mqtt modbus s7 plc subscribe event trigger start watch alarm',
    'named-query':
      'Datenbank Abfrage einfügen lesen database db sql select insert update query mysql postgres mssql oracle',
    sql: 'Datenbank Abfrage einfügen löschen database db select insert update delete query mysql postgres mssql oracle',
    transaction:
      'Datenbank mehrere Anweisungen einfügen database db sql insert update commit rollback several statements mysql postgres',
    'stored-procedure': 'Datenbank Prozedur aufrufen database db sql function call exec procedure mssql oracle',
    'history-read': 'Verlauf Trend Zeitreihe Mittelwert historian trend time series past values average chart',
    'variable-read': 'laden Zustand Speicher Zähler load get state memory global context counter',
    'variable-write': 'speichern merken Zustand Zähler save store keep state memory global context counter increment',
    'file-read': 'laden öffnen Datei load open csv json text download',
    'file-write': 'speichern ablegen Bericht save store csv json text report export upload',
    script: 'Programm Bibliothek wiederverwenden code function javascript js library reuse',
    'message-out': 'senden Kanal Verbindung publish emit queue channel link send event call pipeline subflow',
    'message-in': 'empfangen Kanal Auslöser subscribe receive queue channel link event trigger start pipeline subflow',
    timer: 'Zeitplan Uhr regelmäßig Intervall schedule cron interval inject every repeat trigger start clock',
  },
};
