import type { AlarmTexts } from '../language.ts';

export const alarms: AlarmTexts = {
  gateway_down: 'Das Gateway läuft nicht: Keine Route antwortet. Sluice startet es automatisch neu. {{message}}',
  gateway_outage_one: 'Von {{from}} bis {{to}} antwortete keine Route: {{cause}} und wurde neu gestartet.',
  gateway_outage_other:
    'Zuletzt antworteten von {{from}} bis {{to}} keine Routen: {{cause}} und wurde neu gestartet. Unterbrechungen seit der letzten Quittierung: {{count}}.',
  gateway_restarted:
    'Das Gateway wurde seit dem Start von Sluice {{count}}-mal neu gestartet; den Grund nennt das Protokoll.',
  pipeline_quarantined:
    'Pipelines gestoppt, weil sie das Gateway zweimal blockiert haben: {{names}}. Erst die Ursache beseitigen, dann wieder starten.',
  pipeline_blocked:
    'Das Gateway wurde neu gestartet, weil ein Knoten es blockiert hat: {{names}}. Eine laufende Pipeline, die das innerhalb von 10 Minuten noch einmal tut, wird gestoppt.',
  journal_unavailable:
    'Das Journal kann nicht geschrieben werden: Aufrufer mit Schlüssel erhalten 503, und keine Pipeline läuft. Meldung: „{{reason}}“',
  journal_tampered:
    'Das Journal wurde außerhalb von Sluice verändert: {{first}} „sluice audit verify“ nennt alles, was gefunden wurde.',
  journal_unproven_one:
    'Sluice wurde nicht ordnungsgemäß beendet. 1 Zeile des Journals ist durch keinen Anker gedeckt: Sie kann echt oder gefälscht sein. „sluice audit verify“ nennt sie.',
  journal_unproven_other:
    'Sluice wurde nicht ordnungsgemäß beendet. {{count}} Zeilen des Journals sind durch keinen Anker gedeckt: Sie können echt oder gefälscht sein. „sluice audit verify“ nennt sie.',
  keys_readable: 'Das Gateway verwendet unverschlüsseltes HTTP: API-Schlüssel sind im Netzwerk lesbar.',
  certificate_ending:
    'Das Zertifikat am Gateway-Port läuft am {{date}} ab: Maschinen, die es prüfen, erhalten dann keine Verbindung.',
  certificate_ended:
    'Das Zertifikat am Gateway-Port ist am {{date}} abgelaufen: Maschinen, die es prüfen, erhalten keine Verbindung.',
  journal_rolled_back:
    'Das Journal enthält den Stand in {{file}} nicht: Ein älterer Datenordner wurde zurückgespielt, oder Zeilen wurden entfernt. Was fehlt, zeigt „sluice audit verify --head {{file}}“. Schlüssel und Benutzer prüfen, danach eine andere „Datei für Journal-Stände“ einstellen.',
  journal_head_unusable: 'Der Stand des Journals kann nicht in {{file}} abgelegt werden. Meldung: „{{reason}}“',
  generation_behind:
    'Der Tresor auf dem Datenträger ist älter, als im Schlüsselbund vermerkt ist: Er wurde durch eine ältere Fassung ersetzt, oder er konnte nicht vollständig geschrieben werden.',
  disk_low:
    'Der Speicherplatz wird knapp: Auf dem Datenträger mit dem Datenordner sind weniger als {{twice}} frei. Zuletzt am meisten gespeichert: {{writers}}.',
  disk_reserve:
    'Auf dem Datenträger mit dem Datenordner ist weniger als die Reserve von {{reserve}} frei. Pipelines können nichts mehr speichern. Zuletzt am meisten gespeichert: {{writers}}. Speicherplatz freigeben.',
  disk_full:
    'Der Datenträger mit dem Datenordner ist voll, und Sluice hat seine Notreserve aufgebraucht. Aufrufe mit Schlüssel werden in Kürze mit 503 abgelehnt. Zuletzt am meisten gespeichert: {{writers}}. Sofort Speicherplatz freigeben.',
  egress_unavailable:
    'Ausgehende Aufrufe können nicht gespeichert werden: Die Knoten, die sie senden, schlagen fehl. Meldung: „{{reason}}“',
  egress_paused:
    'An {{targets}} wird nichts gesendet: Den Grund nennt die Seite „Store & Forward“. Angenommene Ereignisse warten auf dem Datenträger; nichts geht verloren.',
  egress_backlog:
    'Der Puffer ausgehender Aufrufe ist zu {{percent}} % voll. Ist er voll, schlagen die Knoten fehl, die sie senden.',
  egress_sends_held:
    'Gespeicherte Aufrufe warten: Laufende Aufrufe an {{targets}} sind noch ohne Antwort und lassen keine weiteren zu.',
  egress_share_full:
    '{{targets}}: Der Anteil am Puffer ausgehender Aufrufe ist voll. Knoten, die dorthin senden, schlagen fehl.',
  egress_calls_refused: 'Direkte Aufrufe an {{targets}} werden abgelehnt: Es laufen schon zu viele.',
  egress_dead_one:
    '1 unzustellbares Ereignis wartet auf eine Entscheidung: erneut senden, ändern, verwerfen oder exportieren.',
  egress_dead_other:
    '{{count}} unzustellbare Ereignisse warten auf eine Entscheidung: erneut senden, ändern, verwerfen oder exportieren.',
  writes_stopped_one: 'Schreibzugriffe auf Tags sind gesperrt: {{stops}}.',
  writes_stopped_other: 'Schreibzugriffe auf Tags sind durch {{count}} Schreibsperren gesperrt: {{stops}}.',
  changes_unsaved_one:
    'Gilt bereits, ist aber noch nicht gespeichert, weil sich der Datenträger nicht beschreiben lässt: {{names}}. Sluice speichert die Änderung, sobald Speicherplatz frei ist. Speicherplatz freigeben.',
  changes_unsaved_other:
    '{{count}} Änderungen gelten bereits, sind aber noch nicht gespeichert, weil sich der Datenträger nicht beschreiben lässt: {{names}}. Sluice speichert sie, sobald Speicherplatz frei ist. Speicherplatz freigeben.',
  start_unsaved:
    'Sluice ist gestartet, konnte aber nicht speichern: {{names}}. Speicherplatz freigeben und Sluice danach neu starten.',
  changes_undone_by_restart_one:
    'Gilt bereits, lässt sich aber nicht speichern: {{names}}. Bis wieder Speicherplatz frei ist, macht ein Neustart von Sluice die Änderung rückgängig. Zuerst Speicherplatz freigeben.',
  changes_undone_by_restart_other:
    '{{count}} Änderungen gelten bereits, lassen sich aber nicht speichern: {{names}}. Bis wieder Speicherplatz frei ist, macht ein Neustart sie rückgängig. Zuerst Speicherplatz freigeben.',
  journal_rows_held_one:
    'Das Journal lässt sich nicht schreiben, weil der Datenträger voll ist: 1 Zeile über Aktionen von Benutzern liegt in einer Datei neben dem Journal, die etwa 200 fasst. Sofort Speicherplatz freigeben.',
  journal_rows_held_other:
    'Das Journal lässt sich nicht schreiben, weil der Datenträger voll ist: {{count}} Zeilen über Aktionen von Benutzern liegen in einer Datei neben dem Journal, die etwa 200 fasst. Sofort Speicherplatz freigeben.',
  changes_unreadable_one:
    'Ein Widerruf, ein Stopp oder eine andere Einschränkung aus einer anderen Version von Sluice wurde nicht gespeichert. Diese Version kann die Änderung nicht lesen; sie gilt deshalb nicht. Das Protokoll von Sluice nennt sie. Die Änderung erneut vornehmen und dann „Ohne sie weiterarbeiten“ wählen.',
  changes_unreadable_other:
    '{{count}} Widerrufe, Stopps oder andere Einschränkungen aus einer anderen Version von Sluice wurden nicht gespeichert. Diese Version kann die Änderungen nicht lesen; sie gelten deshalb nicht. Das Protokoll von Sluice nennt sie. Die Änderungen erneut vornehmen und dann „Ohne sie weiterarbeiten“ wählen.',
  metrics_unavailable:
    'Die Metriken lassen sich unter der eingestellten Adresse nicht abrufen. Sluice versucht es automatisch erneut. Meldung: „{{reason}}“',
  caller_refused: 'Immer wieder abgelehnt: {{names}}. Den Grund nennt das Journal.',
  share_used_up:
    'Aufrufe über den eigenen Anteil hinaus werden abgelehnt, damit andere bedient werden: {{names}}. Den Grund nennt das Journal.',
  key_exposed:
    'Schlüssel sind dort aufgetaucht, wo andere sie lesen oder verwenden können: {{names}}. Sie sollten ersetzt werden.',
  honey_key_used: 'Ein Köderschlüssel wurde verwendet: {{names}}. Jemand hat den Schlüssel gefunden und ausprobiert.',
  caller_silent: '{{names}}: länger als üblich kein Aufruf.',
  plugin_trusted:
    'Vertrauenswürdige Plugins laufen außerhalb der Sandbox und dürfen alles, was Node kann: {{plugins}}.',
  plugin_not_loaded:
    'Das Gateway hat freigegebene Plugins nicht geladen: {{plugins}}. Pipelines mit deren Knotenarten können nicht starten.',
  keys_refused:
    'Jeder API-Schlüssel wird abgelehnt: Der Tresor ist älter als der zuletzt geschriebene, und aus dem Journal geht nicht hervor, was seither widerrufen wurde. Ein Administrator muss Schlüssel und Benutzer prüfen und den Tresor dann bestätigen.',
  store_lost:
    'Dateien des Datenordners sind nicht mehr so, wie Sluice sie hinterlassen hat: {{stores}}. Sluice beenden und sie aus einer Kopie wiederherstellen oder eine Sicherung mit „sluice restore“ zurückspielen. Um ohne ihren Inhalt weiterzuarbeiten, „Ohne sie weiterarbeiten“ wählen.',
  vault_rolled_back:
    'Der Tresor ist älter als der zuletzt geschriebene. Ein Administrator muss Schlüssel und Benutzer prüfen und den Tresor dann bestätigen.',
  secret_unprotected:
    'Das Geheimnis des Tresors liegt in einer Datei neben dem Tresor: Der Schlüsselbund dieses PCs schützt es nicht.',
};
