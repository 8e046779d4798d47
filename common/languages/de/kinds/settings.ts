/** Titles and help of the gateway settings (common/model/settings.ts), by their English ones. */
export const settingTexts = {
  Address: 'Adresse',
  'Encryption (TLS)': 'Verschlüsselung (TLS)',
  'Reverse proxies': 'Vorgeschaltete Proxys',
  'Outgoing calls': 'Ausgehende Aufrufe',
  Journal: 'Journal',
  'Health checks': 'Health-Checks',
  Metrics: 'Metriken',
  'Base URL': 'Basis-URL',
  'Scheme and host under which machines reach this PC, such as http://edge-7. Shown in every copyable call.':
    'Schema und Host, unter denen Maschinen diesen PC erreichen, etwa http://edge-7. Wird in kopierbaren Beispielaufrufen verwendet.',
  'Listen address': 'Netzwerkadresse',
  '0.0.0.0: all network interfaces. An address of this PC: only that interface.':
    '0.0.0.0: alle Netzwerkkarten. Eine Adresse dieses PCs: nur diese Netzwerkkarte.',
  'Gateway port': 'Gateway-Port',
  'TCP port for machines, 1 to 65,535. 0: any free port.':
    'TCP-Port für Maschinen, 1 bis 65.535. 0: ein beliebiger freier Port.',
  'Admin UI port': 'Port der Admin-Oberfläche',
  'TCP port of the admin UI, on this PC only.': 'TCP-Port der Admin-Oberfläche, nur auf diesem PC.',
  'Time zone of the plant': 'Zeitzone des Werks',
  'IANA name such as Europe/Berlin, for the hours of API keys. Empty: the time zone of this PC.':
    'IANA-Name wie Europe/Berlin, für die Zeiten von API-Schlüsseln. Leer: die Zeitzone dieses PCs.',
  'Self-service for callers': 'Selbstauskunft für Aufrufer',
  'GET /.well-known/sluice on the gateway port shows the holder of a key its routes, limits and last refusals.':
    'GET /.well-known/sluice am Gateway-Port zeigt dem Inhaber eines Schlüssels dessen Routen, Grenzen und letzte Ablehnungen.',
  Off: 'Aus',
  'A key may ask for its own access': 'Ein Schlüssel darf seine eigenen Rechte abfragen',
  'Second user for keys': 'Zweiter Benutzer für Schlüssel',
  'A new key with tag:write, db:write or script:execute is paused until a second user with the permission “Manage keys” approves it.':
    'Ein neuer Schlüssel mit tag:write, db:write oder script:execute ist pausiert, bis ein zweiter Benutzer mit der Berechtigung „Schlüssel verwalten“ ihn freigibt.',
  'A second user approves the key': 'Ein zweiter Benutzer gibt den Schlüssel frei',
  Workers: 'Worker',
  'Threads that serve callers. 1 is enough for most sites. With 2 or more, one thread decides and the others handle sockets, HTTP and TLS: for PCs with free cores and more than 5,000 calls per second. At most 16; Linux only.':
    'Threads, die Maschinen bedienen. Meist genügt 1. Ab 2 entscheidet einer über die Aufrufe, die anderen übernehmen Sockets, HTTP und TLS: für PCs mit freien Kernen und über 5.000 Aufrufen je Sekunde. Höchstens 16; nur unter Linux.',
  'Execution of scripts': 'Ausführung von Skripten',
  'Scripts that use only a small part of JavaScript, without side effects, can run without the sandbox, several times as fast and with the same results. All other scripts always run in the sandbox.':
    'Skripte, die nur einen kleinen Teil von JavaScript ohne Nebenwirkungen nutzen, können ohne Sandbox laufen: mehrmals so schnell und mit denselben Ergebnissen. Alle anderen Skripte laufen immer in der Sandbox.',
  'Always in the sandbox': 'Immer in der Sandbox',
  'Natively where possible': 'Nativ, wo möglich',
  Protocol: 'Zugriff auf das Gateway',
  'With TLS, the gateway port accepts nothing else. Each caller must trust the certificate.':
    'Mit TLS nimmt der Gateway-Port nur noch TLS an. Jeder Aufrufer muss dem Zertifikat vertrauen.',
  'Additional plain HTTP port': 'Zusätzlicher Port ohne TLS',
  'For machines that do not support TLS. Their keys can be read on the network. Empty: no such port.':
    'Für Maschinen, die kein TLS beherrschen. Ihre Schlüssel sind im Netzwerk lesbar. Leer: kein solcher Port.',
  Certificate: 'Zertifikat',
  'PEM text: the certificate of this gateway first, then those of its issuers. Visible to everyone who can read the settings.':
    'PEM-Text: zuerst das Zertifikat dieses Gateways, dann die seiner Aussteller. Sichtbar für alle, die die Einstellungen lesen dürfen.',
  'Private key': 'Privater Schlüssel',
  'PEM text of the private key, without a passphrase. It is never shown again.':
    'PEM-Text des privaten Schlüssels, ohne Passphrase. Er wird nie wieder angezeigt.',
  'Trusted proxies': 'Vertrauenswürdige Proxys',
  'Address ranges, one per line, such as 10.20.0.5/32. Only these can set the address of the caller with X-Forwarded-For.':
    'Adressbereiche, einer je Zeile, etwa 10.20.0.5/32. Nur diese Proxys dürfen mit X-Forwarded-For die Adresse des Aufrufers angeben.',
  'Allowed internal targets': 'Erlaubte interne Ziele',
  'Programs on this PC that pipelines and connections may call: host:port, one per line, such as 127.0.0.1:1433. All other programs on this PC are refused. Open connections to an entry that you remove are closed. Other machines in the plant need no entry.':
    'Programme auf diesem PC, die Pipelines und Verbindungen aufrufen dürfen: host:port, eines je Zeile, etwa 127.0.0.1:1433. Alle anderen auf diesem PC werden abgelehnt. Wird ein Eintrag entfernt, werden offene Verbindungen dorthin geschlossen. Andere Maschinen der Anlage brauchen keinen Eintrag.',
  'Targets through the proxy': 'Ziele über den Proxy',
  'Host names, one per line, such as mes.example or *.mes.example.':
    'Hostnamen, einer je Zeile, etwa mes.example oder *.mes.example.',
  'Proxy for outgoing calls': 'Proxy für ausgehende Aufrufe',
  'Such as http://proxy:3128. Empty: no proxy.': 'Etwa http://proxy:3128. Leer: kein Proxy.',
  'Maximum rate for a backlog': 'Höchste Senderate bei Rückstau',
  'Per target, so that callers are not slowed down.':
    'Je Ziel. Verhindert, dass Aufrufer durch das Nachsenden ausgebremst werden.',
  'Maximum waiting events': 'Höchstzahl wartender Ereignisse',
  'For all targets together.': 'Für alle Ziele zusammen.',
  'Maximum backlog on disk': 'Maximaler Rückstau auf dem Datenträger',
  'When it is full, new events are refused and the caller gets an error.':
    'Ist diese Größe erreicht, werden neue Ereignisse abgelehnt, und der Aufrufer erhält einen Fehler.',
  'Disk space to keep free': 'Freizuhaltender Speicherplatz',
  'If less is free, pipelines can no longer store anything: no files, database rows, variables, recordings or outgoing calls.':
    'Ist weniger frei, speichern Pipelines nichts mehr: keine Dateien, Datenbankzeilen, Variablen, Aufzeichnungen oder ausgehenden Aufrufe.',
  Retention: 'Aufbewahrung',
  'Older rows are removed day by day.': 'Ältere Zeilen werden tageweise entfernt.',
  'Maximum size': 'Maximale Größe',
  'When it is reached, the oldest rows are removed first.':
    'Ist sie erreicht, werden zuerst die ältesten Zeilen entfernt.',
  'Durability of rows': 'Schreibsicherheit',
  'A caller gets its response only after its row is stored like this.':
    'Aufrufer erhalten ihre Antwort erst, wenn ihre Zeile so gespeichert ist.',
  'Rows for writes': 'Zeilen für Schreibvorgänge',
  'Each write (tag, variable, file, database, message) and each outgoing call other than GET and HEAD has one row before it and one after it, about 650 bytes together. A tag that is written once a second adds 86,400 writes or 56 MB a day; ten times a second, 560 MB with All and 56 MB with Folded.':
    'Jeder Schreibvorgang (Tag, Variable, Datei, Datenbank, Nachricht) und jeder ausgehende Aufruf außer GET und HEAD erhält eine Zeile davor und eine danach, zusammen etwa 650 Byte. Wird ein Tag jede Sekunde geschrieben, sind das in 24 Stunden 86.400 Schreibvorgänge oder 56 MB; bei zehn pro Sekunde 560 MB mit „Alle“ und 56 MB mit „Zusammengefasst“.',
  'File for journal heads': 'Datei für Journal-Stände',
  'Absolute path outside the data folder, such as /mnt/audit/line-7.heads on a share. Sluice adds the newest head of the journal every hour and checks at each start that the journal still contains it. Empty: no file.':
    'Absoluter Pfad außerhalb des Datenordners, etwa /mnt/audit/linie-7.heads auf einer Netzwerkfreigabe. Sluice schreibt stündlich den neuesten Stand des Journals hinein und prüft bei jedem Start, ob das Journal ihn noch enthält. Leer: keine Datei.',
  'Path of the liveness check': 'Pfad des Liveness-Checks',
  'GET on the gateway port returns 200 while the gateway is running, without a key. Empty: off. A running route with the same path takes precedence.':
    'GET am Gateway-Port liefert ohne Schlüssel 200, solange das Gateway läuft. Leer: abgeschaltet. Eine laufende Route mit demselben Pfad hat Vorrang.',
  'Path of the readiness check': 'Pfad des Readiness-Checks',
  'GET returns 200 while calls with a key can be served, otherwise 503. For load balancers. Empty: off. A running route with the same path takes precedence.':
    'GET liefert 200, solange Aufrufe mit Schlüssel bedient werden können, sonst 503. Für Load-Balancer. Leer: abgeschaltet. Eine laufende Route mit demselben Pfad hat Vorrang.',
  'Token for /metrics': 'Token für /metrics',
  'At least 16 characters. Prometheus sends it as a bearer token. Without a token, metrics are off. With a token, programs on this PC can read them at /metrics on the port of the admin UI.':
    'Mindestens 16 Zeichen. Prometheus sendet es als Bearer-Token. Ohne Token sind die Metriken abgeschaltet. Mit Token können Programme auf diesem PC sie unter /metrics am Port der Admin-Oberfläche abrufen.',
  'Port for other machines': 'Port für andere Rechner',
  'TCP port on which other machines read the metrics, such as 9464. Nothing else is served there. It uses TLS if the gateway port does. Empty: only this PC can read them.':
    'TCP-Port, über den andere Rechner die Metriken abrufen, etwa 9464. Sonst ist dort nichts erreichbar. Mit TLS am Gateway-Port gilt auch hier TLS. Leer: Abruf nur auf diesem PC.',
  'Listen address for metrics': 'Adresse für Metriken',
  'Plain HTTP: keys can be read on the network': 'Unverschlüsseltes HTTP: Schlüssel sind im Netzwerk lesbar',
  'TLS with Sluice’s own certificate': 'TLS mit dem Zertifikat von Sluice',
  'TLS with your certificate': 'TLS mit eigenem Zertifikat',
  'Rows survive a crash of Sluice': 'Zeilen überstehen einen Absturz von Sluice',
  'Rows survive a power cut (slower)': 'Zeilen überstehen einen Stromausfall (langsamer)',
  'All: each write has its rows': 'Alle: Jeder Schreibvorgang hat eigene Zeilen',
  'Folded: writes of triggers share rows, one pair a second for each node and thing':
    'Zusammengefasst: Schreibvorgänge von Triggern teilen sich je Knoten und Ziel ein Zeilenpaar pro Sekunde',
  'Off: writes are not recorded': 'Aus: Schreibvorgänge werden nicht protokolliert',
  days: 'Tage',
  events: 'Ereignisse',
  'events/s': 'Ereignisse/s',
};
