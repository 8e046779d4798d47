import type { NodeCode } from '#common/errors/node-codes.ts';
import type { NodeCodeText } from '#common/languages/error-texts.ts';

export const nodeCodes: Record<NodeCode, NodeCodeText> = {
  scope_missing: {
    meaning: 'Dem Lauf fehlt der Scope, den ein Aufruf braucht.',
    remedy: 'Den Scope dem Schlüssel geben oder der Pipeline gewähren. Die Meldung nennt ihn.',
  },
  limit_missing: {
    meaning: 'Der Knoten verlangt etwas, das außerhalb der Grenzen des Schlüssels oder der Pipeline liegt.',
    remedy:
      'Diese Grenzen erweitern oder die Route mit einem anderen Schlüssel aufrufen. Die Meldung nennt, was fehlt.',
  },
  node_failed: {
    meaning: 'Im Knoten ist ein unerwarteter Fehler aufgetreten.',
    remedy: 'Die Meldung im Protokoll nachsehen und im Lauf die Eingabe des Knotens prüfen.',
  },
  too_many_steps: {
    meaning: 'Der Lauf hat zu viele Schritte gebraucht.',
    remedy: 'Prüfen, ob Leitungen eine Schleife bilden.',
  },
  copies_too_large: {
    meaning: 'Die Kopien der Nachricht für mehrere Leitungen sind zu groß.',
    remedy: 'Weniger Leitungen an den Ausgang anschließen oder die Nachricht vorher verkleinern.',
  },
  setting_invalid: {
    meaning: 'Eine Einstellung des Knotens ist nicht verwendbar.',
    remedy: 'Die Einstellung korrigieren, die in der Meldung steht.',
  },
  payload_invalid: {
    meaning: 'Die Nutzdaten haben nicht die Form, die der Knoten braucht.',
    remedy: 'Im Knoten davor Nutzdaten dieser Form erzeugen.',
  },
  status_invalid: {
    meaning: 'Der HTTP-Status der Antwort ist ungültig.',
    remedy: 'Eine ganze Zahl von 200 bis 599 verwenden.',
  },
  header_invalid: {
    meaning: 'Ein Header der Antwort kann nicht gesendet werden.',
    remedy: 'Den Namen oder Wert korrigieren, der in der Meldung steht.',
  },
  text_too_long: { meaning: 'Eine Vorlage hat einen zu langen Text ergeben.', remedy: 'Kürzere Werte einsetzen.' },
  path_invalid: {
    meaning: 'Ein Feldpfad führt in einen Wert ohne Felder.',
    remedy: 'Den Pfad oder die Form der Nachricht korrigieren.',
  },
  value_missing: {
    meaning: 'Der Wert, den der Knoten schreibt, fehlt in der Nachricht.',
    remedy: 'In den Einstellungen des Knotens den Pfad des Werts prüfen.',
  },
  check_too_long: {
    meaning: 'Die Prüfung des Werts ist zu aufwendig.',
    remedy: 'Das Schema vereinfachen oder weniger Daten senden.',
  },
  pattern_too_costly: {
    meaning: 'Ein regulärer Ausdruck ist für diesen Text zu aufwendig.',
    remedy: 'Das Muster vereinfachen oder die Länge des Textes begrenzen.',
  },
  patterns_unavailable: {
    meaning: 'Der Thread für aufwendige reguläre Ausdrücke konnte nicht starten oder wurde unerwartet beendet.',
    remedy:
      'Den Aufruf wiederholen: Der Thread wird neu gestartet. Tritt der Fehler weiter auf, das Protokoll und den freien Arbeitsspeicher des PCs prüfen.',
  },
  delay_full: {
    meaning: 'Der Knoten „Verzögern“ hält schon so viele Nachrichten zurück wie möglich.',
    remedy: 'Eine kürzere Verzögerung einstellen oder weniger Nachrichten senden.',
  },
  channel_unknown: {
    meaning: 'Keine laufende Pipeline empfängt Nachrichten dieses Kanals.',
    remedy: 'Die empfangende Pipeline starten oder den Namen des Kanals korrigieren.',
  },
  message_hops: {
    meaning: 'Pipelines senden sich gegenseitig Nachrichten in einer Schleife.',
    remedy: 'Die Schleife zwischen den Kanälen auflösen.',
  },
  message_queue_full: {
    meaning: 'Die empfangende Pipeline ist zu langsam; ihre Warteschlange ist voll.',
    remedy: 'Weniger Nachrichten senden oder den Empfänger beschleunigen.',
  },
  call_unknown: {
    meaning: 'Diesen Aufruf gibt es nicht, oder er ist hier nicht verfügbar.',
    remedy: 'Den Namen des Aufrufs prüfen.',
  },
  call_invalid: {
    meaning: 'Die Argumente des Aufrufs sind ungültig.',
    remedy: 'Das Argument korrigieren, das in der Meldung steht.',
  },
  call_failed: {
    meaning: 'Im Aufruf ist ein unerwarteter Fehler aufgetreten.',
    remedy: 'Die Meldung im Protokoll nachsehen.',
  },
  call_timeout: {
    meaning: 'Der Aufruf hat sein Zeitlimit überschritten.',
    remedy: 'Weniger in einem Aufruf ausführen oder den Timeout des Knotens oder der Route erhöhen.',
  },
  call_cancelled: {
    meaning: 'Der Lauf des Aufrufs wurde beendet.',
    remedy: 'Im Lauf prüfen, warum: Timeout erreicht oder Pipeline gestoppt.',
  },
  call_too_large: { meaning: 'Die Daten des Aufrufs sind zu groß.', remedy: 'Weniger Daten senden oder anfordern.' },
  calls_full: {
    meaning: 'Zu viele Aufrufe laufen gleichzeitig.',
    remedy: 'Auf das Ende laufender Aufrufe warten, bevor weitere beginnen.',
  },
  audit_unavailable: {
    meaning: 'Das Journal kann nicht geschrieben werden, deshalb wurde der Schreibvorgang nicht ausgeführt.',
    remedy: 'Speicherplatz für das Journal freigeben oder den Datenträger instand setzen.',
  },
  disk_reserve: {
    meaning: 'Auf dem Datenträger ist weniger als die Reserve frei, oder dieses Projekt hat seinen Anteil verbraucht.',
    remedy: 'Speicherplatz freigeben.',
  },
  tag_unknown: { meaning: 'Das Projekt hat kein solches Tag.', remedy: 'Den Pfad unter Daten prüfen.' },
  tag_path_invalid: {
    meaning: 'Der Text ist kein gültiger Tag-Pfad.',
    remedy: 'Den Pfad oder den eingesetzten Wert korrigieren.',
  },
  tag_stale: {
    meaning: 'Ein Wert ist älter als das Höchstalter, oder seine Qualität ist schlecht.',
    remedy: 'Das Gerät prüfen oder das Höchstalter anheben.',
  },
  tag_patterns_too_wide: {
    meaning: 'Das Muster trifft auf zu viele Tags zu.',
    remedy: 'Ein engeres Muster verwenden.',
  },
  tag_read_only: {
    meaning: 'Die Quelle des Tags ist nicht beschreibbar.',
    remedy: 'Ein anderes Tag schreiben oder die Quelle ändern.',
  },
  interlock: {
    meaning: 'Eine Schreibgrenze des Tags lässt den Wert nicht zu, oder eine ihrer Bedingungen ist nicht erfüllt.',
    remedy:
      'Die Meldung nennt, was verglichen wurde. Erneut schreiben, sobald die Bedingungen erfüllt sind, oder die Schreibgrenzen des Tags ändern.',
  },
  write_stopped: {
    meaning: 'Schreibzugriffe auf die Tags des Projekts oder des Geräts sind gesperrt.',
    remedy: 'Das Ende der Sperre abwarten oder sie auf der Seite Tags aufheben.',
  },
  tag_type: { meaning: 'Der Wert hat nicht den Typ des Tags.', remedy: 'Den Wert vorher umwandeln.' },
  tag_write_failed: {
    meaning: 'Gerät oder Broker hat den Wert nicht angenommen.',
    remedy: 'Die Meldung enthält den Text des Geräts. Dort Adresse, Wert und Rechte prüfen.',
  },
  tag_watchers_full: {
    meaning: 'Zu viele Knoten oder Skripte beobachten Tags dieses Projekts.',
    remedy: 'Weniger Knoten verwenden, die auf Tag-Änderungen reagieren.',
  },
  device_unreachable: {
    meaning: 'Das Gerät ist nicht erreichbar.',
    remedy: 'Kabel, Adresse und Port prüfen. Sluice verbindet sich automatisch wieder.',
  },
  opcua_settings: {
    meaning: 'Die OPC-UA-Einstellungen der Verbindung widersprechen sich.',
    remedy: 'Die Einstellung korrigieren, die in der Meldung steht.',
  },
  opcua_security: {
    meaning: 'Der Server bietet diese Sicherheitsrichtlinie mit diesem Modus nicht an.',
    remedy: 'Die Verbindung testen: Die Meldung nennt die Richtlinien des Servers.',
  },
  opcua_untrusted: {
    meaning: 'Dem Zertifikat des OPC-UA-Servers wird nicht vertraut.',
    remedy: 'Das Zertifikat in der Verbindung hinterlegen.',
  },
  opcua_identity: {
    meaning: 'Das OPC-UA-Client-Zertifikat von Sluice ist nicht verwendbar.',
    remedy: 'Den Ordner opcua im Datenordner prüfen.',
  },
  history_range: {
    meaning: 'Zeitraum oder Intervall der Abfrage ist ungültig.',
    remedy: 'Den Wert korrigieren, der in der Meldung steht.',
  },
  history_too_many_tags: { meaning: 'Die Abfrage umfasst zu viele Tags.', remedy: 'Weniger Tags auf einmal abfragen.' },
  history_too_many_points: {
    meaning: 'Die Abfrage liefert zu viele Punkte.',
    remedy: 'Einen kürzeren Zeitraum oder ein längeres Intervall verwenden.',
  },
  history_not_numeric: {
    meaning: 'Das Tag hat keine Zahlen, die sich zusammenfassen lassen.',
    remedy: 'Von diesem Tag Rohwerte lesen.',
  },
  history_busy: {
    meaning: 'Zu viele Abfragen des Verlaufs laufen gleichzeitig.',
    remedy: 'Weniger Abfragen gleichzeitig senden und erneut versuchen.',
  },
  history_timeout: {
    meaning: 'Die Abfrage des Verlaufs hat zu lange gedauert.',
    remedy: 'Einen kürzeren Zeitraum oder weniger Tags verwenden.',
  },
  history_unavailable: { meaning: 'Der Verlauf ist zurzeit nicht lesbar.', remedy: 'Der Grund steht im Protokoll.' },
  connection_unknown: {
    meaning: 'Das Projekt hat keine solche Verbindung.',
    remedy: 'Die ID unter Einstellungen, Verbindungen prüfen.',
  },
  connection_invalid: {
    meaning: 'Die Verbindung ist keine Datenbankverbindung.',
    remedy: 'Eine andere Verbindung wählen.',
  },
  query_unknown: { meaning: 'Das Projekt hat keine solche Abfrage.', remedy: 'Den Namen unter Daten prüfen.' },
  procedure_unknown: {
    meaning: 'Die Datenbank hat keine solche gespeicherte Prozedur.',
    remedy: 'Den Namen der Prozedur prüfen.',
  },
  param_missing: {
    meaning: 'Ein Parameter der Abfrage hat keinen Wert.',
    remedy: 'Den Wert senden, der in der Meldung steht.',
  },
  param_invalid: {
    meaning: 'Ein Parameter hat einen Wert vom falschen Typ.',
    remedy: 'Einen Wert des Typs senden, der in der Meldung steht.',
  },
  param_unknown: {
    meaning: 'Die Abfrage hat keinen solchen Parameter.',
    remedy: 'Die Parameter mit der Abfrage vergleichen.',
  },
  sql_invalid: {
    meaning: 'Dieses SQL ist hier nicht erlaubt.',
    remedy: 'Je Aufruf eine Anweisung verwenden, für mehrere eine Transaktion.',
  },
  db_constraint: {
    meaning: 'Die Datenbank hat die Zeile abgelehnt: doppelter Schlüssel, verletzte Bedingung oder fehlender Verweis.',
    remedy: 'In der Pipeline behandeln, zum Beispiel mit der Antwort 409.',
  },
  db_error: {
    meaning: 'Die Datenbank hat die Anweisung abgelehnt.',
    remedy: 'Die Meldung enthält den Text der Datenbank.',
  },
  db_timeout: {
    meaning: 'Die Anweisung hat zu lange gedauert.',
    remedy: 'Einen Index anlegen oder das Zeitlimit der Abfrage erhöhen.',
  },
  db_unreachable: {
    meaning:
      'Die Datenbank ist nicht erreichbar, oder die Verbindung ging während einer Anweisung verloren; deren Ergebnis ist dann unbekannt.',
    remedy: 'Server und Netzwerk prüfen und die Verbindung testen.',
  },
  db_pool_exhausted: {
    meaning: 'Alle Sitzungen der Verbindung sind in Gebrauch.',
    remedy: 'Kürzere Transaktionen verwenden oder „Maximale Verbindungen“ erhöhen.',
  },
  variable_invalid: {
    meaning: 'Der Wert lässt sich nicht als JSON speichern.',
    remedy: 'Einen Wert speichern, den JSON darstellen kann.',
  },
  variable_not_number: {
    meaning: 'Die Variable enthält keine Zahl, zu der addiert werden kann.',
    remedy: 'Zuerst eine Zahl setzen.',
  },
  variable_too_large: {
    meaning: 'Der Wert ist für eine Variable zu groß.',
    remedy: 'Weniger speichern oder eine Datei verwenden.',
  },
  variables_full: { meaning: 'Im Projekt ist kein Platz für weitere Variablen.', remedy: 'Einige Variablen löschen.' },
  variables_unavailable: {
    meaning: 'Die Variablen des Projekts sind weder lesbar noch beschreibbar.',
    remedy: 'Der Grund steht im Protokoll.',
  },
  file_unknown: { meaning: 'Diese Datei oder diesen Ordner gibt es nicht.', remedy: 'Den Pfad prüfen.' },
  file_path_invalid: {
    meaning: 'Der Pfad ist im Arbeitsbereich nicht zulässig.',
    remedy: 'Namen mit je einem / dazwischen verwenden.',
  },
  file_not_regular: {
    meaning: 'Der Pfad ist keine normale Datei, sondern ein Ordner, ein Link oder ein Gerät.',
    remedy: 'Einen anderen Pfad verwenden.',
  },
  file_invalid: {
    meaning: 'Der Inhalt hat nicht das gewählte Format.',
    remedy: 'Den Inhalt korrigieren oder die Datei als Bytes lesen.',
  },
  file_too_large: { meaning: 'Die Datei ist zu groß.', remedy: 'Auf mehrere Dateien aufteilen.' },
  files_full: { meaning: 'Im Arbeitsbereich des Projekts ist kein Platz mehr.', remedy: 'Dateien löschen.' },
  files_unavailable: {
    meaning: 'Der Ordner des Arbeitsbereichs ist nicht verwendbar.',
    remedy: 'Der Grund steht im Protokoll.',
  },
  target_refused: {
    meaning: 'Sluice verbindet sich nicht mit dieser Adresse, oder das Ziel ist für das Plugin nicht freigegeben.',
    remedy: 'Die Adresse in „Erlaubte interne Ziele“ aufnehmen oder das Ziel freigeben.',
  },
  target_unknown: {
    meaning: 'Zu dem Hostnamen gibt es keine Adresse.',
    remedy: 'Den Namen und DNS prüfen. Eine IP-Adresse funktioniert ohne DNS.',
  },
  target_unreachable: { meaning: 'Das Ziel ist nicht erreichbar.', remedy: 'Ziel und Netzwerk prüfen.' },
  target_timeout: {
    meaning: 'Das Ziel hat nicht rechtzeitig geantwortet.',
    remedy: 'Das Ziel prüfen oder den Timeout des Knotens erhöhen.',
  },
  target_overloaded: {
    meaning: 'Zu viele direkte Aufrufe laufen gleichzeitig.',
    remedy: 'Store & Forward verwenden oder seltener aufrufen.',
  },
  answer_too_large: { meaning: 'Die Antwort des Ziels ist zu groß.', remedy: 'Weniger Daten anfordern.' },
  tls_invalid: {
    meaning: 'Ein Zertifikat oder Schlüssel des Knotens ist nicht verwendbar.',
    remedy: 'Die PEM-Texte des Knotens prüfen.',
  },
  outbox_full: {
    meaning: 'Der Puffer oder der Datenträger ist voll; das Ereignis wurde nicht angenommen.',
    remedy: 'Das Ziel wiederherstellen oder Speicherplatz freigeben.',
  },
  outbox_unavailable: {
    meaning: 'Das Ereignis konnte nicht gespeichert werden.',
    remedy: 'Der Alarm egress_unavailable und das Protokoll nennen den Grund.',
  },
  dead_letter: {
    meaning: 'Das Ziel hat das Ereignis endgültig abgelehnt.',
    remedy: 'Store & Forward öffnen und das Ereignis dort erneut senden, ändern oder verwerfen.',
  },
  script_unknown: { meaning: 'Das Projekt hat kein solches Skript.', remedy: 'Den Namen prüfen.' },
  script_depth: { meaning: 'Skripte rufen sich zu tief gegenseitig auf.', remedy: 'Die Rekursion entfernen.' },
  script_invalid: {
    meaning: 'Der Code ist kein ES-Modul mit einer als default exportierten Funktion oder ist zu lang.',
    remedy: 'Die Zeile korrigieren, die in der Meldung steht.',
  },
  script_failed: {
    meaning: 'Das Skript hat einen Fehler ausgelöst.',
    remedy: 'Die Meldung nennt die Zeile. Den Code im Editor testen.',
  },
  script_deadline: {
    meaning: 'Das Skript hat zu lange gerechnet.',
    remedy: 'Das Zeitlimit erhöhen oder weniger berechnen.',
  },
  script_memory: {
    meaning: 'Das Skript oder seine Nachricht braucht zu viel Arbeitsspeicher.',
    remedy: 'Kleinere Nachrichten verwenden oder in Teilen arbeiten.',
  },
  script_stalled: {
    meaning: 'Das Skript wartet auf ein Promise, das nie abgeschlossen wird.',
    remedy: 'await nur für Aufrufe von Sluice verwenden.',
  },
  script_overloaded: {
    meaning: 'Das Skript hat zu viele Läufe oder Aufrufe gleichzeitig.',
    remedy: 'Weniger parallel aufrufen.',
  },
  script_cancelled: {
    meaning: 'Der Lauf wurde beendet, während er Code ausführte.',
    remedy: 'Im Lauf prüfen, warum: Timeout erreicht oder Pipeline gestoppt.',
  },
  plugin_failed: {
    meaning: 'Das Plugin hat einen Fehler ausgelöst.',
    remedy: 'Die Meldung nennt die Zeile. Den Code im Editor testen.',
  },
  plugin_deadline: {
    meaning: 'Das Plugin hat zu lange gerechnet.',
    remedy: 'Das Zeitlimit erhöhen oder weniger berechnen.',
  },
  plugin_memory: {
    meaning: 'Das Plugin oder seine Nachricht braucht zu viel Arbeitsspeicher.',
    remedy: 'Kleinere Nachrichten verwenden oder in Teilen arbeiten.',
  },
  plugin_stalled: {
    meaning: 'Das Plugin wartet auf ein Promise, das nie abgeschlossen wird.',
    remedy: 'await nur für Aufrufe von Sluice verwenden.',
  },
  plugin_overloaded: {
    meaning: 'Das Plugin hat zu viele Läufe oder Aufrufe gleichzeitig.',
    remedy: 'Weniger parallel aufrufen.',
  },
  plugin_cancelled: {
    meaning: 'Der Lauf wurde beendet, während er Code ausführte.',
    remedy: 'Im Lauf prüfen, warum: Timeout erreicht oder Pipeline gestoppt.',
  },
};
