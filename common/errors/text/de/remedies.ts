import { remedyTexts } from '../texts.ts';

export const remedies = remedyTexts({
  createKey: { title: 'Dem Aufrufer einen Schlüssel mit {{missing}} geben', help: '', act: 'Schlüssel anlegen' },
  routeScopes: {
    title: 'Weniger Scopes verlangen',
    help: '{{missing}} aus den verlangten Scopes der Route entfernen. Dann darf auch jeder Schlüssel ohne diesen Scope aufrufen.',
    act: 'Route öffnen',
  },
  nodeScope: {
    title: 'Ohne das Recht auskommen',
    help: 'Was {{missing}} braucht, aus dem Knoten {{node}} entfernen.',
    act: 'Pipeline öffnen',
  },
  grants: {
    title: 'Der Pipeline das Recht gewähren',
    help: '{{missing}} zu den gewährten Rechten der Pipeline hinzufügen. Starten muss sie dann ein Administrator.',
    act: 'Pipeline öffnen',
  },
  scriptScopes: {
    title: 'Den Scope im Skript anfordern',
    help: '{{missing}} zur Liste „Scopes“ des Knotens {{node}} hinzufügen.',
    act: 'Pipeline öffnen',
  },
  callerHttp: {
    title: 'Das aufrufende Programm korrigieren',
    help: 'Es muss gültiges HTTP/1.1 senden. Das ist Sache derer, die es betreuen.',
    act: '',
  },
  noTrailers: { title: 'Keine Trailer senden', help: 'Nach dem letzten Chunk darf nichts folgen.', act: '' },
  network: {
    title: 'Ohne Pausen senden',
    help: 'Das Netzwerk prüfen und ob der Aufrufer beim Senden stockt.',
    act: '',
  },
  useTls: {
    title: 'Mit https:// aufrufen',
    help: 'Oder einen zusätzlichen Port ohne TLS einstellen, für Aufrufer, die kein TLS beherrschen.',
    act: 'Gateway-Einstellungen öffnen',
  },
  newerTls: {
    title: 'Beim Aufrufer TLS 1.2 oder 1.3 verwenden',
    help: 'Dafür braucht er eine neuere Firmware oder Bibliothek.',
    act: '',
  },
  trust: {
    title: 'Das Zertifikat beim Aufrufer hinterlegen',
    help: 'Die Gateway-Einstellungen bieten es als Datei an. Der Aufrufer muss einen Namen oder eine Adresse verwenden, für die es gilt.',
    act: 'Gateway-Einstellungen öffnen',
  },
  fewerHeaders: { title: 'Weniger Header senden', help: 'Meist liegt es an Cookies.', act: '' },
  tryAgain: {
    title: 'Kurz darauf erneut aufrufen',
    help: 'Bleibt es so, den Aufrufer suchen, der das Gateway überlastet.',
    act: 'Übersicht öffnen',
  },
  repeatChecked: {
    title: 'Prüfen, was die Pipeline schon getan hat, dann den Aufruf wiederholen',
    help: 'Der Lauf wurde möglicherweise vorzeitig abgebrochen.',
    act: '',
  },
  fewerConnections: {
    title: 'Verbindungen offen halten und wiederverwenden',
    help: 'Wer für jeden Aufruf eine neue öffnet, dem gehen sie aus.',
    act: '',
  },
  waitAnswers: { title: 'Die Antworten abwarten', help: 'Oder mehrere Verbindungen verwenden.', act: '' },
  startPipeline: { title: 'Die Pipeline starten', help: 'Dann den Aufruf wiederholen.', act: 'Pipeline öffnen' },
  startSome: { title: 'Die Pipeline starten', help: 'Dann den Aufruf wiederholen.', act: 'Pipelines öffnen' },
  usePath: {
    title: 'Eine Route aufrufen, die es gibt',
    help: 'Die Seite „Routen“ nennt alle, jede mit einem Aufruf zum Kopieren.',
    act: 'Routen öffnen',
  },
  useMethod: {
    title: 'Die Methode der Route verwenden',
    help: 'Oder eine Route mit dieser Methode hinzufügen.',
    act: 'Routen öffnen',
  },
  exactPath: {
    title: 'Den Pfad genau so aufrufen, wie er geschrieben ist',
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
    help: 'Dann zählt die Adresse des Aufrufers, nicht die des Proxys.',
    act: 'Gateway-Einstellungen öffnen',
  },
  addOrigin: {
    title: 'Den Origin erlauben',
    help: '{{origin}} zu den erlaubten Origins der Route hinzufügen.',
    act: 'Route öffnen',
  },
  corsOn: {
    title: 'CORS einschalten',
    help: 'Und {{origin}} zu den erlaubten Origins der Route hinzufügen.',
    act: 'Route öffnen',
  },
  sendKey: { title: 'Den Schlüssel senden', help: 'Im Header X-API-Key jedes Aufrufs.', act: '' },
  sendOnce: { title: 'Den Header nur einmal senden', help: 'Ein Proxy fügt manchmal einen zweiten hinzu.', act: '' },
  sendWhole: { title: 'Den ganzen Schlüssel senden', help: 'Neu kopieren, von slc_ bis zum letzten Zeichen.', act: '' },
  newKey: { title: 'Einen neuen Schlüssel anlegen', help: 'Und beim Aufrufer hinterlegen.', act: 'Schlüssel anlegen' },
  keyOfProject: {
    title: 'Einen Schlüssel von {{routeProject}} verwenden',
    help: 'Ein Schlüssel öffnet nur Routen seines eigenen Projekts.',
    act: 'Schlüssel anlegen',
  },
  confirmVault: {
    title: 'Den Tresor bestätigen',
    help: 'Zuvor prüft ein Administrator Schlüssel und Benutzer.',
    act: 'Übersicht öffnen',
  },
  stopWrong: {
    title: 'Die Aufrufe ohne gültigen Schlüssel abstellen',
    help: 'Dann warten, bis wieder Fehlversuche erlaubt sind.',
    act: '',
  },
  callLess: { title: 'Seltener aufrufen', help: 'Der Header Retry-After nennt die Wartezeit.', act: '' },
  raiseRate: {
    title: 'Die Rate erhöhen',
    help: 'Rate und Burst der Route gelten für alle ihre Aufrufer zusammen.',
    act: 'Route öffnen',
  },
  smallerBody: { title: 'Einen kleineren Body senden', help: '', act: '' },
  takeReply: { title: 'Die Antwort vollständig lesen', help: '', act: '' },
  raiseSize: {
    title: 'Größere Bodys erlauben',
    help: '„Größter Body“ der Route erhöhen.',
    act: 'Route öffnen',
  },
  plainBody: { title: 'Den Body unkomprimiert senden', help: 'Ohne den Header Content-Encoding.', act: '' },
  sendUtf8: {
    title: 'Den Body als UTF-8 senden',
    help: 'Und seinen Typ angeben: application/json für JSON.',
    act: '',
  },
  fitBody: { title: 'Senden, was der Typ angibt', help: 'Oder den tatsächlichen Typ angeben.', act: '' },
  fitValue: { title: 'Einen passenden Wert senden', help: 'Die Ursache nennt ihn und was erwartet wird.', act: '' },
  freeDisk: {
    title: 'Speicherplatz für das Journal freigeben',
    help: 'Oder den Datenträger reparieren. Danach läuft das Journal automatisch weiter.',
    act: 'Gateway-Einstellungen öffnen',
  },
  raiseTimeout: { title: 'Mehr Zeit geben', help: '„Timeout“ der Route erhöhen.', act: 'Route öffnen' },
  everyPath: {
    title: 'Auf jedem Weg antworten',
    help: 'Jeder Weg durch die Pipeline muss rechtzeitig eine HTTP-Antwort erreichen.',
    act: 'Pipeline öffnen',
  },
  fixPipeline: {
    title: 'Die Pipeline korrigieren',
    help: 'Ihre Läufe zeigen, was jeder Knoten empfangen und weitergegeben hat.',
    act: 'Pipeline öffnen',
  },
});
