/** For what is a folder deeper: imports climb one folder at most. */
export { Semaphore } from '../semaphore.ts';
