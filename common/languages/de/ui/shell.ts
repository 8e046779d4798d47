import type { shell as english } from '#common/languages/en/ui/shell.ts';

export const shell: typeof english = {
  ownPassword: {
    title: 'Eigenes Passwort ändern',
    lead: 'Sie bleiben hier angemeldet und werden überall sonst abgemeldet.',
    done: 'Ihr Passwort wurde geändert.',
    old: 'Bisheriges Passwort',
    oldMissing: 'Das bisherige Passwort eingeben.',
    new: 'Neues Passwort',
    newHelp: 'Mindestens 10 Zeichen, sonst keine Vorgaben.',
    short: 'Das Passwort hat {{count}} Zeichen. Mindestens 10 eingeben.',
    submit: 'Passwort ändern',
    failed: 'Das Passwort wurde nicht geändert.',
  },
  others: {
    title: 'Inzwischen hat jemand anderes gespeichert',
    lead: 'Ihre Eingaben sind noch da. Wenn Sie sie behalten, ersetzt das nächste Speichern die andere Fassung.',
    mine: 'Eigene Eingaben behalten',
    theirs: 'Andere Fassung übernehmen',
  },
  leave: {
    title: 'Ohne Speichern verlassen?',
    lead: 'Ihre Eingaben sind nicht gespeichert und gehen verloren.',
    keep: 'Weiter bearbeiten',
    submit: 'Ohne Speichern verlassen',
  },
  part: {
    waits: 'Dieser Teil der Seite erscheint, sobald Sluice antwortet.',
    failed: 'In diesem Teil der Seite ist ein Fehler aufgetreten.',
    gone: 'Dieser Teil der Seite lässt sich nicht laden.',
    goneHelp:
      'Möglicherweise wurde Sluice aktualisiert, seit die Seite geöffnet wurde. Die Seite neu laden; nicht gespeicherte Eingaben gehen verloren.',
    reload: 'Seite neu laden',
  },
  logOut: {
    title: 'Sie sind noch angemeldet',
    lead: 'Das Abmelden ist fehlgeschlagen: Der nächste Benutzer dieses Browsers könnte Ihr Konto verwenden. Vor dem Verlassen des Arbeitsplatzes erneut abmelden.',
    again: 'Erneut abmelden',
  },
  secret: {
    set: 'Hinterlegt. Wird nicht mehr angezeigt.',
    replace: 'Ersetzen',
    replaceNamed: 'Ersetzen: {{field}}',
    remove: 'Entfernen',
    removeNamed: 'Entfernen: {{field}}',
    removed: 'Wird beim Speichern entfernt.',
    keep: 'Bisherigen Wert behalten',
    keepNamed: 'Bisherigen Wert behalten: {{field}}',
  },
  window: {
    title: 'Dieses Fenster',
    free: 'Sluice kann den Bildschirm eines Panels füllen. Dann kann niemand das Fenster schließen oder verlassen.',
    kiosk: 'Sluice füllt den Bildschirm, und sein Fenster lässt sich nicht schließen oder verlassen.',
    fill: 'Vollbild einschalten',
    leave: 'Vollbild verlassen',
    needs: 'Erfordert Administratorrechte: abmelden und als Administrator anmelden.',
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
      storeForward: 'Store & Forward',
      deadLetter: 'Unzustellbares Ereignis',
    },
    meaning: {
      route: 'Methode und Pfad, etwa POST /api/v1/orders, die Maschinen am Gateway aufrufen.',
      key: 'Das Geheimnis, das eine Maschine mit jedem Aufruf sendet. Jede Maschine hat ihren eigenen Schlüssel; er wird nur einmal angezeigt, beim Anlegen.',
      scope:
        'Ein Recht eines Schlüssels, etwa zum Lesen von Tags. Eine Route nennt die Scopes, die ihre Aufrufer brauchen.',
      pipeline:
        'Knoten und Leitungen, die einen Aufruf verarbeiten. Änderungen am Entwurf werden erst wirksam, wenn er gestartet wird.',
      refused:
        'Absichtlich zurückgewiesen, bevor die Pipeline lief, etwa wegen eines widerrufenen Schlüssels. Ein fehlgeschlagener Aufruf ist etwas anderes.',
      storeForward:
        'Speichert Ereignisse, die ein Ziel gerade nicht annimmt, auf diesem Datenträger und sendet sie später der Reihe nach.',
      deadLetter:
        'Ein Ereignis, das sein Ziel endgültig abgelehnt hat. Es bleibt gespeichert, bis ein Benutzer es erneut sendet oder verwirft.',
    },
    docs: 'Dokumentation',
    docsHelp:
      'Alle Anleitungen mit Suche, auf Englisch. Sie sind auf diesem PC gespeichert und brauchen kein Internet.',
    docsOpen: 'Dokumentation öffnen',
    docsTrouble: 'Fehlersuche',
    docsLimits: 'Grenzwerte',
    docsGlossary: 'Glossar',
    keyboard: 'Tastatur',
    keys: {
      search: 'Seiten, Pipelines, Routen, Schlüssel, Tags und Dokumentation durchsuchen',
      tab: 'Zum nächsten oder vorigen Bedienelement',
      enter: 'Fokussierte Schaltfläche betätigen oder Formular absenden',
      space: 'Häkchen setzen oder entfernen, Schaltfläche betätigen',
      escape: 'Dialog oder Menü ohne Änderungen schließen',
      arrows: 'In einem Menü oder einer Liste navigieren',
    },
    keyName: {
      search: 'Strg + K',
      tab: 'Tab, Umschalt + Tab',
      enter: 'Eingabetaste',
      space: 'Leertaste',
      escape: 'Esc',
      arrows: 'Pfeiltasten',
    },
    editorKeys: 'Der Pipeline-Editor hat eigene Tastenkürzel, die dort aufgelistet sind.',
    passwords: 'Passwörter',
    own: 'Das eigene Passwort',
    ownButton: 'Eigenes Passwort ändern',
    forgotten:
      'Vergessen? Ein Administrator kann unter „Benutzer und Rollen“ ein neues setzen. Kann sich niemand anmelden, diesen Befehl auf dem PC von Sluice ausführen, mit dem Benutzerkonto, unter dem Sluice läuft:',
    resetTitle: 'Passwort zurücksetzen',
    name: 'NAME',
    data: 'Datenordner',
    dataHelp:
      'Der Ordner, der beim Start von Sluice mit --data angegeben wurde, sonst C:\\ProgramData\\Sluice unter Windows und /var/lib/sluice beim Linux-Dienst. Er wird auf der Seite „Sicherung“ gesichert. Nicht kopieren, solange Sluice läuft.',
    libraries: 'Software von Drittanbietern',
    librariesHelp:
      'Diese Oberfläche verwendet React, React Flow (xyflow), Mantine, CodeMirror, TanStack Query, i18next, uPlot und weitere Bibliotheken sowie die Schrift IBM Plex. Eine Datei nennt alle mit ihren Lizenzen.',
    librariesFile: 'Lizenzen herunterladen',
    developers: 'Für Entwickler',
    developersFile: 'OpenAPI-Dokument der Admin-API herunterladen',
    developersHelp:
      'Programme können mit dieser API alles, was Sie in der Oberfläche können. Maschinen rufen dagegen Routen auf.',
  },
};
