import type { BrowserWindow } from 'electron';
import type { ShellView } from '../host/shell-view.ts';
import { askPerson } from './dialogs.ts';
import { quitQuestion } from './quit-question.ts';
import type { Words } from './words.ts';

/** How long the figures in the question may take. */
const ACTIVITY_MS_MAX = 2_000;

/** Asks, and names the callers. True: the user wants to quit. */
export async function askToQuit(
  window: BrowserWindow | null,
  { view, words }: { view: ShellView; words: Words },
): Promise<boolean> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, ACTIVITY_MS_MAX, null).unref());
  const activity = await Promise.race([view.activity().catch(() => null), late]);
  return askPerson(window, quitQuestion(activity, Date.now(), words));
}
