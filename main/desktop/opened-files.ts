import { app } from 'electron';
import { z } from 'zod';
import { PROJECT_FILE } from './launch.ts';

export interface FileDoor {
  add(file: string): void;
  /** `null`: a second start without a file, which shows the window. Earlier ones are handled first. */
  follow(listener: (file: string | null) => void): void;
}

const WAITING_MAX = 16;
const secondStart = z.object({ files: z.array(z.string().max(4096)).max(WAITING_MAX) });

/** Files from the command line, from macOS and from a second start, kept until they are processed. */
export function projectFilesOpened(): FileDoor {
  const waiting: (string | null)[] = [];
  let tell: ((file: string | null) => void) | null = null;
  const add = (file: string | null): void => {
    if (tell !== null) tell(file);
    else if (waiting.length < WAITING_MAX) waiting.push(file);
  };
  app.on('open-file', (event, file) => {
    event.preventDefault();
    if (file.toLowerCase().endsWith(PROJECT_FILE)) add(file);
  });
  app.on('second-instance', (_event, _argv, _folder, data) => {
    const { files } = secondStart.catch({ files: [] }).parse(data);
    for (const file of files.length === 0 ? [null] : files) add(file);
  });
  return {
    add,
    follow(listener) {
      tell = listener;
      for (const file of waiting.splice(0)) listener(file);
    },
  };
}
