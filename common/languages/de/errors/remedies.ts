import { remedyTexts } from '#common/languages/error-texts.ts';

export const remedies = remedyTexts({
  createKey: { title: 'Dem Aufrufer einen Schlüssel mit {{missing}} geben', help: '', act: 'Schlüssel anlegen' },
  routeScopes: {
    title: 'Weniger Scopes verlangen',
    help: '{{missing}} aus den verlangten Scopes der Route entfernen. Dann kann auch jeder Schlüssel ohne diesen Scope die Route aufrufen.',
    act: 'Route öffnen',
  },
  nodeScope: {
    title: 'Ohne den Scope auskommen',
    help: 'Im Knoten {{node}} entfernen, was {{missing}} braucht.',
    act: 'Pipeline öffnen',
  },
  grants: {
    title: 'Der Pipeline den Scope gewähren',
    help: '{{missing}} zu „Gewährte Rechte“ der Pipeline hinzufügen. Starten kann sie dann nur ein Administrator.',
    act: 'Pipeline öffnen',
  },
  scriptScopes: {
    title: 'Den Scope im Skript anfordern',
    help: '{{missing}} zur Liste „Scopes“ des Knotens {{node}} hinzufügen.',
    act: 'Pipeline öffnen',
  },
  keyLimits: {
    title: 'Grenzen des Schlüssels ändern',
    help: 'Falls der Aufrufer das braucht.',
    act: 'API-Schlüssel öffnen',
  },
  pipelineLimits: {
    title: 'Grenzen der Pipeline ändern',
    help: 'Eine Pipeline mit weiter gefassten Grenzen kann nur ein Administrator starten.',
    act: 'Pipeline öffnen',
  },
  callerHttp: {
    title: 'Das aufrufende Programm korrigieren',
    help: 'Es muss gültiges HTTP/1.1 senden. An die Entwickler des Programms wenden.',
    act: '',
  },
  noTrailers: { title: 'Keine Trailer senden', help: 'Nach dem letzten Chunk darf nichts folgen.', act: '' },
  network: {
    title: 'Ohne Pausen senden',
    help: 'Prüfen, ob das Netzwerk gestört ist oder der Aufrufer beim Senden stockt.',
    act: '',
  },
  useTls: {
    title: 'Mit https:// aufrufen',
    help: 'Oder einen zusätzlichen Port ohne TLS einstellen, für Aufrufer, die kein TLS beherrschen.',
    act: 'Gateway-Einstellungen öffnen',
  },
  newerTls: {
    title: 'Beim Aufrufer TLS 1.2 oder 1.3 verwenden',
    help: 'Möglicherweise ist dafür eine neuere Firmware oder Bibliothek nötig.',
    act: '',
  },
  trust: {
    title: 'Das Zertifikat beim Aufrufer hinterlegen',
    help: 'Es lässt sich in den Gateway-Einstellungen herunterladen. Der Aufrufer muss einen Namen oder eine Adresse verwenden, für die es gilt.',
    act: 'Gateway-Einstellungen öffnen',
  },
  fewerHeaders: { title: 'Weniger Header senden', help: 'Meist liegt es an Cookies.', act: '' },
  tryAgain: {
    title: 'Kurz darauf erneut aufrufen',
    help: 'Hält das an, den Aufrufer suchen, der das Gateway überlastet.',
    act: 'Übersicht öffnen',
  },
  repeatChecked: {
    title: 'Prüfen, was die Pipeline schon getan hat, dann den Aufruf wiederholen',
    help: 'Der Lauf wurde möglicherweise vorzeitig abgebrochen.',
    act: '',
  },
  fewerConnections: {
    title: 'Verbindungen offen halten und wiederverwenden',
    help: 'Ein Aufrufer, der für jeden Aufruf eine neue öffnet, erreicht den Grenzwert.',
    act: '',
  },
  waitAnswers: { title: 'Die Antworten abwarten', help: 'Oder mehrere Verbindungen verwenden.', act: '' },
  startPipeline: { title: 'Die Pipeline starten', help: 'Dann den Aufruf wiederholen.', act: 'Pipeline öffnen' },
  startSome: { title: 'Die Pipeline starten', help: 'Dann den Aufruf wiederholen.', act: 'Pipelines öffnen' },
  usePath: {
    title: 'Eine Route aufrufen, die es gibt',
    help: 'Die Seite „Routen“ listet alle auf, jede mit einem Aufruf zum Kopieren.',
    act: 'Routen öffnen',
  },
  useMethod: {
    title: 'Die Methode der Route verwenden',
    help: 'Oder eine Route mit dieser Methode hinzufügen.',
    act: 'Routen öffnen',
  },
  exactPath: {
    title: 'Den Pfad genau so aufrufen, wie die Route ihn definiert',
    help: 'Mit oder ohne Schrägstrich am Ende.',
    act: 'Routen öffnen',
  },
  addAddress: {
    title: 'Die Adresse erlauben',
    help: '{{ip}} zu den erlaubten Adressen der Route hinzufügen.',
    act: 'Route öffnen',
  },
  trustProxy: {
    title: 'Dem Proxy vertrauen',
    help: 'Unter „Vertrauenswürdige Proxys“ eintragen. Geprüft wird dann die Adresse des Aufrufers, nicht die des Proxys.',
    act: 'Gateway-Einstellungen öffnen',
  },
  addOrigin: {
    title: 'Den Origin erlauben',
    help: '{{origin}} zu den erlaubten Origins der Route hinzufügen.',
    act: 'Route öffnen',
  },
  corsOn: {
    title: 'CORS erlauben',
    help: 'Außerdem {{origin}} zu den erlaubten Origins der Route hinzufügen.',
    act: 'Route öffnen',
  },
  sendKey: { title: 'Den Schlüssel senden', help: 'Im Header X-API-Key jedes Aufrufs.', act: '' },
  sendOnce: {
    title: 'Den Header nur einmal senden',
    help: 'Möglicherweise fügt ein Proxy einen zweiten hinzu.',
    act: '',
  },
  sendWhole: { title: 'Den ganzen Schlüssel senden', help: 'Neu kopieren, von slc_ bis zum letzten Zeichen.', act: '' },
  newKey: {
    title: 'Einen neuen Schlüssel anlegen',
    help: 'Danach beim Aufrufer hinterlegen.',
    act: 'Schlüssel anlegen',
  },
  resumeKey: {
    title: 'Den Schlüssel wieder freigeben',
    help: 'Sobald der Grund der Pause behoben ist.',
    act: 'API-Schlüssel öffnen',
  },
  plantZone: {
    title: 'Die Zeitzone des Werks prüfen',
    help: 'Die Zeiten von Schlüsseln richten sich nach dieser Zeitzone.',
    act: 'Gateway-Einstellungen öffnen',
  },
  keyOfProject: {
    title: 'Einen Schlüssel von {{routeProject}} verwenden',
    help: 'Ein Schlüssel gilt nur für Routen seines eigenen Projekts.',
    act: 'Schlüssel anlegen',
  },
  confirmVault: {
    title: 'Den Tresor bestätigen',
    help: 'Zuvor prüft ein Administrator Schlüssel und Benutzer.',
    act: 'Übersicht öffnen',
  },
  stopWrong: {
    title: 'Die Aufrufe ohne gültigen Schlüssel abstellen',
    help: 'Dann warten, bis der Grenzwert für Fehlversuche wieder Aufrufe erlaubt.',
    act: '',
  },
  callLess: { title: 'Seltener aufrufen', help: 'Der Header Retry-After nennt die Wartezeit.', act: '' },
  raiseRate: {
    title: 'Die Ratenbegrenzung erhöhen',
    help: 'Ratenbegrenzung und Burst-Grenze der Route gelten für alle ihre Aufrufer zusammen.',
    act: 'Route öffnen',
  },
  smallerBody: { title: 'Einen kleineren Body senden', help: '', act: '' },
  takeReply: { title: 'Die Antwort vollständig lesen', help: '', act: '' },
  raiseSize: {
    title: 'Größere Bodys erlauben',
    help: '„Maximale Body-Größe“ der Route erhöhen.',
    act: 'Route öffnen',
  },
  plainBody: { title: 'Den Body unkomprimiert senden', help: 'Ohne den Header Content-Encoding.', act: '' },
  sendUtf8: {
    title: 'Den Body als UTF-8 senden',
    help: 'Auch seinen Typ angeben: application/json für JSON.',
    act: '',
  },
  fitBody: {
    title: 'Einen Body senden, der zum Content-Type passt',
    help: 'Oder den Content-Type an den Body anpassen.',
    act: '',
  },
  fitValue: {
    title: 'Einen passenden Wert senden',
    help: 'Die Ursache nennt den Wert und was erwartet wird.',
    act: '',
  },
  freeDisk: {
    title: 'Speicherplatz für das Journal freigeben',
    help: 'Oder den Datenträger instand setzen. Danach läuft das Journal automatisch weiter.',
    act: 'Gateway-Einstellungen öffnen',
  },
  freeSpace: {
    title: 'Speicherplatz freigeben',
    help: 'Die Alarme nennen, wer zuletzt viel gespeichert hat. Ist der Puffer ausgehender Aufrufe voll, dafür sorgen, dass die Ziele wieder erreichbar sind.',
    act: 'Übersicht öffnen',
  },
  fixDevice: {
    title: 'Das Gerät prüfen',
    help: 'Seine Verbindung, und ob es für den Knoten {{node}} noch Werte sendet.',
    act: 'Pipeline öffnen',
  },
  raiseAge: {
    title: 'Ältere Werte erlauben',
    help: 'Das Höchstalter im Knoten {{node}} anheben, falls der Aufrufer solche Werte verwenden kann.',
    act: 'Pipeline öffnen',
  },
  awaitLimits: {
    title: 'Schreiben, wenn die Bedingungen erfüllt sind',
    help: 'Die Meldung nennt den verglichenen Wert. Den Aufruf wiederholen, sobald die Bedingungen erfüllt sind.',
    act: '',
  },
  tagLimits: {
    title: 'Die Schreibgrenzen des Tags ändern',
    help: 'Ist dieser Schreibzugriff gewollt, sind die Grenzen zu eng.',
    act: 'Daten öffnen',
  },
  endStop: {
    title: 'Die Schreibsperre aufheben',
    help: 'Wenn ihr Grund nicht mehr besteht: auf der Seite Tags „Schreiben erlauben“ wählen oder das Tag zurücksetzen, das sperrt.',
    act: 'Daten öffnen',
  },
  awaitStop: { title: 'Das Ende abwarten', help: 'Die Meldung nennt das Ende, falls es eines gibt.', act: '' },
  raiseTimeout: { title: 'Mehr Zeit erlauben', help: 'Den Timeout der Route erhöhen.', act: 'Route öffnen' },
  everyPath: {
    title: 'Auf jedem Weg antworten',
    help: 'Jeder Weg durch die Pipeline muss rechtzeitig einen Knoten „HTTP-Antwort“ erreichen.',
    act: 'Pipeline öffnen',
  },
  fixPipeline: {
    title: 'Die Pipeline korrigieren',
    help: 'Ihre Läufe zeigen, was jeder Knoten empfangen und weitergegeben hat.',
    act: 'Pipeline öffnen',
  },
});
