/** Re-exported for deeper folders: imports may go up only one folder. */
export { Semaphore } from '../semaphore.ts';
