import type { ComponentType } from 'react';
import { part } from '../ui/part/part.tsx';

/** A page whose code comes when it is first opened. */
export function page<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return part(load, { isPage: true });
}
