import type { ComponentType } from 'react';
import { part } from '../ui/part/part.tsx';
import { addLaterTexts } from './i18n.ts';

/** A page whose code is loaded when it is first opened. */
export function page<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return part(load, { isPage: true });
}

/** A page with texts of `common/languages/en/later.ts`, which it waits for. */
export function wordyPage<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return page(async () => (await Promise.all([load(), addLaterTexts()]))[0]);
}
