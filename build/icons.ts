import { makeIcons } from './package/icons.ts';
import { RESOURCES } from './package/places.ts';

/** `npm run icons`: every system's icons from the one drawing, into release/resources. Needs Chromium. */
await makeIcons(RESOURCES);
console.log(`Icons for Windows, macOS and Linux are in ${RESOURCES}`);
