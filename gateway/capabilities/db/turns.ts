/** For what is a folder deeper: imports climb one folder at most. */
export { Turns } from '../turns.ts';
