import type { journalPage as english } from '../en/journal-page.ts';

export const journalPage: typeof english = {
  range: 'Zeitraum',
  ranges: { today: 'Heute', '7d': 'Letzte 7 Tage', all: 'Alle Zeiten', own: 'Von … bis …' },
  from: 'Von',
  to: 'Bis',
  showRange: 'Zeitraum anzeigen',
  wrongRange: 'Der Anfang des Zeitraums muss vor seinem Ende liegen.',
  counted: '{{count}} weitere um {{time}}',
  countedCalls: '{{count}} weitere abgelehnt um {{time}}',
  last: 'zuletzt: {{what}}',
  sessionExpired: 'Nach 12 Stunden abgelaufen.',
  sessionDisplaced: 'Durch neuere Sitzungen verdrängt.',
  newRows: 'Neue Zeilen: {{count}}.',
  newRowsMore: 'Neue Zeilen: mehr als {{count}}.',
  showNew: 'Anzeigen',
  end: 'Das sind alle Zeilen: {{count}}.',
  full: '{{count}} Zeilen werden angezeigt; mehr fasst eine Liste nicht. Für ältere einen früheren Zeitraum wählen.',
  emptyToday: 'Heute gibt es keine Zeilen. Für ältere einen längeren Zeitraum wählen.',
  showAll: 'Alle Zeiten anzeigen',
  verify: {
    button: 'Jetzt prüfen',
    running: 'Die Kette wird geprüft.',
    never: 'Die Kette wurde von diesem Browser aus noch nicht geprüft.',
    good: 'Kette um {{time}} geprüft, nichts verändert.',
    goodBefore: 'Kette zuletzt geprüft: {{time}}, nichts verändert.',
    bad_one: 'Kette um {{time}} geprüft: {{count}} Befund.',
    bad_other: 'Kette um {{time}} geprüft: {{count}} Befunde.',
    failed: 'Die Kette wurde nicht geprüft',
    progress: '{{size}} Journal werden blockweise gelesen und mit den Ankern verglichen.',
    elapsed: 'Läuft seit {{seconds}} s. Aufrufe werden weiter bedient.',
    whole: 'Nichts wurde verändert, entfernt oder hinzugefügt.',
    wholeHelp: '{{rows}} Zeilen beider Ketten wurden gelesen und stimmen mit ihren Hashes und den Ankern überein.',
    unclean_one:
      'Sluice wurde einmal nicht ordnungsgemäß beendet; was noch nicht auf dem Datenträger war, ist verloren:',
    unclean_other:
      'Sluice wurde {{count}}-mal nicht ordnungsgemäß beendet; was noch nicht auf dem Datenträger war, ist verloren:',
    unproven_one:
      '1 Zeile vor einem nicht ordnungsgemäßen Ende ist durch keinen Anker gedeckt; sie kann echt oder gefälscht sein:',
    unproven_other:
      '{{count}} Zeilen vor einem nicht ordnungsgemäßen Ende sind durch keinen Anker gedeckt; sie können echt oder gefälscht sein:',
    uncleanStop: 'Kette {{chain}}, {{from}} bis {{to}}: {{size}} verworfen.',
    chains: { gateway: 'Gateway', host: 'Verwaltung' },
    notWhole_one: 'Das Journal ist nicht unversehrt: {{count}} Befund.',
    notWhole_other: 'Das Journal ist nicht unversehrt: {{count}} Befunde.',
    notWholeHelp:
      'Jeder Befund nennt eine Stelle, an der die Dateien nicht mehr dem entsprechen, was geschrieben wurde. Den Datenordner unverändert lassen und mit einer Sicherung vergleichen.',
    more: 'und {{count}} weitere',
  },
  export: {
    button: 'Exportieren',
    what: 'Die Liste, wie sie jetzt angezeigt wird',
    csv: 'CSV, für Tabellenkalkulationen',
    jsonl: 'JSON Lines, für Programme',
  },
  live: {
    title: 'Gerade abgelehnt',
    pause: 'Pausieren',
    resume: 'Fortsetzen',
    none: 'Jede Ablehnung erscheint sofort hier.',
    since_one: '{{count}} Ablehnung seit {{time}}',
    since_other: '{{count}} Ablehnungen seit {{time}}',
    paused_one: 'Pausiert. Seither {{count}} Ablehnung.',
    paused_other: 'Pausiert. Seither {{count}} Ablehnungen.',
    noRoute: 'keine Route',
  },
  repeats_one: '{{shown}} Mal seit {{time}}',
  repeats_other: '{{shown}} Mal seit {{time}}',
  repeatsMore: 'mehr als {{shown}} Mal seit {{time}}',
  someone: 'Der Aufrufer',
  told: 'Abgelehnt bei Schritt {{step}}, {{name}}. Der Aufrufer bekam {{status}} {{code}}.',
  steps: {
    s0: 'Gültiges HTTP',
    s1: 'Route gefunden',
    s2: 'Adresse erlaubt',
    s3: 'Origin',
    s4: 'Schlüssel gültig',
    s5: 'Scopes',
    s6: 'Rate',
    s7: 'Größe laut Header',
    s8: 'Body',
    s9: 'Nutzung erfasst',
    s10: 'Pipeline läuft',
    s11: 'Ergebnis erfasst',
  },
  span: '{{from}} bis {{to}}',
  way: {
    missing: '{{missing}} fehlt',
    noKey: 'Kein Schlüssel nötig',
    notValid: 'Auch nicht angenommen',
  },
  said: {
    bad_request: { lead: '{{who}} hat kein gültiges HTTP gesendet.', rest: 'Die Ursache: {{cause}}.' },
    trailers: { lead: '{{who}} hat nach dem Body noch Trailer gesendet.', rest: 'Das Gateway akzeptiert keine.' },
    head_too_slow: {
      lead: 'Die Anfrage von {{who}} kam zu langsam.',
      rest: 'Ihre Header müssen innerhalb von 5 s vollständig sein.',
    },
    body_too_slow: {
      lead: 'Der Body von {{who}} kam zu langsam.',
      rest: '{{receivedBytes}} Bytes waren da, als die Zeit um war; mindestens 1 KiB je Sekunde ist nötig.',
    },
    request_timeout: {
      lead: 'Die Anfrage von {{who}} kam zu langsam.',
      rest: 'Sie war nicht vollständig, als die Zeit um war.',
    },
    tls_plain_http: {
      lead: '{{who}} sprach unverschlüsseltes HTTP an einem Port, der TLS spricht.',
      rest: 'Nichts davon wurde beantwortet.',
    },
    tls_version: { lead: '{{who}} bot ein altes TLS an.', rest: 'Das Gateway spricht TLS 1.2 und 1.3.' },
    tls_cipher: {
      lead: '{{who}} und das Gateway haben kein Verfahren gemeinsam.',
      rest: 'Das Gateway nimmt ECDHE mit AES oder ChaCha20.',
    },
    tls_not_trusted: {
      lead: '{{who}} vertraut dem Zertifikat des Gateways nicht.',
      rest: 'Der Handshake wurde von dort beendet.',
    },
    tls_handshake: { lead: 'Der TLS-Handshake mit {{who}} ist gescheitert.', rest: 'Die Ursache: {{reason}}.' },
    tls_too_slow: {
      lead: 'Der TLS-Handshake von {{who}} kam zu langsam.',
      rest: 'Er muss in 5 s vollständig sein.',
    },
    headers_too_large: {
      lead: '{{who}} hat zu viele Header gesendet.',
      rest: 'Höchstens 8 KiB in 64 Zeilen werden gelesen.',
    },
    overloaded: { lead: 'Das Gateway war überlastet.', rest: '{{cause}}' },
    requests_in_flight: {
      lead: 'Zu viele Anfragen waren zugleich unterwegs.',
      rest: 'Höchstens {{limit}} dürfen es sein. Meist sind Pipelines langsam, oder ein Aufrufer überflutet das Gateway.',
    },
    replies_in_memory: {
      lead: 'Antworten, die auf ihre Aufrufer warten, belegten zu viel Speicher.',
      rest: 'Dieser Aufrufer nahm seine Antwort nicht ab und hielt am meisten; höchstens {{limitBytes}} Bytes dürfen warten.',
    },
    queue_full: {
      lead: 'Es kamen mehr Aufrufe, als das Gateway bedienen kann.',
      rest: 'Was zu lange warten müsste, wird abgewiesen, damit die übrigen rechtzeitig bedient werden.',
    },
    heap_full: {
      lead: 'Der Arbeitsspeicher des Gateways war fast aufgebraucht.',
      rest: 'Aufrufe werden abgewiesen, bis wieder Platz ist. Meist halten Pipelines große Nachrichten lange fest.',
    },
    share_of_requests: {
      lead: 'Dieser Aufrufer hatte zu viele Anfragen zugleich unterwegs.',
      rest: 'Ein Schlüssel darf {{limit}} haben, ein Projekt {{projectLimit}}, damit auch die anderen bedient werden.',
    },
    share_of_runs: {
      lead: 'Dieser Aufrufer hatte zu viele Läufe zugleich.',
      rest: 'Ein Schlüssel darf {{limit}} haben, ein Projekt {{projectLimit}}. Läuft eine Pipeline nach der Antwort weiter, zählt ihr Lauf bis zum Ende.',
    },
    share_of_bodies: {
      lead: 'Die Bodys dieses Aufrufers belegten zu viel Speicher.',
      rest: 'Die eines Schlüssels dürfen {{limit}} Bytes belegen, die eines Projekts {{projectLimit}}.',
    },
    connections: {
      lead: 'Zu viele Verbindungen waren zugleich offen.',
      rest: '{{who}} wollte eine mehr, als das Gateway oder eine Adresse haben darf.',
    },
    pipelined: {
      lead: '{{who}} hat auf einer Verbindung zu viele Anfragen vorausgesendet.',
      rest: 'Die Antworten sind abzuwarten.',
    },
    gateway_stopped: { lead: 'Sluice wurde beendet, während die Anfrage von {{who}} lief.', rest: '' },
    run_cancelled: { lead: 'Die Pipeline wurde angehalten, während die Anfrage von {{who}} lief.', rest: '' },
    no_route: {
      lead: 'Keine laufende Pipeline hat die Route `{{call}}`.',
      rest: 'Groß- und Kleinschreibung zählt, ebenso jeder Abschnitt des Pfads.',
    },
    method_differs: {
      lead: 'Den Pfad gibt es, aber nicht mit {{method}}.',
      rest: '`{{path}}` erlaubt {{accepted}}.',
    },
    slash_differs: {
      lead: 'Der Pfad unterscheidet sich im Schrägstrich am Ende.',
      rest: '`{{path}}` wurde aufgerufen; die Route ist anders geschrieben.',
    },
    pipeline_stopped: {
      lead: 'Die Pipeline von `{{call}}` ist angehalten.',
      rest: 'Die Route gibt es, aber nur eine laufende Pipeline antwortet.',
    },
    ip_not_allowed: {
      lead: '{{ip}} darf diese Route nicht aufrufen.',
      rest: 'Die Route erlaubt nur `{{allowedIps}}`.',
    },
    origin_not_allowed: {
      lead: 'Seiten von {{origin}} dürfen diese Route nicht aufrufen.',
      rest: 'Die Route erlaubt nur `{{allowedOrigins}}`.',
    },
    cors_off: {
      lead: 'Seiten von {{origin}} dürfen diese Route nicht aufrufen.',
      rest: 'Ihr CORS ist aus: Keine Seite eines anderen Origins darf sie aufrufen.',
    },
    key_missing: {
      lead: '{{who}} hat keinen API-Schlüssel gesendet.',
      rest: 'Die Route verlangt einen im Header `X-API-Key`.',
    },
    key_invalid: {
      lead: '{{who}} hat einen ungültigen Schlüssel gesendet.',
      rest: 'Er ist vertippt, unbekannt oder gesperrt.',
    },
    key_repeated: {
      lead: '{{who}} hat den Header X-API-Key {{headers}} Mal gesendet.',
      rest: 'Er muss genau einmal da sein.',
    },
    key_malformed: {
      lead: '{{who}} hat einen abgeschnittenen oder vertippten Schlüssel gesendet.',
      rest: 'Seine Form oder seine Prüfsumme stimmt nicht.',
    },
    key_unknown: {
      lead: '{{who}} hat einen Schlüssel gesendet, den dieses Gateway nicht kennt.',
      rest: 'Seine Form stimmt, aber er stammt von einer anderen Installation, oder sein Projekt wurde gelöscht.',
    },
    key_revoked: {
      lead: '{{who}} hat einen gesperrten Schlüssel gesendet.',
      rest: 'Der Schlüssel `{{keyId}}` wurde gesperrt, und ein gesperrter Schlüssel wird nie wieder gültig.',
    },
    keys_unconfirmed: {
      lead: 'Jeder Schlüssel wird abgelehnt, bis der ältere Tresor bestätigt ist.',
      rest: 'Das Gateway kann nicht sagen, welche Schlüssel seither gesperrt wurden.',
    },
    too_many_failed_keys: {
      lead: 'Zu viele Aufrufe von {{ip}} hatten keinen gültigen Schlüssel.',
      rest: 'Sie haben die {{rate}} Aufrufe/s für Fehlversuche aufgebraucht; dieser sollte daher warten.',
    },
    key_wrong_project: {
      lead: 'Der Schlüssel von {{who}} gehört zu einem anderen Projekt.',
      rest: 'Die Route ist in `{{routeProject}}`; der Schlüssel öffnet nur `{{keyProject}}`.',
    },
    scope_missing: {
      lead: '{{who}} darf `{{call}}` nicht aufrufen.',
      rest: 'Die Route verlangt {{required}}; dieser Schlüssel hat {{held}}.',
    },
    run_scope: {
      lead: 'Der Schlüssel von {{who}} hat {{missing}} nicht.',
      rest: 'Der Knoten `{{node}}` braucht es; der Schlüssel hat {{held}}.',
    },
    run_grants: {
      lead: 'Der Pipeline wurde {{missing}} nicht gewährt.',
      rest: 'Der Knoten `{{node}}` braucht es; die Pipeline läuft mit eigenen Rechten, {{held}}.',
    },
    run_revoked: {
      lead: 'Der Schlüssel von {{who}} wurde während des Laufs gesperrt.',
      rest: 'Damit verlor der Lauf beim Knoten `{{node}}` alle Rechte.',
    },
    run_script: {
      lead: 'Das Skript von `{{node}}` verlangt {{missing}} nicht.',
      rest: 'Der Lauf hat es, aber ein Skript bekommt nur, was seine Liste Scopes nennt.',
    },
    rate_limited: {
      lead: '{{who}} hat zu oft aufgerufen.',
      rest: 'Die Route lässt {{rate}} Aufrufe/s zu und {{burst}} mehr auf einmal.',
    },
    payload_too_large: {
      lead: 'Der Body von {{who}} ist zu groß.',
      rest: 'Er hat {{bodyBytes}} Bytes; die Route erlaubt {{maxPayloadSize}}.',
    },
    content_coding: {
      lead: 'Der Body von {{who}} ist komprimiert.',
      rest: '`Content-Encoding: {{contentEncoding}}` wird nicht angenommen.',
    },
    unsupported_media_type: {
      lead: 'Der Body von {{who}} hat eine Form, die nicht angenommen wird.',
      rest: 'Sein Typ war `{{contentType}}`. Texte müssen UTF-8 sein.',
    },
    body_invalid: {
      lead: 'Der Body von {{who}} ist nicht lesbar.',
      rest: 'Er passt nicht zu seinem Typ `{{contentType}}`: {{cause}}.',
    },
    audit_unavailable: {
      lead: 'Das Journal konnte nicht geschrieben werden.',
      rest: 'Ohne es führt das Gateway nichts aus.',
    },
    route_timeout: {
      lead: 'Die Pipeline hat nicht innerhalb von {{timeoutS}} s geantwortet.',
      rest: 'Der Lauf war im Knoten `{{node}}`.',
    },
    value_invalid: {
      lead: 'Der Knoten `{{node}}` kann einen Wert von {{who}} nicht verarbeiten.',
      rest: '{{cause}}',
    },
    pipeline_failed: {
      lead: 'Die Pipeline ist im Knoten `{{node}}` gescheitert.',
      rest: '{{cause}}',
    },
  },
  otherMethod: 'eine andere Methode',
  nothing: 'nichts',
  and: '{{list}} und {{last}}',
  fix: {
    callOther: {
      title: 'Eine andere Route aufrufen lassen',
      help: 'Dieser Schlüssel darf {{route}} aufrufen.',
      act: 'Aufruf kopieren',
    },
    createKey: { title: 'Ihm einen Schlüssel mit {{scopes}} geben', help: '', act: 'Schlüssel anlegen' },
    createKeyOpens_one: 'Er öffnete {{count}} weitere Route.',
    createKeyOpens_other: 'Er öffnete {{count}} weitere Routen.',
    routeScopes: {
      title: 'Weniger Scopes verlangen',
      help: '{{missing}} aus den verlangten Scopes der Route nehmen. Jeder Schlüssel ohne es darf dann aufrufen.',
      act: 'Route öffnen',
    },
    nodeScope: {
      title: 'Ohne es auskommen',
      help: 'Was {{missing}} braucht, aus dem Knoten {{node}} nehmen.',
      act: 'Pipeline öffnen',
    },
    grants: {
      title: 'Der Pipeline das Recht gewähren',
      help: '{{missing}} zu den Rechten der Pipeline nehmen. Starten muss sie dann ein Administrator.',
      act: 'Pipeline öffnen',
    },
    scriptScopes: {
      title: 'Das Skript danach verlangen lassen',
      help: '{{missing}} in die Liste Scopes des Knotens {{node}} nehmen.',
      act: 'Pipeline öffnen',
    },
    callerHttp: {
      title: 'Das aufrufende Programm in Ordnung bringen',
      help: 'Es muss gültiges HTTP/1.1 senden. Zuständig ist, wer es betreut.',
      act: '',
    },
    noTrailers: { title: 'Keine Trailer senden', help: 'Nach dem letzten Chunk darf nichts folgen.', act: '' },
    network: {
      title: 'Ohne Pausen senden',
      help: 'Das Netzwerk prüfen und ob der Aufrufer mittendrin stockt.',
      act: '',
    },
    useTls: {
      title: 'Mit https:// aufrufen',
      help: 'Oder einen Port für unverschlüsseltes HTTP einstellen, für Aufrufer, die es nicht können.',
      act: 'Gateway-Einstellungen öffnen',
    },
    newerTls: {
      title: 'Den Aufrufer TLS 1.2 oder 1.3 sprechen lassen',
      help: 'Eine neuere Firmware oder Bibliothek bringt es mit.',
      act: '',
    },
    trust: {
      title: 'Dem Aufrufer das Zertifikat geben',
      help: 'Die Gateway-Einstellungen haben es als Datei. Der Aufrufer muss einen Namen oder eine Adresse wählen, wofür es gilt.',
      act: 'Gateway-Einstellungen öffnen',
    },
    fewerHeaders: { title: 'Weniger Header senden', help: 'Meist sind es Cookies.', act: '' },
    tryAgain: {
      title: 'Nach einem Augenblick wieder aufrufen',
      help: 'Hält es an: den Aufrufer suchen, der das Gateway überflutet.',
      act: 'Übersicht öffnen',
    },
    fewerConnections: {
      title: 'Verbindungen offen halten und teilen',
      help: 'Wer für jeden Aufruf eine neue öffnet, hat bald keine mehr.',
      act: '',
    },
    waitAnswers: { title: 'Die Antworten abwarten', help: 'Oder mehrere Verbindungen nutzen.', act: '' },
    startPipeline: { title: 'Die Pipeline starten', help: 'Dann den Aufruf wiederholen.', act: 'Pipeline öffnen' },
    startSome: { title: 'Die Pipeline starten', help: 'Dann den Aufruf wiederholen.', act: 'Pipelines öffnen' },
    usePath: {
      title: 'Eine Route aufrufen, die es gibt',
      help: 'Routen nennt alle, jede mit einem Aufruf zum Kopieren.',
      act: 'Routen öffnen',
    },
    useMethod: {
      title: 'Die Methode der Route nehmen',
      help: 'Oder eine Route mit dieser Methode hinzufügen.',
      act: 'Routen öffnen',
    },
    exactPath: {
      title: 'Den Pfad aufrufen, wie er geschrieben ist',
      help: 'Mit oder ohne Schrägstrich am Ende.',
      act: 'Routen öffnen',
    },
    addAddress: {
      title: 'Die Adresse erlauben',
      help: '{{ip}} zu den erlaubten Adressen der Route nehmen.',
      act: 'Route öffnen',
    },
    trustProxy: {
      title: 'Dem Proxy vertrauen',
      help: 'Dann zählt die Adresse des Aufrufers, nicht die des Proxys.',
      act: 'Gateway-Einstellungen öffnen',
    },
    addOrigin: {
      title: 'Den Origin erlauben',
      help: '{{origin}} zu den erlaubten Origins der Route nehmen.',
      act: 'Route öffnen',
    },
    corsOn: {
      title: 'CORS einschalten',
      help: 'Und {{origin}} zu den erlaubten Origins der Route nehmen.',
      act: 'Route öffnen',
    },
    sendKey: { title: 'Den Schlüssel senden', help: 'Im Header X-API-Key jedes Aufrufs.', act: '' },
    sendOnce: { title: 'Den Header einmal senden', help: 'Ein Proxy fügt manchmal einen zweiten hinzu.', act: '' },
    sendWhole: { title: 'Den Schlüssel ganz senden', help: 'Neu kopieren, von slc_ bis zum letzten Zeichen.', act: '' },
    newKey: { title: 'Einen neuen Schlüssel anlegen', help: 'Und dem Aufrufer geben.', act: 'Schlüssel anlegen' },
    keyOfProject: {
      title: 'Einen Schlüssel von {{routeProject}} nehmen',
      help: 'Ein Schlüssel öffnet nur Routen seines eigenen Projekts.',
      act: 'Schlüssel anlegen',
    },
    confirmVault: {
      title: 'Den Tresor bestätigen',
      help: 'Ein Administrator prüft vorher Schlüssel und Personen.',
      act: 'Übersicht öffnen',
    },
    stopWrong: {
      title: 'Die Aufrufe ohne gültigen Schlüssel abstellen',
      help: 'Dann warten, bis die Grenze für Fehlversuche wieder frei ist.',
      act: '',
    },
    callLess: { title: 'Seltener aufrufen', help: 'Der Header Retry-After sagt, wie lange zu warten ist.', act: '' },
    raiseRate: {
      title: 'Die Rate erhöhen',
      help: 'Rate und Burst der Route gelten für alle ihre Aufrufer zusammen.',
      act: 'Route öffnen',
    },
    smallerBody: { title: 'Einen kleineren Body senden', help: '', act: '' },
    takeReply: { title: 'Die Antwort ganz abnehmen', help: '', act: '' },
    raiseSize: {
      title: 'Größere Bodys erlauben',
      help: 'Die größte Nutzlast der Route erhöhen.',
      act: 'Route öffnen',
    },
    plainBody: { title: 'Den Body unkomprimiert senden', help: 'Ohne den Header Content-Encoding.', act: '' },
    sendUtf8: {
      title: 'Den Body als UTF-8 senden',
      help: 'Und seinen Typ nennen: application/json für JSON.',
      act: '',
    },
    fitBody: { title: 'Senden, was der Typ sagt', help: 'Oder den Typ nennen, der es ist.', act: '' },
    fitValue: { title: 'Einen passenden Wert senden', help: 'Die Ursache nennt ihn und was erwartet wird.', act: '' },
    freeDisk: {
      title: 'Platz für das Journal schaffen',
      help: 'Oder die Festplatte in Ordnung bringen. Dann geht es von selbst weiter.',
      act: 'Gateway-Einstellungen öffnen',
    },
    raiseTimeout: { title: 'Mehr Zeit geben', help: 'Das Zeitlimit der Route erhöhen.', act: 'Route öffnen' },
    everyPath: {
      title: 'Auf jedem Weg antworten',
      help: 'Jeder Weg durch die Pipeline muss rechtzeitig eine HTTP-Antwort erreichen.',
      act: 'Pipeline öffnen',
    },
    mendPipeline: {
      title: 'Die Pipeline in Ordnung bringen',
      help: 'Ihre Läufe zeigen, was jeder Knoten empfing und weitergab.',
      act: 'Pipeline öffnen',
    },
  },
  needs: {
    access_settings: 'Das darf nur ein Administrator.',
    edit_pipelines: 'Das darf nur, wer Pipelines bearbeitet.',
    view: '',
  },
};
