import { alarmInEnglish, alarmInGerman } from './alarm-text.ts';

/**
 * The shell's own texts (tray, questions, notifications), in English and German. The window's pages have their own
 * texts.
 */
const en = {
  open: 'Open Sluice',
  running: (routes: number) => `Running, ${count(routes, 'route answers', 'routes answer')}`,
  starting: 'The gateway is starting',
  restarting: 'The gateway has stopped and is being restarted',
  stopping: 'The gateway is stopping',
  alarms: (alarms: number) => count(alarms, 'alarm', 'alarms'),
  moreAlarms: (alarms: number) => `and ${count(alarms, 'other', 'others')}`,
  logs: 'Open log folder',
  diagnostics: 'Save diagnostics…',
  autostart: 'Start with this PC',
  kiosk: 'Full screen for panels',
  kioskOn: 'Full screen. To leave it, press Ctrl+Alt+Shift+K and log in as an Administrator',
  quit: 'Quit Sluice…',
  quitQuestion: 'Quit Sluice?',
  quitNobody: 'Nobody has called in the last minutes. No route answers until Sluice is started again.',
  quitUnknown: 'The current callers cannot be read. No route answers until Sluice is started again.',
  quitCallers: (names: string) => `These callers were active in the last minutes and will get no response: ${names}.`,
  quitRate: (rate: string) => `Currently ${rate} calls per second.`,
  keepServing: 'Keep serving',
  quitNow: 'Quit',
  more: (others: number) => `${others} more`,
  alarmTitle: 'Sluice: alarm',
  alarmText: alarmInEnglish,
  alarmsTitle: (alarms: number) => `Sluice: ${alarms} alarms`,
  stillServing: 'Sluice keeps serving',
  stillServingTray: 'Its window is closed. Open it again with the icon beside the clock.',
  stillServingTask: 'Its window is minimised: this desktop has no tray. Press Alt to open the menu with Quit.',
  kioskQuestion: 'Fill the screen with Sluice?',
  kioskDetail:
    'The window then cannot be closed, left or minimised. An Administrator can end full screen on the page Help (Ctrl+Alt+Shift+K).',
  kioskStay: 'Cancel',
  kioskGo: 'Fill the screen',
  hung: 'The page does not respond',
  hungDetail: 'The gateway continues to serve. A reload discards unsaved input.',
  wait: 'Wait',
  reload: 'Reload page',
  crashed: 'The page has crashed several times',
  crashedDetail: 'The gateway continues to serve. Save the diagnostics for the administrator of this PC.',
  closeWindow: 'Close window',
  leave: 'Leave without saving?',
  leaveDetail: 'Unsaved input on this page is discarded.',
  keepEditing: 'Keep editing',
  leaveNow: 'Leave',
  saved: 'Diagnostics saved',
  notSaved: 'Diagnostics not saved',
  projectFile: 'Import the project file on the page Projects',
  projectFileDetail: (file: string) => `Log in, open Projects, choose Import and then this file:\n${file}`,
  openProjects: 'Open Projects',
  notNow: 'Not now',
  outside: 'Open this page in the browser?',
  stayHere: 'Stay here',
  openPage: 'Open page',
};

export type Words = typeof en;

const de: Words = {
  open: 'Sluice öffnen',
  running: (routes) => `Läuft, ${count(routes, 'Route antwortet', 'Routen antworten')}`,
  starting: 'Das Gateway startet',
  restarting: 'Das Gateway ist ausgefallen und wird neu gestartet',
  stopping: 'Das Gateway wird gestoppt',
  alarms: (alarms) => count(alarms, 'Alarm', 'Alarme'),
  moreAlarms: (alarms) => `und ${count(alarms, 'weiterer', 'weitere')}`,
  logs: 'Protokollordner öffnen',
  diagnostics: 'Diagnose speichern…',
  autostart: 'Mit diesem PC starten',
  kiosk: 'Vollbild für Panels',
  kioskOn: 'Vollbild. Zum Verlassen Strg+Alt+Umschalt+K drücken und als Administrator anmelden',
  quit: 'Sluice beenden…',
  quitQuestion: 'Sluice beenden?',
  quitNobody: 'In den letzten Minuten kam kein Aufruf. Bis zum nächsten Start antwortet keine Route.',
  quitUnknown: 'Wer gerade aufruft, lässt sich nicht ermitteln. Bis zum nächsten Start antwortet keine Route.',
  quitCallers: (names) => `Aufrufer der letzten Minuten, die dann keine Antwort erhalten: ${names}.`,
  quitRate: (rate) => `Derzeit ${rate} Aufrufe je Sekunde.`,
  keepServing: 'Weiterlaufen lassen',
  quitNow: 'Beenden',
  more: (others) => `${others} weitere`,
  alarmTitle: 'Sluice: Alarm',
  alarmText: alarmInGerman,
  alarmsTitle: (alarms) => `Sluice: ${alarms} Alarme`,
  stillServing: 'Sluice läuft weiter',
  stillServingTray: 'Das Fenster ist geschlossen. Das Symbol neben der Uhr öffnet es wieder.',
  stillServingTask:
    'Das Fenster ist minimiert: Dieser Desktop zeigt kein Symbol an. Die Alt-Taste öffnet das Menü mit „Sluice beenden“.',
  kioskQuestion: 'Vollbild einschalten?',
  kioskDetail:
    'Das Fenster lässt sich dann nicht schließen, verlassen oder verkleinern. Ein Administrator kann das Vollbild auf der Seite „Hilfe“ ausschalten; Strg+Alt+Umschalt+K führt dorthin.',
  kioskStay: 'Unverändert lassen',
  kioskGo: 'Vollbild einschalten',
  hung: 'Die Seite antwortet nicht',
  hungDetail: 'Das Gateway läuft weiter. Beim Neuladen gehen nicht gespeicherte Eingaben verloren.',
  wait: 'Warten',
  reload: 'Seite neu laden',
  crashed: 'Die Seite ist mehrmals abgestürzt',
  crashedDetail: 'Das Gateway läuft weiter. Die Diagnose speichern und dem Administrator dieses PCs übergeben.',
  closeWindow: 'Fenster schließen',
  leave: 'Ohne Speichern verlassen?',
  leaveDetail: 'Ihre Eingaben sind nicht gespeichert und gehen verloren.',
  keepEditing: 'Weiter bearbeiten',
  leaveNow: 'Verlassen',
  saved: 'Die Diagnose wurde gespeichert',
  notSaved: 'Die Diagnose wurde nicht gespeichert',
  projectFile: 'Die Projektdatei auf der Seite „Projekte“ importieren',
  projectFileDetail: (file) =>
    `Anmelden, „Projekte“ öffnen, „Projekt importieren“ und dann diese Datei wählen:\n${file}`,
  openProjects: 'Projekte öffnen',
  notNow: 'Jetzt nicht',
  outside: 'Diese Seite im Browser öffnen?',
  stayHere: 'Hier bleiben',
  openPage: 'Seite öffnen',
};

/** `locale` as the system gives it, such as "de-AT". */
export function wordsFor(locale: string): Words {
  return /^de\b/i.test(locale) ? de : en;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
