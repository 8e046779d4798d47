import { dialog, Notification, type BrowserWindow, type MessageBoxOptions } from 'electron';
import type { News } from './alarm-news.ts';
import type { Question } from './quit-question.ts';

type Said = Pick<MessageBoxOptions, 'message' | 'detail' | 'buttons'>;

/** A message box whose first button is the safe one: Esc, Enter and closing the box select it. */
export function boxOf(type: 'question' | 'warning', said: Said): MessageBoxOptions {
  return { ...said, type, defaultId: 0, cancelId: 0, noLink: true };
}

/** True: the second button. */
export async function askPerson(window: BrowserWindow | null, question: Question): Promise<boolean> {
  const options = boxOf('question', question);
  const answer = window === null ? dialog.showMessageBox(options) : dialog.showMessageBox(window, options);
  return (await answer).response === 1;
}

export async function showMessage(window: BrowserWindow | null, message: string, detail: string): Promise<void> {
  const options = { type: 'info', message, detail, buttons: ['OK'], noLink: true } satisfies MessageBoxOptions;
  await (window === null ? dialog.showMessageBox(options) : dialog.showMessageBox(window, options));
}

/** An unreferenced notification is garbage-collected, and its click is lost. The oldest ones are dropped first. */
const shown: Notification[] = [];
const SHOWN_MAX = 20;

/** A notification of the system, if it supports them. */
export function notifyPerson({ title, body }: News, onClick: () => void): void {
  if (!Notification.isSupported()) return;
  const notification = new Notification({ title, body });
  notification.once('click', onClick);
  shown.push(notification);
  if (shown.length > SHOWN_MAX) shown.shift();
  notification.show();
}
