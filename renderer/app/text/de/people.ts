import type { people as english } from '../en/people.ts';

export const people: typeof english = {};
