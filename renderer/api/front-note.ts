/** A sentence for the log-in page, left by a page before its session ended. It is shown once, in this tab. */
const NAME = 'sluice.front-note';

export function leaveFrontNote(text: string): void {
  sessionStorage.setItem(NAME, text);
}

export function readFrontNote(): string | null {
  return sessionStorage.getItem(NAME);
}

export function forgetFrontNote(): void {
  sessionStorage.removeItem(NAME);
}
