import { parentPort } from 'node:worker_threads';
import type { MatchJob } from '../messages.ts';

/** A pattern thread that ends with its first match: without an error, or with the one given by the text. */
parentPort?.on('message', ({ text }: MatchJob) => {
  if (text === '') process.exit();
  throw new Error(text);
});
