import { mayOpenOutside } from './navigation-policy.ts';

/** Functions that ask the user and open the browser; Electron's dialog and shell in the product. */
export interface OutsideDoor {
  confirm(address: string): Promise<boolean>;
  open(address: string): Promise<void>;
}

/** While a question is open, other requests are ignored: a page that asks repeatedly cannot bury the window. */
export function oneAtATime({ confirm, open }: OutsideDoor): OutsideDoor {
  let asking = false;
  return {
    open,
    async confirm(address) {
      if (asking) return false;
      asking = true;
      try {
        return await confirm(address);
      } finally {
        asking = false;
      }
    },
  };
}

/**
 * The only way to open pages outside the window: https addresses, each after the user has agreed. Other schemes are
 * dropped, because they start programs. Resolves to whether it was opened.
 */
export async function openExternal(target: string, door: OutsideDoor): Promise<boolean> {
  if (!mayOpenOutside(target)) return false;
  // The shown address is the opened one: in its parsed form, not as it was written.
  const address = new URL(target).href;
  if (!(await door.confirm(address))) return false;
  await door.open(address);
  return true;
}
