import { refusalTexts } from '#common/languages/error-texts.ts';

/** Each refusal with its reason. `x` is shown as code. */
export const refusals = refusalTexts({
  bad_request: { lead: '{{who}} hat kein gültiges HTTP gesendet.', rest: 'Ursache: {{cause}}.' },
  trailers: { lead: '{{who}} hat nach dem Body noch Trailer gesendet.', rest: 'Das Gateway nimmt keine Trailer an.' },
  head_too_slow: {
    lead: 'Die Anfrage von {{who}} ist zu langsam eingetroffen.',
    rest: 'Ihre Header müssen innerhalb von 5 s vollständig sein.',
  },
  body_too_slow: {
    lead: 'Der Body von {{who}} ist zu langsam eingetroffen.',
    rest: 'Nach Ablauf der Zeit waren {{receivedBytes}} Bytes eingetroffen; mindestens 1 KiB je Sekunde ist nötig.',
  },
  request_timeout: {
    lead: 'Die Anfrage von {{who}} ist zu langsam eingetroffen.',
    rest: 'Bei Ablauf der Zeit war sie nicht vollständig.',
  },
  tls_plain_http: {
    lead: '{{who}} hat unverschlüsseltes HTTP an einen TLS-Port gesendet.',
    rest: 'Die Verbindung wurde ohne Antwort geschlossen.',
  },
  tls_version: {
    lead: '{{who}} hat nur eine veraltete TLS-Version angeboten.',
    rest: 'Das Gateway unterstützt TLS 1.2 und 1.3.',
  },
  tls_cipher: {
    lead: '{{who}} und das Gateway haben keine Cipher Suite gemeinsam.',
    rest: 'Das Gateway unterstützt ECDHE mit AES oder ChaCha20.',
  },
  tls_not_trusted: {
    lead: '{{who}} vertraut dem Zertifikat des Gateways nicht.',
    rest: 'Der Handshake wurde vom Aufrufer beendet.',
  },
  tls_handshake: { lead: 'Der TLS-Handshake mit {{who}} ist fehlgeschlagen.', rest: 'Meldung: „{{reason}}“' },
  tls_too_slow: {
    lead: 'Der TLS-Handshake von {{who}} hat zu lange gedauert.',
    rest: 'Er muss innerhalb von 5 s abgeschlossen sein.',
  },
  headers_too_large: {
    lead: '{{who}} hat zu viele Header gesendet.',
    rest: 'Erlaubt sind höchstens 8 KiB in 64 Zeilen.',
  },
  overloaded: { lead: 'Das Gateway war ausgelastet.', rest: '{{cause}}' },
  requests_in_flight: {
    lead: 'Zu viele Anfragen waren gleichzeitig in Bearbeitung.',
    rest: 'Erlaubt sind höchstens {{limit}}. Meist sind Pipelines langsam, oder ein Aufrufer überlastet das Gateway.',
  },
  replies_in_memory: {
    lead: 'Nicht abgeholte Antworten belegten zu viel Arbeitsspeicher.',
    rest: 'Dieser Aufrufer hat seine Antwort nicht abgeholt; sie war die größte. Erlaubt sind zusammen höchstens {{limitBytes}} Bytes.',
  },
  queue_full: {
    lead: 'Es trafen mehr Aufrufe ein, als das Gateway bedienen kann.',
    rest: 'Aufrufe, die zu lange warten müssten, werden abgelehnt, damit die übrigen rechtzeitig bedient werden.',
  },
  heap_full: {
    lead: 'Der Arbeitsspeicher des Gateways war fast aufgebraucht.',
    rest: 'Aufrufe werden abgelehnt, bis wieder Speicher frei ist. Meist liegt es an Pipelines, die große Nachrichten lange im Speicher halten.',
  },
  heap_held: {
    lead: 'Der Arbeitsspeicher des Gateways war fast aufgebraucht.',
    rest: 'Das meiste belegt wahrscheinlich {{holder}} (Projekt {{holderProject}}). Aufrufe werden abgelehnt, bis wieder Speicher frei ist.',
  },
  share_of_requests: {
    lead: 'Dieser Aufrufer hatte zu viele Anfragen gleichzeitig in Bearbeitung.',
    rest: 'Erlaubt sind {{limit}} je Schlüssel und {{projectLimit}} je Projekt, damit auch andere bedient werden.',
  },
  share_of_runs: {
    lead: 'Dieser Aufrufer hatte zu viele Läufe gleichzeitig.',
    rest: 'Erlaubt sind {{limit}} je Schlüssel und {{projectLimit}} je Projekt. Läuft eine Pipeline nach der Antwort weiter, zählt ihr Lauf bis zum Ende.',
  },
  share_of_bodies: {
    lead: 'Die Bodys dieses Aufrufers belegten zu viel Arbeitsspeicher.',
    rest: 'Erlaubt sind {{limit}} Bytes je Schlüssel und {{projectLimit}} je Projekt.',
  },
  connections: {
    lead: 'Zu viele Verbindungen waren gleichzeitig offen.',
    rest: '{{who}} hat eine mehr geöffnet, als das Gateway zulässt.',
  },
  connections_per_address: {
    lead: '{{who}} hatte zu viele Verbindungen gleichzeitig offen.',
    rest: 'Je Adresse ist nur eine begrenzte Zahl erlaubt, und keine dieser Verbindungen war unbenutzt.',
  },
  made_room: {
    lead: 'Eine Verbindung von {{who}} wurde geschlossen, um Platz für einen anderen Aufrufer zu schaffen.',
    rest: 'Alle {{limit}} zulässigen Verbindungen waren belegt.',
  },
  'too many pipelined requests': {
    lead: '{{who}} hat auf einer Verbindung zu viele Anfragen gesendet, ohne die Antworten abzuwarten.',
    rest: 'Weitere Anfragen sind erst nach den Antworten erlaubt.',
  },
  gateway_stopped: { lead: 'Sluice wurde beendet, während die Anfrage von {{who}} lief.', rest: '' },
  run_cancelled: { lead: 'Die Pipeline wurde gestoppt, während die Anfrage von {{who}} lief.', rest: '' },
  no_route: {
    lead: 'Keine laufende Pipeline hat die Route `{{call}}`.',
    rest: 'Groß- und Kleinschreibung und jeder Abschnitt des Pfads müssen übereinstimmen.',
  },
  method_differs: {
    lead: 'Den Pfad gibt es, aber nicht mit {{method}}.',
    rest: '`{{path}}` erlaubt {{accepted}}.',
  },
  slash_differs: {
    lead: 'Der Pfad unterscheidet sich von der Route nur durch den Schrägstrich am Ende.',
    rest: 'Aufgerufen wurde `{{path}}`; definiert ist die andere Schreibweise.',
  },
  pipeline_stopped: {
    lead: 'Die Pipeline von `{{call}}` ist gestoppt.',
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
    rest: 'CORS ist für die Route ausgeschaltet: Keine Seite eines anderen Origins darf sie aufrufen.',
  },
  key_missing: {
    lead: '{{who}} hat keinen API-Schlüssel gesendet.',
    rest: 'Die Route verlangt einen im Header `X-API-Key`.',
  },
  key_invalid: {
    lead: '{{who}} hat einen ungültigen Schlüssel gesendet.',
    rest: 'Er ist falsch geschrieben, unbekannt oder widerrufen.',
  },
  key_repeated: {
    lead: '{{who}} hat den Header X-API-Key {{headers}}-mal gesendet.',
    rest: 'Er muss genau einmal vorkommen.',
  },
  key_malformed: {
    lead: '{{who}} hat einen abgeschnittenen oder falsch geschriebenen Schlüssel gesendet.',
    rest: 'Seine Form oder seine Prüfsumme stimmt nicht.',
  },
  key_unknown: {
    lead: '{{who}} hat einen Schlüssel gesendet, den dieses Gateway nicht kennt.',
    rest: 'Seine Form stimmt, aber er wurde auf einer anderen Installation angelegt, oder sein Projekt wurde gelöscht.',
  },
  key_revoked: {
    lead: '{{who}} hat einen widerrufenen Schlüssel gesendet.',
    rest: 'Der Schlüssel `{{keyId}}` wurde widerrufen; ein widerrufener Schlüssel wird nie wieder gültig.',
  },
  keys_unconfirmed: {
    lead: 'Jeder Schlüssel wird abgelehnt, bis der ältere Tresor bestätigt ist.',
    rest: 'Dem Gateway ist nicht bekannt, welche Schlüssel seither widerrufen wurden.',
  },
  fleet_returning: {
    lead: 'Schlüssel der Flotte werden abgelehnt, bis diese Edge die Widerrufe ihres Hubs übernommen hat.',
    rest: 'Die Verbindung zum Hub besteht wieder; Widerrufe aus der Zeit ohne Verbindung werden gerade übernommen.',
  },
  too_many_failed_keys: {
    lead: 'Zu viele Aufrufe von {{ip}} hatten keinen gültigen Schlüssel.',
    rest: 'Damit sind die {{rate}} Aufrufe/s für Fehlversuche aufgebraucht; auch dieser Aufruf muss warten.',
  },
  address_not_allowed: {
    lead: 'Der Schlüssel von {{who}} gilt nicht für die Adresse {{ip}}.',
    rest: 'Er gilt nur für {{addresses}}.',
  },
  key_paused: {
    lead: 'Der Schlüssel von {{who}} ist pausiert.',
    rest: 'Der angegebene Grund: „{{reason}}“.',
  },
  key_ended: {
    lead: 'Der Schlüssel von {{who}} ist abgelaufen.',
    rest: 'Er galt bis {{until}}.',
  },
  outside_hours: {
    lead: 'Der Schlüssel von {{who}} gilt zu dieser Zeit nicht.',
    rest: 'Er gilt nur zu diesen Zeiten: {{hours}}, nach der Uhr von {{zone}}.',
  },
  key_wrong_project: {
    lead: 'Der Schlüssel von {{who}} gehört zu einem anderen Projekt.',
    rest: 'Die Route ist in `{{routeProject}}`; der Schlüssel gilt nur in `{{keyProject}}`.',
  },
  scope_missing: {
    lead: '{{who}} darf `{{call}}` nicht aufrufen.',
    rest: 'Die Route verlangt {{required}}; dieser Schlüssel hat {{held}}.',
  },
  limit_missing: {
    lead: '{{who}} darf mit `{{scope}}` nicht auf `{{thing}}` zugreifen.',
    rest: 'Der Knoten `{{node}}` hat das angefordert; der Schlüssel ist auf {{limit}} beschränkt.',
  },
  pipeline_limit: {
    lead: 'Die Pipeline darf mit `{{scope}}` nicht auf `{{thing}}` zugreifen.',
    rest: 'Der Knoten `{{node}}` hat das angefordert; die Pipeline ist auf {{limit}} beschränkt.',
  },
  run_scope: {
    lead: 'Dem Schlüssel von {{who}} fehlt {{missing}}.',
    rest: 'Das verlangt der Knoten `{{node}}`; der Schlüssel hat {{held}}.',
  },
  run_grants: {
    lead: 'Der Pipeline wurde {{missing}} nicht gewährt.',
    rest: 'Das verlangt der Knoten `{{node}}`; die Pipeline läuft mit ihren gewährten Rechten: {{held}}.',
  },
  run_revoked: {
    lead: 'Der Schlüssel von {{who}} wurde während des Laufs widerrufen.',
    rest: 'Damit verlor der Lauf am Knoten `{{node}}` alle Rechte.',
  },
  run_script: {
    lead: 'Das Skript von `{{node}}` fordert {{missing}} nicht an.',
    rest: 'Der Lauf hat dieses Recht, aber ein Skript erhält nur die Scopes aus seiner Liste „Scopes“.',
  },
  rate_limited: {
    lead: '{{who}} hat zu oft aufgerufen.',
    rest: 'Die Route erlaubt {{rate}} Aufrufe/s und kurzzeitig {{burst}} mehr.',
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
    lead: 'Der Body von {{who}} hat ein Format, das nicht angenommen wird.',
    rest: 'Sein Typ war `{{contentType}}`. Texte müssen UTF-8 sein.',
  },
  body_invalid: {
    lead: 'Der Body von {{who}} ist nicht lesbar.',
    rest: 'Er entspricht nicht seinem Typ `{{contentType}}`: {{cause}}.',
  },
  audit_unavailable: {
    lead: 'Das Journal konnte nicht geschrieben werden.',
    rest: 'Ohne Journal führt das Gateway keine Pipelines aus.',
  },
  route_timeout: {
    lead: 'Die Pipeline hat nicht innerhalb von {{timeoutS}} s geantwortet.',
    rest: 'Der Lauf war am Knoten `{{node}}`.',
  },
  value_stale: {
    lead: 'Ein Wert, den `{{call}}` braucht, ist zu alt.',
    rest: 'Der Knoten `{{node}}` hat ihn abgelehnt. Meldung: „{{cause}}“',
  },
  interlock: {
    lead: 'Eine Schreibgrenze des Tags hat einen Schreibzugriff von `{{call}}` verhindert.',
    rest: 'Der Knoten `{{node}}` hat nichts geschrieben. Meldung: „{{cause}}“',
  },
  write_stopped: {
    lead: 'Schreibzugriffe sind gesperrt; ein Schreibzugriff von `{{call}}` wurde abgelehnt.',
    rest: 'Der Knoten `{{node}}` hat nichts geschrieben. Meldung: „{{cause}}“',
  },
  value_invalid: {
    lead: 'Der Knoten `{{node}}` kann einen Wert von {{who}} nicht verarbeiten.',
    rest: '{{cause}}',
  },
  storage_unavailable: {
    lead: 'Der Knoten `{{node}}` konnte seine Daten nicht speichern.',
    rest: '{{cause}}',
  },
  write_unrecorded: {
    lead: 'Der Knoten `{{node}}` konnte seinen Schreibvorgang nicht protokollieren.',
    rest: 'Ohne Zeile im Journal wird nichts geschrieben: {{cause}}.',
  },
  pipeline_failed: {
    lead: 'Die Pipeline ist am Knoten `{{node}}` fehlgeschlagen.',
    rest: '{{cause}}',
  },
});
