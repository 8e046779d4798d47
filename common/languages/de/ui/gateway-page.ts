import type { gatewayPage as english } from '#common/languages/en/ui/gateway-page.ts';

export const gatewayPage: typeof english = {
  only: 'Nur wer die Berechtigung „Einstellungen ändern“ hat, kann das Gateway ändern. Einen Administrator fragen.',
  answer: 'Maschinen rufen {{url}} auf.',
  answerAway: 'Das Gateway antwortet nicht.',
  pick: { tlsCertificate: 'Zertifikat aus Datei lesen', tlsKey: 'Schlüssel aus Datei lesen' },
  certificate: {
    title: 'Zertifikat für Maschinen',
    waiting: 'Eigenes Zertifikat von Sluice; es wird verwendet, sobald TLS eingeschaltet ist',
    for: 'Gilt für',
    issuer: 'Ausgestellt von',
    ends: 'Gültig bis',
    soon: 'Läuft bald ab',
    over: 'Abgelaufen',
    fingerprint: 'SHA-256',
    missing:
      'Dieser PC ist auch als {{names}} bekannt; dafür gilt das Zertifikat nicht. Maschinen, die diese Namen verwenden, brauchen ein neues; alle anderen können dieses behalten.',
    cer: '.cer für SPS herunterladen',
    pem: '.pem herunterladen',
    make: 'Neues Zertifikat erstellen',
    makeFirstHelp:
      'Sluice erstellt ein Zertifikat, wenn TLS eingeschaltet wird. Vorab erstellt, lässt es sich schon auf die Maschinen verteilen.',
    makeFirst: 'Zertifikat jetzt erstellen',
    made: 'Ein neues Zertifikat wurde erstellt. Herunterladen und auf jeder Maschine hinterlegen, die es prüft.',
    ask: 'Neues Zertifikat erstellen?',
    effect:
      'Das Gateway verwendet ab jetzt ein anderes Zertifikat. Maschinen, die nur dem jetzigen vertrauen, erhalten keine Verbindung, bis das neue dort hinterlegt ist.',
    effectWaiting:
      'Maschinen, die das jetzige Zertifikat schon haben, brauchen das neue, bevor TLS eingeschaltet wird.',
    gentle:
      'Offene Verbindungen und laufende Aufrufe bleiben bestehen. Für Maschinen, die das Zertifikat nicht prüfen, ändert sich nichts.',
    tick: 'Diese Maschinen dürfen stillstehen, bis sie das neue Zertifikat haben.',
    keep: 'Zertifikat behalten',
    submit: 'Neues Zertifikat erstellen',
  },
  metrics: {
    make: 'Token erzeugen',
    copyToken: 'Token kopieren',
    once: 'Wird nur angezeigt, bis Sie diese Seite verlassen. Gilt, sobald die Änderungen gespeichert sind.',
    config: 'Für prometheus.yml',
  },
  sections: 'Abschnitte',
  locked: 'Hier nicht änderbar:',
  portNow: 'Derzeit offen: {{port}}.',
  usual: 'Standard: {{value}}.',
  usualNone: 'Standard: leer.',
  afterRestart: 'Wirkt erst nach einem Neustart von Sluice.',
  fixed: 'Durch den Startparameter {{flag}} festgelegt und nur dort änderbar.',
  fixedElse: 'Durch einen Startparameter oder eine Umgebungsvariable festgelegt und nur dort änderbar.',
  noNumber: 'Eine Zahl eingeben, nur Ziffern.',
  plain: 'Unverschlüsseltes HTTP',
  plainText:
    'Schlüssel sind im Netzwerk zwischen Maschine und Gateway lesbar. TLS einschalten oder das Gateway nur im Anlagennetz oder hinter einem Proxy mit TLS betreiben.',
  plainBeside: 'Der zusätzliche Port ist unverschlüsselt. Das Feld leeren, sobald die letzte Maschine TLS verwendet.',
  usage: 'Das Journal belegt {{bytes}}. Bei der heutigen Rate ({{perDay}} am Tag) brauchen {{days}} Tage {{need}}.',
  usageFits: 'Die maximale Größe reicht für etwa {{days}} Tage.',
  changes_one: '{{count}} nicht gespeicherte Änderung.',
  changes_other: '{{count}} nicht gespeicherte Änderungen.',
  atOnce: 'Wirkt sofort; laufende Aufrufe werden zu Ende geführt.',
  discard: 'Änderungen verwerfen',
  save: 'Änderungen speichern',
  saved: 'Gespeichert. Das Gateway hat die neuen Einstellungen.',
  savedPending:
    'Gespeichert, aber noch nicht wirksam: Das Gateway läuft nicht. Es übernimmt die Einstellungen, sobald es läuft.',
  savedRestart: 'Gespeichert. Der Port der Admin-Oberfläche ändert sich mit dem nächsten Neustart von Sluice.',
  failed: 'Es wurde nichts gespeichert.',
  moving: {
    title: {
      address: 'Adresse des Gateways ändern?',
      scheme: 'Zugriff auf das Gateway ändern?',
      trust: 'Zertifikat für Maschinen ändern?',
    },
    effect:
      'Maschinen, die {{old}} aufrufen, erhalten dort keine Antwort mehr. Jede muss auf {{new}} umgestellt werden.',
    effectSecure: 'Jede muss außerdem dem Zertifikat vertrauen.',
    effectTrust:
      'Maschinen, die nur dem jetzigen Zertifikat vertrauen, erhalten keine Verbindung, bis sie dem neuen vertrauen.',
    caller: 'Aufrufer',
    last: 'Letzter Aufruf',
    nobody: 'Kein Aufruf in den letzten 24 h.',
    unknown: 'Die aktuellen Aufrufer sind nicht bekannt. Zuerst im Journal nachsehen.',
    gentle: 'Store & Forward und die Pipelines laufen weiter; nur Aufrufer sind betroffen.',
    tick: 'Diese Maschinen dürfen stillstehen, bis sie umgestellt sind.',
    keep: { address: 'Adresse behalten', scheme: 'Unverändert lassen', trust: 'Zertifikat behalten' },
    submit: { address: 'Adresse ändern', scheme: 'Ändern', trust: 'Zertifikat ändern' },
  },
};
