import type { shell as english } from '../en/shell.ts';

export const shell: typeof english = {
  ownPassword: {
    title: 'Eigenes Passwort ändern',
    lead: 'Sie bleiben hier angemeldet und werden überall sonst abgemeldet.',
    done: 'Ihr Passwort wurde geändert.',
    old: 'Jetziges Passwort',
    oldMissing: 'Das Passwort eingeben, mit dem Sie sich jetzt anmelden.',
    new: 'Neues Passwort',
    newHelp: 'Mindestens 10 Zeichen. Mehr wird nicht verlangt.',
    short: 'Das Passwort hat {{count}} Zeichen. Mindestens 10 eingeben.',
    submit: 'Passwort ändern',
    failed: 'Das Passwort wurde nicht geändert.',
  },
  others: {
    title: 'Jemand anderes hat das inzwischen gespeichert',
    lead: 'Ihre Eingaben sind noch da. Wer sie behält, ersetzt die andere Fassung mit dem nächsten Speichern.',
    mine: 'Meine behalten',
    theirs: 'Die andere nehmen',
  },
  leave: {
    title: 'Ohne Speichern verlassen?',
    lead: 'Was hier eingegeben wurde, ist nicht gespeichert und dann verloren.',
    keep: 'Weiter bearbeiten',
    submit: 'Ohne Speichern verlassen',
  },
  part: {
    waits: 'Was hierher gehört, kommt, sobald es antwortet.',
    failed: 'Dieser Teil der Seite ist ausgefallen.',
    gone: 'Dieser Teil der Seite ist nicht lesbar.',
    goneMend:
      'Sluice wurde vielleicht aktualisiert, seit die Seite offen ist. Die Seite neu laden; was nicht gespeichert ist, ist dann verloren.',
    reload: 'Seite neu laden',
  },
  logOut: {
    title: 'Sie sind noch angemeldet',
    lead: 'Das Abmelden ist fehlgeschlagen: Wer diesen Browser als Nächstes benutzt, arbeitet mit Ihrem Konto. Vor dem Weggehen noch einmal versuchen.',
    again: 'Noch einmal abmelden',
  },
  secret: {
    set: 'Gesetzt. Es wird nie wieder angezeigt.',
    replace: 'Ersetzen',
    replaceNamed: 'Ersetzen: {{field}}',
    remove: 'Entfernen',
    removeNamed: 'Entfernen: {{field}}',
    removed: 'Wird beim Speichern entfernt.',
    keep: 'Das jetzige behalten',
    keepNamed: 'Das jetzige behalten: {{field}}',
  },
  window: {
    title: 'Dieses Fenster',
    free: 'Sluice kann den Bildschirm eines Panels füllen: Dann kann niemand das Fenster schließen oder verlassen.',
    kiosk: 'Sluice füllt den Bildschirm, und sein Fenster lässt sich nicht schließen oder verlassen.',
    fill: 'Bildschirm füllen',
    leave: 'Vollbild verlassen',
    needs: 'Dafür ist ein Administrator nötig: abmelden und als Administrator anmelden.',
  },
  help: {
    answer: 'Sluice {{version}}, läuft seit {{time}}.',
    words: 'Begriffe',
    word: {
      route: 'Route',
      key: 'API-Schlüssel',
      scope: 'Scope',
      pipeline: 'Pipeline',
      refused: 'Abgelehnt',
      storeForward: 'Speichern und Senden',
      deadLetter: 'Unzustellbar',
    },
    meaning: {
      route: 'Methode und Pfad, etwa POST /api/v1/orders, die Maschinen am Gateway aufrufen.',
      key: 'Das Geheimnis, das eine Maschine bei jedem Aufruf mitsendet. Jede Maschine hat ihren eigenen; er wird nur einmal gezeigt, beim Anlegen.',
      scope: 'Ein Recht eines Schlüssels, etwa Tags lesen. Eine Route nennt die Scopes, die ihre Aufrufer brauchen.',
      pipeline:
        'Knoten und Leitungen, die einen Aufruf verarbeiten. Änderungen am Entwurf gelten erst, wenn er gestartet wird.',
      refused:
        'Absichtlich abgewiesen, bevor die Pipeline lief, etwa wegen eines gesperrten Schlüssels. Ein fehlgeschlagener Aufruf ist etwas anderes.',
      storeForward:
        'Bewahrt Ereignisse, die ein Ziel gerade nicht annimmt, auf dieser Festplatte auf und sendet sie später der Reihe nach.',
      deadLetter:
        'Ein Ereignis, das sein Ziel endgültig abgelehnt hat. Es bleibt, bis ein Benutzer es wiederholt oder verwirft.',
    },
    docs: 'Dokumentation',
    docsHelp: 'Alle Anleitungen mit Suche, auf Englisch. Sie liegen auf diesem PC und brauchen kein Internet.',
    docsOpen: 'Dokumentation öffnen',
    docsTrouble: 'Fehlersuche',
    docsLimits: 'Grenzwerte',
    docsGlossary: 'Glossar',
    keyboard: 'Tastatur',
    keys: {
      tab: 'Zum nächsten oder vorigen Feld oder zur Schaltfläche',
      enter: 'Die Schaltfläche mit dem Fokus betätigen oder das Formular absenden',
      space: 'Haken setzen oder entfernen, Schaltfläche betätigen',
      escape: 'Dialog oder Menü schließen, ohne etwas zu tun',
      arrows: 'In einem Menü oder einer Liste bewegen',
    },
    keyName: {
      tab: 'Tab, Umschalt + Tab',
      enter: 'Eingabe',
      space: 'Leertaste',
      escape: 'Esc',
      arrows: 'Pfeiltasten',
    },
    editorKeys: 'Der Pipeline-Editor hat eigene Tasten und zeigt sie selbst an.',
    passwords: 'Passwörter',
    own: 'Das eigene Passwort',
    ownButton: 'Eigenes Passwort ändern',
    forgotten:
      'Vergessen? Ein anderer Administrator setzt unter Personen und Rollen ein neues. Wenn sich niemand anmelden kann, dies auf dem PC eingeben, auf dem Sluice läuft, als der Benutzer, unter dem es läuft:',
    resetTitle: 'Passwort zurücksetzen',
    name: 'NAME',
    data: 'Datenordner',
    dataHelp:
      'Der Ordner, der beim Start von Sluice mit --data genannt wurde, sonst C:\\ProgramData\\Sluice unter Windows und /var/lib/sluice für den Linux-Dienst. Auf der Seite Sicherung sichern; nicht kopieren, während Sluice läuft.',
    libraries: 'Software von Dritten',
    librariesHelp:
      'Dieses Fenster ist mit React, React Flow (xyflow), Mantine, CodeMirror, TanStack Query, i18next, uPlot und anderem gebaut und in IBM Plex gesetzt. Eine Datei nennt alle, mit ihren Lizenzen.',
    licenses: 'Lizenzen herunterladen',
    developers: 'Für Entwickler',
    openapi: 'OpenAPI-Datei der Admin-API herunterladen',
    openapiHelp: 'Alles, was dieses Fenster tut, geht auch mit Aufrufen. Maschinen rufen Routen auf, nicht diese API.',
  },
};
