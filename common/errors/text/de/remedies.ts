import { remedyTexts } from '../texts.ts';

export const remedies = remedyTexts({
  createKey: { title: 'Ihm einen Schlüssel mit {{missing}} geben', help: '', act: 'Schlüssel anlegen' },
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
  repeatChecked: {
    title: 'Prüfen, was die Pipeline schon getan hat, dann den Aufruf wiederholen',
    help: 'Der Lauf wurde möglicherweise mittendrin abgebrochen.',
    act: '',
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
    help: 'Oder den Datenträger reparieren. Das Journal läuft dann automatisch weiter.',
    act: 'Gateway-Einstellungen öffnen',
  },
  raiseTimeout: { title: 'Mehr Zeit geben', help: 'Das Zeitlimit der Route erhöhen.', act: 'Route öffnen' },
  everyPath: {
    title: 'Auf jedem Weg antworten',
    help: 'Jeder Weg durch die Pipeline muss rechtzeitig eine HTTP-Antwort erreichen.',
    act: 'Pipeline öffnen',
  },
  fixPipeline: {
    title: 'Die Pipeline in Ordnung bringen',
    help: 'Ihre Läufe zeigen, was jeder Knoten empfing und weitergab.',
    act: 'Pipeline öffnen',
  },
});
