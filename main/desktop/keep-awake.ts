import { powerSaveBlocker } from 'electron';

/** Keeps the PC from sleeping on request; the screen may go dark. */
export function createKeepAwake(): (on: boolean) => void {
  let blocker: number | null = null;
  return (on) => {
    if (blocker !== null) powerSaveBlocker.stop(blocker);
    blocker = on ? powerSaveBlocker.start('prevent-app-suspension') : null;
  };
}
