/** For deeper folders: imports may go up one folder at most. */
export { Semaphore } from '../semaphore.ts';
