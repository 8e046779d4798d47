import type { writeStop as english } from '#common/languages/en/ui/write-stop.ts';

export const writeStop: typeof english = {
  menu: 'Schreiben sperren',
  title: 'Schreibzugriffe auf Tags von {{project}} sperren',
  lead: 'Bis zum Ende der Sperre kann keine Pipeline, kein Skript, kein Plugin und kein Benutzer diese Tags schreiben. Lesen bleibt möglich. Die Sperre gilt sofort.',
  act: 'Schreiben sperren',
  of: 'Gilt für',
  all: 'Alle Tags des Projekts',
  device: 'Gerät {{device}}',
  reason: 'Grund',
  reasonHelp: 'Benutzer sehen ihn, und abgelehnte Aufrufer erhalten ihn.',
  reasonMissing: 'Einen Grund mit höchstens 200 Zeichen eingeben.',
  until: 'Ende',
  ends: { '1': 'In 1 h', '8': 'In 8 h', '24': 'In 24 h', none: 'Wenn ein Benutzer sie aufhebt' },
  allStopped: 'Schreibzugriffe auf alle Tags sind gesperrt',
  deviceStopped: 'Schreibzugriffe auf das Gerät {{device}} sind gesperrt',
  by: '„{{reason}}“, von {{by}}',
  endsAt: 'Endet',
  endsNever: 'Kein Ende festgelegt',
  end: 'Schreiben erlauben',
};
