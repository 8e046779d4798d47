import { tryClockSteps } from './clock-steps.ts';

tryClockSteps('back');
