import { makeIcons } from './package/icons.ts';
import { RESOURCES } from './package/places.ts';

/** `npm run icons`: the icons of all systems, from one drawing, in release/resources. Needs Chromium. */
await makeIcons(RESOURCES);
console.log(`Icons for Windows, macOS and Linux are in ${RESOURCES}`);
