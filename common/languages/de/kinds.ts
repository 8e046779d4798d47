import { settingTexts } from './kinds/settings.ts';

export const kinds = {
  ...settingTexts,
  '/s': '/s',
  'REST API': 'REST-API',
  'Publishes an HTTP route, where each request becomes a message, or calls an HTTP target.':
    'Veröffentlicht eine HTTP-Route, deren Anfragen zu Nachrichten werden, oder ruft ein HTTP-Ziel auf.',
  Method: 'Methode',
  'HTTP method accepted. * accepts any method.': 'Erlaubte HTTP-Methode. * erlaubt jede.',
  'URL pattern': 'URL-Muster',
  'Path of the route, such as /api/v1/orders/:id.': 'Pfad der Route, etwa /api/v1/orders/:id.',
  Timeout: 'Timeout',
  'Seconds that the caller waits before the gateway gives up.':
    'Sekunden, die der Aufrufer wartet, bis das Gateway aufgibt.',
  'Auth type': 'Authentifizierung',
  'Whether an API key is required. "none" makes the route public.':
    'Ob ein API-Schlüssel verlangt wird. "none" macht die Route öffentlich.',
  'Required scopes': 'Verlangte Scopes',
  "Scopes that the caller's key must hold.": 'Scopes, die der Schlüssel des Aufrufers haben muss.',
  'Allowed IPs': 'Erlaubte Adressen',
  'Source addresses that may call, as CIDR ranges; "any" for all.':
    'Quelladressen, die aufrufen dürfen, als CIDR-Bereiche; "any" für alle.',
  'Rate limit': 'Ratenbegrenzung',
  'Sustained requests per second. 0: no limit.': 'Dauerhaft erlaubte Anfragen je Sekunde. 0: keine Grenze.',
  'Burst limit': 'Burst-Grenze',
  'Requests above the sustained rate that may arrive at once.': 'Anfragen über der Rate, die auf einmal kommen dürfen.',
  'Max payload size': 'Maximale Body-Größe',
  'Maximum size of the request body: bytes, or "512 KB", "1 MB".':
    'Maximale Größe des Bodys einer Anfrage: Bytes oder "512 KB", "1 MB".',
  'CORS enabled': 'CORS einschalten',
  'Allows calls from browser pages of other origins.': 'Erlaubt Aufrufe von Browser-Seiten anderer Origins.',
  'Allowed origins': 'Erlaubte Origins',
  'Origins permitted when CORS is enabled; * for all.': 'Bei CORS erlaubte Origins; * für alle.',
  'Header whitelist': 'Weitergegebene Header',
  'Request headers passed through to the pipeline.': 'Header der Anfrage, die an die Pipeline weitergegeben werden.',
  Description: 'Beschreibung',
  'Purpose of the route, for integrators. Part of the OpenAPI document.':
    'Zweck der Route, für Integratoren. Steht im OpenAPI-Dokument.',
  'Query parameters': 'Query-Parameter',
  'Query parameters for the OpenAPI document. Requests are not checked against them.':
    'Query-Parameter für das OpenAPI-Dokument. Anfragen werden nicht dagegen geprüft.',
  Name: 'Name',
  'Name in the query, such as line in ?line=7.': 'Name in der Query, etwa line in ?line=7.',
  Type: 'Typ',
  'JSON type of the value. Use "array" for a name that may be repeated.':
    'JSON-Typ des Werts. Bei "array" darf der Name mehrfach vorkommen.',
  Required: 'Pflicht',
  'Callers always send it.': 'Aufrufer geben ihn immer an.',
  'Meaning of the value, with its unit.': 'Bedeutung des Werts, mit Einheit.',
  Example: 'Beispiel',
  'A value that callers can copy.': 'Ein Wert, den Aufrufer übernehmen können.',
  Replies: 'Antworten',
  'Replies of the pipeline for the OpenAPI document, one per status. Replies are not checked against them.':
    'Antworten der Pipeline für das OpenAPI-Dokument, eine je Status. Antworten werden nicht dagegen geprüft.',
  'HTTP status of this reply.': 'HTTP-Status dieser Antwort.',
  'When callers get this reply.': 'Wann Aufrufer diese Antwort bekommen.',
  'Media type': 'Medientyp',
  'Media type of the body. Default: application/json.': 'Medientyp des Bodys. Ohne Angabe: application/json.',
  'JSON Schema (2020-12) of the body. Default: derived from the example.':
    'JSON-Schema (2020-12) des Bodys. Ohne Angabe: aus dem Beispiel abgeleitet.',
  'A body that callers can expect.': 'Ein Body, mit dem Aufrufer rechnen können.',
  Ingress: 'Eingehend',
  'Publishes an HTTP route.': 'Veröffentlicht eine HTTP-Route.',
  URL: 'URL',
  'Target address. Path and query may contain {{payload.…}}; scheme, host and port are literal.':
    'Adresse des Ziels. Pfad und Query dürfen {{payload.…}} enthalten; Schema, Host und Port sind fest.',
  'HTTP method of the outbound call.': 'HTTP-Methode des ausgehenden Aufrufs.',
  'Static headers': 'Feste Header',
  'Headers added to every call, such as Authorization. Values are secret: kept in the vault, never shown again.':
    'Header für jeden Aufruf, etwa Authorization. Die Werte sind geheim: Sie liegen im Tresor und werden nie wieder angezeigt.',
  'Seconds after which a call is abandoned.': 'Sekunden, nach denen ein Aufruf abgebrochen wird.',
  'Store and forward': 'Store & Forward',
  'Stores the call on disk and retries it until the target accepts it.':
    'Speichert den Aufruf auf dem Datenträger und sendet ihn so lange, bis das Ziel ihn annimmt.',
  'Ordering key': 'Reihenfolge nach',
  'Only calls with the same key wait for each other. Without one, all calls to the target do.':
    'Nur Aufrufe mit demselben Wert warten aufeinander. Ohne Angabe warten alle Aufrufe an das Ziel aufeinander.',
  TLS: 'TLS',
  'Own certificate authority ("ca") and client certificate ("certificate", "key"), in PEM form.':
    'Eigene Zertifizierungsstelle ("ca") und Client-Zertifikat ("certificate", "key"), im PEM-Format.',
  'Certificate authority': 'Zertifizierungsstelle',
  'Client certificate': 'Client-Zertifikat',
  'Client key': 'Client-Schlüssel',
  Egress: 'Ausgehend',
  'Calls an HTTP target. A call is stored on disk and retried until the target accepts it, unless store and forward is off.':
    'Ruft ein HTTP-Ziel auf. Ein Aufruf wird auf dem Datenträger gespeichert und so lange gesendet, bis das Ziel ihn annimmt, es sei denn, Store & Forward ist ausgeschaltet.',
  'HTTP Response': 'HTTP-Antwort',
  'Sends the reply: payload.status and payload.body, unless set here.':
    'Sendet die Antwort: payload.status und payload.body, wenn hier nichts festgelegt ist.',
  Status: 'Status',
  'HTTP status of the reply. Default: payload.status, or 200 if that is missing.':
    'HTTP-Status der Antwort. Ohne Angabe: payload.status, sonst 200.',
  Body: 'Body',
  'Body of the reply, any JSON value. Default: payload.body.':
    'Body der Antwort, ein beliebiger JSON-Wert. Ohne Angabe: payload.body.',
  Headers: 'Header',
  'Extra response headers: name and value. A value is ASCII or Latin-1 and may contain {{payload.…}} from the message.':
    'Weitere Header der Antwort: Name und Wert. Ein Wert ist ASCII oder Latin-1 und darf {{payload.…}} aus der Nachricht enthalten.',
  Transform: 'Umwandeln',
  'Computes a new payload with a script.': 'Berechnet mit einem Skript neue Nutzdaten.',
  Code: 'Code',
  'A JavaScript module whose default export receives the message and returns the new payload or a promise of it. No imports.':
    'Ein JavaScript-Modul, dessen Default-Export die Nachricht erhält und die neuen Nutzdaten oder ein Promise darauf zurückgibt. Keine Importe.',
  Scopes: 'Scopes',
  'Scopes of the script, within the rights of the run.': 'Scopes des Skripts, im Rahmen der Rechte des Laufs.',
  Deadline: 'Zeitlimit',
  'Maximum run time of the script in seconds. It always ends at the timeout of its route.':
    'Maximale Laufzeit des Skripts in Sekunden. Mit dem Timeout der Route endet es auf jeden Fall.',
  Validate: 'Prüfen',
  'Checks a value against a JSON Schema. A value that does not match leaves through "invalid", with all errors.':
    'Prüft einen Wert gegen ein JSON-Schema. Ein ungültiger Wert geht mit allen Fehlern über den Port "invalid" weiter.',
  Schema: 'Schema',
  'A JSON Schema (2020-12). Patterns cannot use look-around; references cannot leave the schema.':
    'Ein JSON-Schema (2020-12). Muster ohne Look-around; Verweise nur innerhalb des Schemas.',
  Path: 'Pfad',
  'Path of the value to check. Default: payload.body.': 'Der zu prüfende Wert; ohne Angabe payload.body.',
  Switch: 'Verzweigung',
  'Sends a message to one of several ports, depending on a value in it.':
    'Leitet eine Nachricht je nach einem Wert darin an einen von mehreren Ports.',
  'The value that is compared, such as payload.body.priority.': 'Der verglichene Wert, etwa payload.body.priority.',
  Port: 'Port',
  'Name of the port through which a matching message leaves.':
    'Name des Ports, über den eine passende Nachricht weitergeht.',
  Operator: 'Vergleich',
  'How the value at the path is compared.': 'Wie der Wert am Pfad verglichen wird.',
  Value: 'Wert',
  'The value to compare with; a list for "in", omitted for "exists" and "missing".':
    'Der Vergleichswert; eine Liste bei "in", keiner bei "exists" und "missing".',
  Cases: 'Fälle',
  'Checked in order; the first match applies. If none matches, the message leaves through "otherwise".':
    'Werden der Reihe nach geprüft; der erste passende Fall gilt. Passt keiner, geht die Nachricht über "otherwise" weiter.',
  Set: 'Setzen',
  'Writes, copies and removes values below payload.': 'Schreibt, kopiert und entfernt Werte unter payload.',
  'Where to write: a path below payload, such as payload.body.total.':
    'Wohin geschrieben wird: ein Pfad unter payload, etwa payload.body.total.',
  'A fixed JSON value.': 'Ein fester JSON-Wert.',
  From: 'Von',
  'A path to copy the value from, such as payload.params.id.':
    'Der Pfad, von dem der Wert kopiert wird, etwa payload.params.id.',
  Template: 'Vorlage',
  'A text that may contain {{payload.…}}.': 'Ein Text, der {{payload.…}} enthalten darf.',
  Remove: 'Entfernen',
  'Removes the value.': 'Entfernt den Wert.',
  Assignments: 'Zuweisungen',
  'Applied in order; each sees the results of the previous ones.':
    'Werden der Reihe nach ausgeführt; jede sieht das Ergebnis der vorherigen.',
  Log: 'Protokoll',
  "Writes a line to the gateway's log.": 'Schreibt eine Zeile ins Protokoll des Gateways.',
  Message: 'Nachricht',
  'A text that may contain {{payload.…}}. Keys and credentials in it are masked.':
    'Ein Text, der {{payload.…}} enthalten darf. Schlüssel und Zugangsdaten darin werden maskiert.',
  Level: 'Stufe',
  'Severity of the log line.': 'Schweregrad der Protokollzeile.',
  Delay: 'Verzögern',
  'Delays a message.': 'Verzögert eine Nachricht.',
  Seconds: 'Sekunden',
  'Seconds by which a message is delayed. The run still ends at the timeout of its route.':
    'Verzögerung der Nachricht in Sekunden. Der Lauf endet trotzdem mit dem Timeout seiner Route.',
  'Read tags': 'Tags lesen',
  'Reads live values of the plant, with quality, source time and unit.':
    'Liest aktuelle Werte der Anlage, mit Qualität, Zeit der Quelle und Einheit.',
  Tags: 'Tags',
  'Paths such as line7/filler/speed. "*" matches any characters of a name, "**" at the end everything below a folder. An entry may contain {{payload.…}}; a "*" from the message is refused.':
    'Pfade wie line7/filler/speed. "*" steht für beliebige Zeichen eines Namens, "**" am Ende für alles unter einem Ordner. Ein Eintrag darf {{payload.…}} enthalten; ein "*" aus der Nachricht wird abgelehnt.',
  Into: 'Zielpfad',
  'Maximum age': 'Höchstalter',
  'Seconds. An older value, or a bad one, fails with tag_stale: the caller gets 503 with the tag and its device. Empty: any value.':
    'Sekunden. Ein älterer oder schlechter Wert führt zum Fehler tag_stale: Der Aufrufer erhält 503 mit dem Tag und dessen Gerät. Leer: jeder Wert.',
  'Where the tags are written: one value for a single path, a list for several or a pattern.':
    'Wohin die Tags geschrieben werden: ein Wert bei einem einzelnen Pfad, eine Liste bei mehreren oder einem Muster.',
  'Write tags': 'Tags schreiben',
  'Writes values to tags and passes the message on once they are accepted.':
    'Schreibt Werte in Tags und gibt die Nachricht weiter, sobald die Werte angenommen sind.',
  Tag: 'Tag',
  'Path of the tag; it may contain {{payload.…}}.': 'Pfad des Tags; darf {{payload.…}} enthalten.',
  'A fixed value, of the type of the tag.': 'Ein fester Wert vom Typ des Tags.',
  'A path to take the value from, such as payload.body.setpoint.':
    'Der Pfad, von dem der Wert übernommen wird, etwa payload.body.setpoint.',
  Writes: 'Schreibvorgänge',
  'Performed in order, each after the source has accepted the previous one. The first failure ends the list.':
    'Werden der Reihe nach ausgeführt, jeder erst, wenn die Quelle den vorherigen angenommen hat. Beim ersten Fehler endet die Reihe.',
  'On tag change': 'Bei Tag-Änderung',
  'Starts a run when the value or the quality of a tag changes.':
    'Startet einen Lauf, wenn sich Wert oder Qualität eines Tags ändert.',
  'Paths such as line7/filler/speed. "*" matches any characters of a name, "**" at the end everything below a folder.':
    'Pfade wie line7/filler/speed. "*" steht für beliebige Zeichen eines Namens, "**" am Ende für alles unter einem Ordner.',
  Deadband: 'Totband',
  'A number starts a run only if it differs by more than this from the value that started the last run.':
    'Eine Zahl startet nur dann einen Lauf, wenn sie um mehr als diesen Betrag von dem Wert abweicht, der den letzten Lauf gestartet hat.',
  'Run named query': 'Benannte Abfrage ausführen',
  'Runs a named query of the project and writes its rows into the message.':
    'Führt eine benannte Abfrage des Projekts aus und schreibt ihre Zeilen in die Nachricht.',
  Query: 'Abfrage',
  'The id of a named query of the project.': 'Die ID einer benannten Abfrage des Projekts.',
  Parameters: 'Parameter',
  'Values by name. A text that consists of one {{path}} yields the value unchanged: a number stays a number, a missing value is null.':
    'Werte nach Namen. Ein Text, der nur aus einem {{pfad}} besteht, liefert den Wert unverändert: Eine Zahl bleibt eine Zahl, ein fehlender Wert ist null.',
  'Where the result is written: a path below payload.': 'Wohin das Ergebnis geschrieben wird: ein Pfad unter payload.',
  'Run SQL': 'SQL ausführen',
  SQL: 'SQL',
  'Runs one SQL statement and writes its result into the message.':
    'Führt eine SQL-Anweisung aus und schreibt ihr Ergebnis in die Nachricht.',
  Connection: 'Verbindung',
  'The id of a database connection; "embedded" is the project\'s own database.':
    'Die ID einer Datenbankverbindung; "embedded" ist die eigene Datenbank des Projekts.',
  'One statement. :name is a parameter, which is always bound and never inserted into the text.':
    'Eine Anweisung. :name steht für einen Parameter, der immer gebunden und nie in den Text eingefügt wird.',
  'Run transaction': 'Transaktion ausführen',
  'Runs SQL statements in one transaction, all or none, and writes the list of their results into the message.':
    'Führt SQL-Anweisungen in einer Transaktion aus, alle oder keine, und schreibt die Liste der Ergebnisse in die Nachricht.',
  Statements: 'Anweisungen',
  'Run in order in one transaction: all or none.':
    'Werden der Reihe nach in einer Transaktion ausgeführt: alle oder keine.',
  'Call stored procedure': 'Gespeicherte Prozedur aufrufen',
  'Calls a stored procedure and writes its result into the message.':
    'Ruft eine gespeicherte Prozedur auf und schreibt ihr Ergebnis in die Nachricht.',
  'The id of a connection to PostgreSQL, MySQL, MariaDB or SQL Server.':
    'Die ID einer Verbindung zu PostgreSQL, MySQL, MariaDB oder SQL Server.',
  Procedure: 'Prozedur',
  'Name of the procedure, with its schema if required.': 'Der Name der Prozedur, falls nötig mit Schema.',
  'Read history': 'Verlauf lesen',
  'Reads recorded values of tags, raw or as one value per interval.':
    'Liest aufgezeichnete Werte von Tags, als Rohwerte oder zu einem Wert je Intervall zusammengefasst.',
  'Paths such as line7/filler/speed; "*" matches any characters of a name. May contain {{payload.…}}; a "*" from the message is refused.':
    'Pfade wie line7/filler/speed; "*" steht für beliebige Zeichen eines Namens. Darf {{payload.…}} enthalten; ein "*" aus der Nachricht wird abgelehnt.',
  'Start of the range: now-8h (s, m, h, d) or RFC 3339. May contain {{payload.…}}.':
    'Beginn des Zeitraums: now-8h (s, m, h, d) oder RFC 3339. Darf {{payload.…}} enthalten.',
  To: 'Bis',
  'End of the range (exclusive). May contain {{payload.…}}.':
    'Ende des Zeitraums (nicht eingeschlossen). Darf {{payload.…}} enthalten.',
  Aggregate: 'Aggregation',
  'raw returns the recorded points; every other aggregate returns one value per interval.':
    'raw liefert die aufgezeichneten Punkte; alle anderen Aggregationen liefern einen Wert je Intervall.',
  Interval: 'Intervall',
  'Length of an interval in seconds; 0 = one value for the whole range.':
    'Länge eines Intervalls in Sekunden; 0: ein Wert für den ganzen Zeitraum.',
  Limit: 'Höchstzahl',
  'Maximum number of points per tag.': 'Maximale Anzahl Punkte je Tag.',
  'Read variable': 'Variable lesen',
  'Reads a variable of the project; null if it was never set.':
    'Liest eine Variable des Projekts; null, wenn sie nie gesetzt war.',
  'The variable to read, such as shift/current. May contain {{payload.…}}.':
    'Die Variable, etwa shift/current. Darf {{payload.…}} enthalten.',
  'Write variable': 'Variable schreiben',
  'Sets a variable of the project, adds to it, or sets it only if it has an expected value.':
    'Setzt eine Variable des Projekts, erhöht sie oder setzt sie nur, wenn sie einen erwarteten Wert hat.',
  'The variable to write, such as shift/current. May contain {{payload.…}}.':
    'Die Variable, etwa shift/current. Darf {{payload.…}} enthalten.',
  'A path to take the value from, such as payload.body.id.':
    'Der Pfad, von dem der Wert übernommen wird, etwa payload.body.id.',
  Increment: 'Erhöhen um',
  'A number to add in one atomic step. The sum is written to Into.':
    'Eine Zahl, die in einem atomaren Schritt addiert wird. Die Summe steht danach in „Zielpfad“.',
  'If equals': 'Nur wenn gleich',
  'Writes only if the variable has this value (null = never set). Whether it was written is stored in Into.':
    'Schreibt nur, wenn die Variable diesen Wert hat (null: nie gesetzt); ob geschrieben wurde, steht danach in „Zielpfad“.',
  'Read file': 'Datei lesen',
  "Reads a file from the project's workspace.": 'Liest eine Datei aus dem Arbeitsbereich des Projekts.',
  "The file in the project's workspace, such as recipes/today.json. May contain {{payload.…}}.":
    'Die Datei im Arbeitsbereich des Projekts, etwa recipes/today.json. Darf {{payload.…}} enthalten.',
  Format: 'Format',
  'text (UTF-8), json, csv (a list of objects; the first line has the names) or bytes.':
    'text (UTF-8), json, csv (eine Liste von Objekten; die erste Zeile enthält die Namen) oder bytes.',
  'Write file': 'Datei schreiben',
  "Writes a file in the project's workspace and replaces its content. Default content: payload.body.":
    'Schreibt eine Datei in den Arbeitsbereich des Projekts und ersetzt ihren Inhalt. Inhalt ohne Angabe: payload.body.',
  "The file in the project's workspace, such as reports/today.csv. May contain {{payload.…}}.":
    'Die Datei im Arbeitsbereich des Projekts, etwa reports/today.csv. Darf {{payload.…}} enthalten.',
  'text (UTF-8), json, csv (from a list of objects) or bytes.':
    'text (UTF-8), json, csv (aus einer Liste von Objekten) oder bytes.',
  'Run script': 'Skript ausführen',
  Script: 'Skript',
  "Runs a library script of the project with the run's rights and adds its result to the message.":
    'Führt ein Bibliotheksskript des Projekts mit den Rechten des Laufs aus und fügt sein Ergebnis der Nachricht hinzu.',
  'The id of a library script of this project.': 'Die ID eines Bibliotheksskripts dieses Projekts.',
  Arguments: 'Argumente',
  'Arguments of the script, by name; texts may contain {{payload.…}}.':
    'Argumente des Skripts, nach Namen; Texte dürfen {{payload.…}} enthalten.',
  'Send message': 'Nachricht senden',
  "Sends the payload to the running message-in nodes of a channel; the message itself continues at 'out'.":
    "Sendet die Nutzdaten an die laufenden Knoten „Nachricht empfangen“ eines Kanals; die Nachricht selbst geht über 'out' weiter.",
  Channel: 'Kanal',
  'The channel on which message-in nodes of this project listen, such as orders/new. May contain {{payload.…}}.':
    'Der Kanal, dessen Nachrichten die Knoten „Nachricht empfangen“ dieses Projekts erhalten, etwa orders/new. Darf {{payload.…}} enthalten.',
  'On message': 'Nachricht empfangen',
  "Starts a run for each message to a channel, with the sender's rights, limited to the grants.":
    'Startet für jede Nachricht an einen Kanal einen Lauf, mit den Rechten des Absenders im Rahmen der gewährten Rechte.',
  'The channel to which message-out nodes and messages.send of this project send, such as orders/new.':
    'Der Kanal, an den Knoten „Nachricht senden“ und messages.send dieses Projekts senden, etwa orders/new.',
  'Seconds after which a run that this node started is cancelled.':
    'Sekunden, nach denen ein von diesem Knoten gestarteter Lauf abgebrochen wird.',
  Timer: 'Zeitgeber',
  "Starts a run at a fixed interval or by a cron expression, with the pipeline's grants.":
    'Startet in festem Abstand oder nach einem Cron-Ausdruck einen Lauf, mit den gewährten Rechten der Pipeline.',
  Every: 'Alle',
  'Seconds from one tick to the next.': 'Sekunden von einem Start zum nächsten.',
  Cron: 'Cron',
  'Minute, hour, day, month, weekday (a sixth field in front: second), such as 0 6,14,22 * * *.':
    'Minute, Stunde, Tag, Monat, Wochentag (ein sechstes Feld davor: Sekunde), etwa 0 6,14,22 * * *.',
  'Time zone': 'Zeitzone',
  'For cron: an IANA name such as Europe/Berlin. Default: the time zone of the machine.':
    'Für Cron: ein IANA-Name wie Europe/Berlin; ohne Angabe die Zeitzone dieses PCs.',
  Overlap: 'Überlappung',
  'Whether a tick starts a run while an earlier run of this node is still in progress.':
    'Ob ein neuer Lauf startet, solange ein früherer dieses Knotens noch läuft.',
};
